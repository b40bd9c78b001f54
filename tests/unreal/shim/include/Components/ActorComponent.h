// Overridden lifecycle functions must call Super, or the program ends.
// https://dev.epicgames.com/documentation/en-us/unreal-engine/API/Runtime/Engine/UActorComponent
#pragma once

#include "Engine/EngineTypes.h"
#include "ue_shim/Class.h"

class AActor;

struct FActorComponentTickFunction
{
	bool bCanEverTick = false;
};

class UActorComponent : public UObject
{
	UE_SHIM_CLASS(UActorComponent, UObject)

	virtual void BeginPlay() { bHasBegun = true; }
	virtual void EndPlay(const EEndPlayReason::Type) { bHasBegun = false; }
	void RegisterComponent();
	AActor* GetOwner() const;

	FActorComponentTickFunction PrimaryComponentTick;

	// The shim's own.
	void Begin();
	void End(EEndPlayReason::Type Reason);

private:
	bool bHasBegun = false;
	bool bIsRegistered = false;
};
