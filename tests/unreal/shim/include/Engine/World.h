// A world of actors. They play when it has a game mode, which starts the play of all: BeginPlay alone does
// not. Nothing ends their play but who destroys them.
// https://dev.epicgames.com/documentation/en-us/unreal-engine/API/Runtime/Engine/UWorld
#pragma once

#include "Engine/EngineBaseTypes.h"
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
	/** The game instance makes it: false without one. */
	bool SetGameMode(const FURL& Url);
	void InitializeActorsForPlay(const FURL& Url);
	/** Components begin to play when their actor does. */
	void BeginPlay();
	void DestroyWorld(bool bInformEngineOfWorld);

	// The shim's own.
	UGameInstance* GameInstance = nullptr;
	TArray<TObjectPtr<AActor>> Actors;

private:
	void AddActor(AActor* Actor);
	bool bHasGameMode = false;
	bool bIsInitialized = false;
	bool bHasBegun = false;
};
