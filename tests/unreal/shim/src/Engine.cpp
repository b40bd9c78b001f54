#include "Components/ActorComponent.h"
#include "Engine/CancellableAsyncAction.h"
#include "Engine/DataAsset.h"
#include "Engine/DeveloperSettings.h"
#include "Engine/Engine.h"
#include "Engine/GameInstance.h"
#include "Engine/World.h"
#include "Factories/Factory.h"
#include "GameFramework/Actor.h"
#include "GameFramework/SaveGame.h"
#include "Internationalization/Text.h"
#include "Kismet/GameplayStatics.h"
#include "Misc/DataValidation.h"

#define UE_SHIM_DEFINE_CLASS(Name)                                                          \
	UClass* Name::StaticClass()                                                             \
	{                                                                                       \
		static UClass* const Class = ue_shim::MakeClass<Name>(UE_SHIM_WIDE(#Name) + 1, {}); \
		return Class;                                                                       \
	}
#define UE_SHIM_NO_PROPERTIES(Name)                                                 \
	void Name::ShimVisit(void* Object, ue_shim::FPropertyVisitor& Visitor)          \
	{                                                                               \
		Super::ShimVisit(static_cast<Super*>(static_cast<Name*>(Object)), Visitor); \
	}

UE_SHIM_DEFINE_CLASS(UWorld)
UE_SHIM_DEFINE_CLASS(UActorComponent)
UE_SHIM_DEFINE_CLASS(AActor)
UE_SHIM_DEFINE_CLASS(USubsystem)
UE_SHIM_DEFINE_CLASS(UGameInstanceSubsystem)
UE_SHIM_DEFINE_CLASS(UGameInstance)
UE_SHIM_DEFINE_CLASS(UEngine)
UE_SHIM_DEFINE_CLASS(UBlueprintFunctionLibrary)
UE_SHIM_DEFINE_CLASS(UBlueprintAsyncActionBase)
UE_SHIM_DEFINE_CLASS(UCancellableAsyncAction)
UE_SHIM_DEFINE_CLASS(UDeveloperSettings)
UE_SHIM_DEFINE_CLASS(UDataAsset)
UE_SHIM_DEFINE_CLASS(UPrimaryDataAsset)
UE_SHIM_DEFINE_CLASS(USaveGame)
UE_SHIM_DEFINE_CLASS(UGameplayStatics)
UE_SHIM_DEFINE_CLASS(UFactory)
UE_SHIM_NO_PROPERTIES(UActorComponent)
UE_SHIM_NO_PROPERTIES(USubsystem)
UE_SHIM_NO_PROPERTIES(UGameInstanceSubsystem)
UE_SHIM_NO_PROPERTIES(UEngine)
UE_SHIM_NO_PROPERTIES(UBlueprintFunctionLibrary)
UE_SHIM_NO_PROPERTIES(UBlueprintAsyncActionBase)
UE_SHIM_NO_PROPERTIES(UCancellableAsyncAction)
UE_SHIM_NO_PROPERTIES(UDeveloperSettings)
UE_SHIM_NO_PROPERTIES(UDataAsset)
UE_SHIM_NO_PROPERTIES(UPrimaryDataAsset)
UE_SHIM_NO_PROPERTIES(USaveGame)
UE_SHIM_NO_PROPERTIES(UGameplayStatics)
UE_SHIM_NO_PROPERTIES(UFactory)

void UWorld::ShimVisit(void* Object, ue_shim::FPropertyVisitor& Visitor)
{
	Visitor.Visit({TEXT("Actors"), false}, static_cast<UWorld*>(Object)->Actors);
}
void AActor::ShimVisit(void* Object, ue_shim::FPropertyVisitor& Visitor)
{
	Visitor.Visit({TEXT("Components"), false}, static_cast<AActor*>(Object)->Components);
}
void UGameInstance::ShimVisit(void* Object, ue_shim::FPropertyVisitor& Visitor)
{
	UGameInstance& Self = *static_cast<UGameInstance*>(Object);
	Visitor.Visit({TEXT("World"), false}, Self.World);
	Visitor.Visit({TEXT("Subsystems"), false}, Self.Subsystems);
	Visitor.Visit({TEXT("Referenced"), false}, Self.Referenced);
}

UEngine* GEngine = [] {
	UEngine* const Engine = NewObject<UEngine>();
	Engine->AddToRoot();
	return Engine;
}();

void UEngine::DestroyWorldContext(UWorld* World)
{
	World->GameInstance->ForgetWorld();
	World->GameInstance = nullptr;
}

UWorld* UEngine::GetWorldFromContextObject(const UObject* Object, EGetWorldErrorMode ErrorMode) const
{
	UWorld* const World = Object == nullptr ? nullptr : Object->GetWorld();
	UE_SHIM_CHECK(World != nullptr || ErrorMode != EGetWorldErrorMode::Assert);
	return World;
}

// Worlds

void UWorld::AddActor(AActor* Actor)
{
	Actors.Add(Actor);
	if (bHasBegun)
	{
		Actor->Begin();
	}
}

bool UWorld::SetGameMode(const FURL&)
{
	bHasGameMode = GameInstance != nullptr;
	return bHasGameMode;
}

void UWorld::InitializeActorsForPlay(const FURL&)
{
	bIsInitialized = true;
}

void UWorld::BeginPlay()
{
	UE_SHIM_CHECK(bIsInitialized);
	bHasBegun = bHasGameMode;
	const TArray<TObjectPtr<AActor>> All = bHasBegun ? Actors : TArray<TObjectPtr<AActor>>();
	for (const TObjectPtr<AActor>& Each : All)
	{
		Each->Begin();
	}
}

void UWorld::DestroyWorld(bool)
{
	UE_SHIM_CHECK(GameInstance == nullptr); // DestroyWorldContext comes first
	Actors.Empty();
	MarkAsGarbage();
}

void AActor::Begin()
{
	bHasBegun = true;
	const TArray<TObjectPtr<UActorComponent>> All = Components;
	for (const TObjectPtr<UActorComponent>& Each : All)
	{
		Each->Begin();
	}
}

void AActor::End(EEndPlayReason::Type Reason)
{
	const TArray<TObjectPtr<UActorComponent>> All = Components;
	for (const TObjectPtr<UActorComponent>& Each : All)
	{
		Each->End(Reason);
	}
	bHasBegun = false;
}

bool AActor::Destroy()
{
	End(EEndPlayReason::Destroyed);
	GetWorld()->Actors.Remove(this);
	for (const TObjectPtr<UActorComponent>& Each : Components)
	{
		Each->MarkAsGarbage();
	}
	MarkAsGarbage();
	return true;
}

AActor* UActorComponent::GetOwner() const
{
	return Cast<AActor>(GetOuter());
}

void UActorComponent::RegisterComponent()
{
	UE_SHIM_CHECK(!bIsRegistered);
	bIsRegistered = true;
	GetOwner()->Components.Add(this);
	if (GetOwner()->bHasBegun)
	{
		Begin();
	}
}

void UActorComponent::Begin()
{
	BeginPlay();
	UE_SHIM_CHECK(bHasBegun); // Super::BeginPlay was not called
}

void UActorComponent::End(EEndPlayReason::Type Reason)
{
	if (bHasBegun)
	{
		EndPlay(Reason);
		UE_SHIM_CHECK(!bHasBegun); // Super::EndPlay was not called
	}
}

// Game instances

UWorld* UGameInstance::GetWorld() const
{
	return World;
}

UGameInstanceSubsystem* UGameInstance::FindSubsystem(const UClass* Class) const
{
	const TObjectPtr<UGameInstanceSubsystem>* const Found = Subsystems.FindByPredicate(
		[Class](const TObjectPtr<UGameInstanceSubsystem>& Each) { return Each->IsA(Class); });
	return Found == nullptr ? nullptr : Found->Get();
}

void UGameInstance::InitializeStandalone()
{
	World = NewObject<UWorld>(this);
	World->GameInstance = this;
	FSubsystemCollectionBase Collection;
	for (UClass* Class : ue_shim::FindClasses(UGameInstanceSubsystem::StaticClass()))
	{
		Subsystems.Add(static_cast<UGameInstanceSubsystem*>(ue_shim::NewObject(Class, this)));
	}
	for (const TObjectPtr<UGameInstanceSubsystem>& Each : Subsystems)
	{
		Each->Initialize(Collection);
		UE_SHIM_CHECK(Each->bIsInitialized); // Super::Initialize was not called
	}
}

void UGameInstance::Shutdown()
{
	for (const TObjectPtr<UGameInstanceSubsystem>& Each : Subsystems)
	{
		Each->Deinitialize();
		UE_SHIM_CHECK(!Each->bIsInitialized); // Super::Deinitialize was not called
	}
	Subsystems.Empty();
	Referenced.Empty();
}

void UBlueprintAsyncActionBase::RegisterWithGameInstance(const UObject* WorldContextObject)
{
	const UWorld* World = WorldContextObject == nullptr ? nullptr : WorldContextObject->GetWorld();
	if (World != nullptr && World->GetGameInstance() != nullptr)
	{
		RegisteredWithGameInstance = World->GetGameInstance();
		World->GetGameInstance()->RegisterReferencedObject(this);
	}
}

void UBlueprintAsyncActionBase::SetReadyToDestroy()
{
	if (UGameInstance* GameInstance = RegisteredWithGameInstance.Get())
	{
		GameInstance->UnregisterReferencedObject(this);
	}
	RegisteredWithGameInstance = nullptr;
}

void UCancellableAsyncAction::BeginDestroy()
{
	Cancel();
	Super::BeginDestroy();
}

EDataValidationResult CombineDataValidationResults(EDataValidationResult First, EDataValidationResult Second)
{
	if (First == EDataValidationResult::Invalid || Second == EDataValidationResult::Invalid)
	{
		return EDataValidationResult::Invalid;
	}
	const bool bValid = First == EDataValidationResult::Valid || Second == EDataValidationResult::Valid;
	return bValid ? EDataValidationResult::Valid : EDataValidationResult::NotValidated;
}
