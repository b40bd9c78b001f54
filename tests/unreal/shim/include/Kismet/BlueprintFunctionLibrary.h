// https://dev.epicgames.com/documentation/en-us/unreal-engine/blueprint-function-libraries-in-unreal-engine
#pragma once

#include "ue_shim/Class.h"

class UBlueprintFunctionLibrary : public UObject
{
	UE_SHIM_CLASS(UBlueprintFunctionLibrary, UObject)
};
