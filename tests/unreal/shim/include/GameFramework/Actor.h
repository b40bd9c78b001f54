// https://dev.epicgames.com/documentation/en-us/unreal-engine/unreal-engine-actor-lifecycle
#pragma once

#include "Engine/EngineTypes.h"
#include "ue_shim/Class.h"

class UActorComponent;

class AActor : public UObject
{
	UE_SHIM_CLASS(AActor, UObject)

	/** Ends play; the actor and its components are garbage then. */
	bool Destroy();

	// The shim's own.
	void Begin();
	void End(EEndPlayReason::Type Reason);
	TArray<TObjectPtr<UActorComponent>> Components;
	bool bHasBegun = false;
};
