// A world of actors. https://dev.epicgames.com/documentation/en-us/unreal-engine/API/Runtime/Engine/UWorld
#pragma once

#include "Engine/EngineTypes.h"
#include "ue_shim/Class.h"

class AActor;
class UGameInstance;

class UWorld : public UObject
{
	UE_SHIM_CLASS(UWorld, UObject)

	UWorld* GetWorld() const override { return const_cast<UWorld*>(this); }
	UGameInstance* GetGameInstance() const { return GameInstance; }
	template <typename T>
	T* SpawnActor()
	{
		T* const Actor = NewObject<T>(this);
		AddActor(Actor);
		return Actor;
	}
	/** Components begin to play when their actor does. */
	void BeginPlay();

	// The shim's own.
	void EndPlay(EEndPlayReason::Type Reason);
	UGameInstance* GameInstance = nullptr;
	TArray<TObjectPtr<AActor>> Actors;

private:
	void AddActor(AActor* Actor);
	bool bHasBegun = false;
};
