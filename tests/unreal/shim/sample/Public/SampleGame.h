#pragma once

#include "Components/ActorComponent.h"
#include "CoreMinimal.h"
#include "Engine/CancellableAsyncAction.h"
#include "Subsystems/GameInstanceSubsystem.h"

#include "SampleGame.generated.h"

UCLASS()
class SAMPLE_API USampleComponent : public UActorComponent
{
	GENERATED_BODY()

public:
	virtual void BeginPlay() override;
	virtual void EndPlay(const EEndPlayReason::Type Reason) override;

	TArray<FString> Calls;
	FString Forgets; // the function that does not call Super
};

UCLASS()
class SAMPLE_API USampleSubsystem : public UGameInstanceSubsystem
{
	GENERATED_BODY()

public:
	virtual void Initialize(FSubsystemCollectionBase& Collection) override;
	virtual void Deinitialize() override;

	bool bForgets = false;
	static int32 Running;
};

UCLASS()
class SAMPLE_API USampleAction : public UCancellableAsyncAction
{
	GENERATED_BODY()

public:
	virtual void Cancel() override;
	static int32 Cancelled;
};
