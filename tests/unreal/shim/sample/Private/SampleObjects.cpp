#include "SampleObjects.h"

USampleObject::USampleObject()
{
	bWasDefaultInConstructor = HasAnyFlags(RF_ClassDefaultObject);
}

void USampleObject::BeginDestroy()
{
	if (!bForgetsSuper)
	{
		Super::BeginDestroy();
	}
}

void USampleObject::Hear(const FString& Text)
{
	Heard.Add(Text);
}
