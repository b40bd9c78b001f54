// https://dev.epicgames.com/documentation/en-us/unreal-engine/saving-and-loading-your-game-in-unreal-engine
#pragma once

#include "ue_shim/Class.h"

class USaveGame : public UObject
{
	UE_SHIM_CLASS(USaveGame, UObject)
};
