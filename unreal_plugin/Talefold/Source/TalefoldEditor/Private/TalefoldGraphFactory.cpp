#include "TalefoldGraphFactory.h"

#include "TalefoldGraphAsset.h"

UTalefoldGraphFactory::UTalefoldGraphFactory()
{
	SupportedClass = UTalefoldGraphAsset::StaticClass();
	bCreateNew = true;
	bEditAfterNew = true;
}

UObject* UTalefoldGraphFactory::FactoryCreateNew(
	UClass* Class, UObject* Parent, FName Name, EObjectFlags Flags, UObject* /*Context*/, FFeedbackContext* /*Warn*/)
{
	return NewObject<UTalefoldGraphAsset>(Parent, Class, Name, Flags);
}
