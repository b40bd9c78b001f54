// https://dev.epicgames.com/documentation/en-us/unreal-engine/API/Editor/UnrealEd/UFactory
#pragma once

#include "Templates/SubclassOf.h"
#include "ue_shim/Class.h"

class FFeedbackContext;

class UFactory : public UObject
{
	UE_SHIM_CLASS(UFactory, UObject)
	virtual UObject* FactoryCreateNew(UClass*, UObject*, FName, EObjectFlags, UObject*, FFeedbackContext*) { return nullptr; }

protected:
	TSubclassOf<UObject> SupportedClass;
	bool bCreateNew = false;
	bool bEditAfterNew = false;
};
