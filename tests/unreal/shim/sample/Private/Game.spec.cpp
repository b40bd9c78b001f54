// Game instances, components, async actions, slots.
#include "CoreMinimal.h"
#include "EndsProgram.h"
#include "Kismet/GameplayStatics.h"
#include "Misc/AutomationTest.h"
#include "SampleGame.h"
#include "SampleObjects.h"
#include "ue_shim/Control.h"

BEGIN_DEFINE_SPEC(FShimGameSpec, "Shim.Game", EAutomationTestFlags::EditorContext | EAutomationTestFlags::EngineFilter)
UGameInstance* Instance = nullptr;

USampleComponent* AddComponent() const
{
	USampleComponent* Component = NewObject<USampleComponent>(Instance->GetWorld()->SpawnActor<AActor>());
	Component->RegisterComponent();
	return Component;
}
END_DEFINE_SPEC(FShimGameSpec)

void FShimGameSpec::Define()
{
	BeforeEach([this] {
		Instance = NewObject<UGameInstance>(GEngine);
		Instance->AddToRoot();
		Instance->InitializeStandalone();
		Instance->GetWorld()->SetGameMode(FURL());
		Instance->GetWorld()->InitializeActorsForPlay(FURL());
		Instance->GetWorld()->BeginPlay();
	});
	AfterEach([this] {
		UWorld* World = Instance->GetWorld();
		Instance->Shutdown();
		GEngine->DestroyWorldContext(World);
		World->DestroyWorld(false);
		Instance->RemoveFromRoot();
		CollectGarbage(RF_NoFlags);
	});

	Describe(TEXT("A component"), [this] {
		It(TEXT("plays, and ends with its actor"), [this] {
			USampleComponent* Component = AddComponent();
			const TWeakObjectPtr<USampleComponent> Weak(Component);
			Component->GetOwner()->Destroy();
			TestEqual(TEXT("calls"), FString::Join(Component->Calls, TEXT(", ")), TEXT("BeginPlay, EndPlay Destroyed"));
			TestFalse(TEXT("garbage"), Weak.IsValid());
		});
		It(TEXT("does not play in a world without a game mode"), [this] {
			UGameInstance* Second = NewObject<UGameInstance>(GEngine);
			Second->InitializeStandalone();
			Second->GetWorld()->InitializeActorsForPlay(FURL());
			Second->GetWorld()->BeginPlay();
			USampleComponent* Component = NewObject<USampleComponent>(Second->GetWorld()->SpawnActor<AActor>());
			Component->RegisterComponent();
			TestEqual(TEXT("calls"), Component->Calls.Num(), 0);
			Second->Shutdown();
		});
		It(TEXT("is not ended by its game instance"), [this] {
			USampleComponent* Component = AddComponent();
			Instance->Shutdown();
			TestEqual(TEXT("calls"), FString::Join(Component->Calls, TEXT(", ")), TEXT("BeginPlay"));
			Instance->InitializeStandalone();
		});
		It(TEXT("must call Super"), [this] {
			TestTrue(TEXT("EndPlay"), EndsProgram([this] {
				USampleComponent* Component = AddComponent();
				Component->Forgets = TEXT("EndPlay");
				Component->GetOwner()->Destroy();
			}));
			TestTrue(TEXT("BeginPlay"), EndsProgram([this] {
				USampleComponent* Component = NewObject<USampleComponent>(Instance->GetWorld()->SpawnActor<AActor>());
				Component->Forgets = TEXT("BeginPlay");
				Component->RegisterComponent();
			}));
		});
	});

	Describe(TEXT("A subsystem"), [this] {
		It(TEXT("is there once for each game instance"), [this] {
			UGameInstance* Second = NewObject<UGameInstance>(GEngine);
			Second->AddToRoot();
			Second->InitializeStandalone();
			TestEqual(TEXT("running"), USampleSubsystem::Running, 2);
			TestTrue(TEXT("others"), Second->GetSubsystem<USampleSubsystem>() != Instance->GetSubsystem<USampleSubsystem>());
			Second->Shutdown();
			Second->RemoveFromRoot();
			TestEqual(TEXT("running"), USampleSubsystem::Running, 1);
		});
		It(TEXT("must call Super"), [this] {
			TestTrue(TEXT("Deinitialize"), EndsProgram([this] {
				Instance->GetSubsystem<USampleSubsystem>()->bForgets = true;
				Instance->Shutdown();
			}));
		});
	});

	Describe(TEXT("An async action"), [this] {
		It(TEXT("lives until it is ready to be destroyed, and is cancelled when it is"), [this] {
			USampleAction::Cancelled = 0;
			USampleAction* Action = NewObject<USampleAction>();
			const TWeakObjectPtr<USampleAction> Weak(Action);
			Action->RegisterWithGameInstance(Instance->GetWorld());
			CollectGarbage(RF_NoFlags);
			TestTrue(TEXT("registered"), Weak.IsValid());
			Action->SetReadyToDestroy();
			TestEqual(TEXT("cancelled"), USampleAction::Cancelled, 0);
			CollectGarbage(RF_NoFlags);
			TestFalse(TEXT("ready"), Weak.IsValid());
			TestEqual(TEXT("cancelled"), USampleAction::Cancelled, 1);
		});
	});

	Describe(TEXT("A save"), [this] {
		LatentIt(TEXT("in a slot has all that is not transient, in a later frame"), [this](const FDoneDelegate& Done) {
			USampleSave* Save = NewObject<USampleSave>();
			Save->Numbers.Kept = 7;
			Save->Numbers.NotMarked = 8;
			Save->Numbers.Mood = ESampleMood::Cross;
			Save->Numbers.Added = 0.25;
			Save->Numbers.Texts = {TEXT("a\nb"), TEXT("\u4f60")};
			Save->Numbers.Counts.Add(TEXT("x"), 3);
			Save->NotMarked = TEXT("saved");
			Save->NotSaved = TEXT("transient");
			const TSharedRef<bool> bReturned = MakeShared<bool>(false);
			UGameplayStatics::AsyncSaveGameToSlot(Save, TEXT("sample"), 0, FAsyncSaveGameToSlotDelegate::CreateLambda([this, bReturned, Done](const FString& Slot, const int32, bool bSaved) {
				TestTrue(TEXT("later"), *bReturned && IsInGameThread());
				TestTrue(TEXT("saved"), bSaved);
				UGameplayStatics::AsyncLoadGameFromSlot(Slot, 0, FAsyncLoadGameFromSlotDelegate::CreateLambda([this, Done](const FString&, const int32, USaveGame* Loaded) {
					const USampleSave* Read = Cast<USampleSave>(Loaded);
					TestTrue(TEXT("loaded"), Read != nullptr);
					TestEqual(TEXT("Kept"), Read->Numbers.Kept, 7);
					TestEqual(TEXT("NotMarked"), Read->Numbers.NotMarked, 8);
					TestTrue(TEXT("Mood"), Read->Numbers.Mood == ESampleMood::Cross);
					TestTrue(TEXT("Added"), Read->Numbers.Added == 0.25);
					TestEqual(TEXT("Texts"), FString::Join(Read->Numbers.Texts, TEXT("|")), TEXT("a\nb|\u4f60"));
					TestEqual(TEXT("Counts"), Read->Numbers.Counts.FindRef(TEXT("x")), 3);
					TestEqual(TEXT("text"), Read->NotMarked, TEXT("saved"));
					TestEqual(TEXT("transient"), Read->NotSaved, TEXT(""));
					Done.Execute();
				}));
			}));
			Save->Numbers.Kept = 9; // what is saved is what was
			*bReturned = true;
		});
		LatentIt(TEXT("that is not there is null"), [this](const FDoneDelegate& Done) {
			UGameplayStatics::AsyncLoadGameFromSlot(TEXT("nowhere"), 0, FAsyncLoadGameFromSlotDelegate::CreateLambda([this, Done](const FString&, const int32, USaveGame* Loaded) {
				TestTrue(TEXT("null"), Loaded == nullptr);
				Done.Execute();
			}));
		});
		It(TEXT("of the game's own has what is marked, and defaults for what is new"), [this] {
			FSampleNumbers Old;
			Old.Kept = 7;
			Old.NotMarked = 8;
			FSampleMoreNumbers New;
			New.Texts = {TEXT("default")};
			ue_shim::LoadMarked(ue_shim::SaveMarked(Old), New);
			TestEqual(TEXT("Kept"), New.Kept, 7);
			TestEqual(TEXT("NotMarked"), New.NotMarked, 1);
			TestEqual(TEXT("Texts"), New.Texts.Num(), 1);
			FSampleNumbers Older;
			New.Added = 4.0;
			ue_shim::LoadMarked(ue_shim::SaveMarked(New), Older); // what it does not know is left out
			TestEqual(TEXT("Kept"), Older.Kept, 7);
		});
	});
}
