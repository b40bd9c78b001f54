// https://dev.epicgames.com/documentation/en-us/unreal-engine/API/Runtime/DeveloperSettings/UDeveloperSettings
#pragma once

#include "ue_shim/Class.h"

class UDeveloperSettings : public UObject
{
	UE_SHIM_CLASS(UDeveloperSettings, UObject)
	virtual FName GetCategoryName() const { return FName(); }
};
