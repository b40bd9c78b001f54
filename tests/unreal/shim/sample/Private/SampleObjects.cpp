#include "SampleObjects.h"

#include "HAL/RunnableThread.h"

namespace
{
	struct FNothing final : FRunnable
	{
		virtual uint32 Run() override { return 0; }
	};
} // namespace

bool USampleStarter::bStarts = false;

USampleStarter::USampleStarter()
{
	if (bStarts)
	{
		FNothing Nothing;
		delete FRunnableThread::Create(&Nothing, TEXT("Sample"));
	}
}

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
