// https://dev.epicgames.com/documentation/en-us/unreal-engine/data-assets-in-unreal-engine
#pragma once

#include "ue_shim/Class.h"

class UDataAsset : public UObject
{
	UE_SHIM_CLASS(UDataAsset, UObject)
};
class UPrimaryDataAsset : public UDataAsset
{
	UE_SHIM_CLASS(UPrimaryDataAsset, UDataAsset)
};
