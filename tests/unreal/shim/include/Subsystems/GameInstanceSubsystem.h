// One of each class lives as long as the game instance; several instances may be there at a time.
// https://dev.epicgames.com/documentation/en-us/unreal-engine/programming-subsystems-in-unreal-engine
#pragma once

#include "ue_shim/Class.h"

class UGameInstance;

class FSubsystemCollectionBase
{
};

class USubsystem : public UObject
{
	UE_SHIM_CLASS(USubsystem, UObject)
	virtual void Initialize(FSubsystemCollectionBase&) { bIsInitialized = true; }
	virtual void Deinitialize() { bIsInitialized = false; }
	bool bIsInitialized = false; // the shim's own: was Super called
};

class UGameInstanceSubsystem : public USubsystem
{
	UE_SHIM_CLASS(UGameInstanceSubsystem, USubsystem)
};
