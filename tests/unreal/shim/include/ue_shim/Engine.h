// Game instances with their subsystems and worlds, actors with their components, and nodes that take
// time. Calls of Super that the engine demands are checked.
#pragma once

#include "ue_shim/System.h"
#include "ue_shim/Text.h"

class AActor;
class UGameInstance;
class UGameInstanceSubsystem;

#define UE_SHIM_CLASS(Name, Base) \
public:                           \
	using Super = Base;           \
	using ThisClass = Name;       \
	static UClass* StaticClass(); \
	static void ShimVisit(void* Object, ue_shim::FPropertyVisitor& Visitor);

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
	bool HasBegunPlay() const { return bHasBegun; }

	UGameInstance* GameInstance = nullptr;
	TArray<TObjectPtr<AActor>> Actors;

private:
	friend class UGameInstance;
	void AddActor(AActor* Actor);
	void EndPlay();
	bool bHasBegun = false;
};

namespace EEndPlayReason
{
	enum Type : int
	{
		Destroyed,
		LevelTransition,
		EndPlayInEditor,
		RemovedFromWorld,
		Quit
	};
} // namespace EEndPlayReason

struct FActorComponentTickFunction
{
	bool bCanEverTick = false;
};

class UActorComponent : public UObject
{
	UE_SHIM_CLASS(UActorComponent, UObject)

	virtual void BeginPlay() { bHasBegun = true; }
	virtual void EndPlay(const EEndPlayReason::Type) { bHasBegun = false; }
	bool HasBegunPlay() const { return bHasBegun; }
	void RegisterComponent();
	void DestroyComponent();
	AActor* GetOwner() const;

	FActorComponentTickFunction PrimaryComponentTick;

private:
	friend class AActor;
	void Begin();
	void End(EEndPlayReason::Type Reason);
	bool bHasBegun = false;
	bool bIsRegistered = false;
};

class AActor : public UObject
{
	UE_SHIM_CLASS(AActor, UObject)

	bool Destroy();
	TArray<TObjectPtr<UActorComponent>> Components;

private:
	friend class UWorld;
	friend class UActorComponent;
	void Begin();
	void End(EEndPlayReason::Type Reason);
	bool bHasBegun = false;
};

class FSubsystemCollectionBase
{
};

class USubsystem : public UObject
{
	UE_SHIM_CLASS(USubsystem, UObject)
	virtual void Initialize(FSubsystemCollectionBase&) { bIsInitialized = true; }
	virtual void Deinitialize() { bIsInitialized = false; }
	bool bIsInitialized = false;
};

class UGameInstanceSubsystem : public USubsystem
{
	UE_SHIM_CLASS(UGameInstanceSubsystem, USubsystem)
	UGameInstance* GetGameInstance() const;
};

class UGameInstance : public UObject
{
	UE_SHIM_CLASS(UGameInstance, UObject)

	/** Makes the world and all subsystems. */
	void InitializeStandalone();
	/** Play ends, then the subsystems. */
	void Shutdown();
	UWorld* GetWorld() const override { return World; }
	template <typename T>
	T* GetSubsystem() const
	{
		for (const TObjectPtr<UGameInstanceSubsystem>& Each : Subsystems)
		{
			if (Each->IsA(T::StaticClass()))
			{
				return static_cast<T*>(Each.Get());
			}
		}
		return nullptr;
	}
	void RegisterReferencedObject(UObject* Object) { Referenced.Add(Object); }
	void UnregisterReferencedObject(UObject* Object) { Referenced.Remove(Object); }

private:
	TObjectPtr<UWorld> World;
	TArray<TObjectPtr<UGameInstanceSubsystem>> Subsystems;
	TArray<TObjectPtr<UObject>> Referenced;
};

enum class EGetWorldErrorMode
{
	ReturnNull,
	LogAndReturnNull,
	Assert
};
class UEngine : public UObject
{
	UE_SHIM_CLASS(UEngine, UObject)
	UWorld* GetWorldFromContextObject(const UObject* Object, EGetWorldErrorMode) const
	{
		return Object == nullptr ? nullptr : Object->GetWorld();
	}
};
extern UEngine* GEngine;

class UBlueprintFunctionLibrary : public UObject
{
	UE_SHIM_CLASS(UBlueprintFunctionLibrary, UObject)
};

class UBlueprintAsyncActionBase : public UObject
{
	UE_SHIM_CLASS(UBlueprintAsyncActionBase, UObject)
	virtual void Activate() {}
	/** Lives until SetReadyToDestroy, or until the game instance ends. */
	void RegisterWithGameInstance(const UObject* WorldContextObject);
	virtual void SetReadyToDestroy();

protected:
	TWeakObjectPtr<UGameInstance> RegisteredWith;
};

class UCancellableAsyncAction : public UBlueprintAsyncActionBase
{
	UE_SHIM_CLASS(UCancellableAsyncAction, UBlueprintAsyncActionBase)
	virtual void Cancel() { SetReadyToDestroy(); }
	bool ShouldBroadcastDelegates() const { return RegisteredWith.IsValid(); }
	bool IsActive() const { return ShouldBroadcastDelegates(); }
};

class UDeveloperSettings : public UObject
{
	UE_SHIM_CLASS(UDeveloperSettings, UObject)
	virtual FName GetCategoryName() const { return FName(); }
};
struct FFilePath
{
	FString FilePath;
};
struct FDirectoryPath
{
	FString Path;
};

enum class EDataValidationResult : uint8
{
	Invalid,
	Valid,
	NotValidated
};
EDataValidationResult CombineDataValidationResults(EDataValidationResult First, EDataValidationResult Second);
class FDataValidationContext
{
public:
	void AddError(const FText& Text) { Errors.Add(Text); }
	void AddWarning(const FText& Text) { Warnings.Add(Text); }
	uint32 GetNumErrors() const { return static_cast<uint32>(Errors.Num()); }
	uint32 GetNumWarnings() const { return static_cast<uint32>(Warnings.Num()); }
	TArray<FText> Errors;
	TArray<FText> Warnings;
};

class UDataAsset : public UObject
{
	UE_SHIM_CLASS(UDataAsset, UObject)
#if WITH_EDITOR
	virtual EDataValidationResult IsDataValid(FDataValidationContext&) const { return EDataValidationResult::NotValidated; }
#endif
};
class UPrimaryDataAsset : public UDataAsset
{
	UE_SHIM_CLASS(UPrimaryDataAsset, UDataAsset)
};

class USaveGame : public UObject
{
	UE_SHIM_CLASS(USaveGame, UObject)
};
DECLARE_DELEGATE_ThreeParams(FAsyncSaveGameToSlotDelegate, const FString&, const int32, bool)
	DECLARE_DELEGATE_ThreeParams(FAsyncLoadGameFromSlotDelegate, const FString&, const int32, USaveGame*)

	/** Slots are files in the project's Saved/SaveGames; what is not marked SaveGame is not written. */
	class UGameplayStatics : public UBlueprintFunctionLibrary
{
	UE_SHIM_CLASS(UGameplayStatics, UBlueprintFunctionLibrary)
	static void AsyncSaveGameToSlot(
		USaveGame* SaveGame, const FString& Slot, int32 UserIndex, FAsyncSaveGameToSlotDelegate Saved);
	static void AsyncLoadGameFromSlot(const FString& Slot, int32 UserIndex, FAsyncLoadGameFromSlotDelegate Loaded);
};
