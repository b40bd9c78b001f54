#include "TalefoldTestGame.h"

#include "Engine/Engine.h"
#include "Engine/GameInstance.h"
#include "Engine/World.h"
#include "GameFramework/Actor.h"
#include "TalefoldAgentComponent.h"
#include "TalefoldGraphAsset.h"
#include "TalefoldSubsystem.h"

void FTalefoldTestGame::Begin(const FString& ModelOptions)
{
	Instance = NewObject<UGameInstance>(GEngine);
	Instance->AddToRoot();
	Instance->InitializeStandalone();
	UWorld* World = Instance->GetWorld();
	World->SetGameMode(FURL()); // which starts the play of actors
	World->InitializeActorsForPlay(FURL());
	World->BeginPlay();
	Subsystem = Instance->GetSubsystem<UTalefoldSubsystem>();
	FTalefoldError Error;
	Subsystem->LoadScriptedModelFromJson(TEXT("edric"), ModelOptions, Error);
	Listener = NewObject<UTalefoldTestListener>();
	Listener->AddToRoot();
	Agent = AddCharacter(MakeGraph(), Listener);
}

void FTalefoldTestGame::EndActors()
{
	for (const TWeakObjectPtr<AActor>& Each : Actors)
	{
		if (AActor* Actor = Each.Get())
		{
			Actor->Destroy();
		}
	}
	Actors.Empty();
}

void FTalefoldTestGame::End(bool bInstanceFirst)
{
	if (Instance == nullptr)
	{
		return;
	}
	if (!bInstanceFirst)
	{
		EndActors();
	}
	UWorld* World = Instance->GetWorld();
	Instance->Shutdown();
	EndActors();
	GEngine->DestroyWorldContext(World);
	World->DestroyWorld(false);
	Instance->RemoveFromRoot();
	if (Listener != nullptr)
	{
		Listener->RemoveFromRoot();
	}
	Instance = nullptr;
	Agent = nullptr;
	Listener = nullptr;
	CollectGarbage(RF_NoFlags);
}

UTalefoldGraphAsset* FTalefoldTestGame::MakeGraph()
{
	FTalefoldGenerateParams Reply;
	Reply.SystemPrompt = TEXT("You are Edric, an innkeeper.");
	Reply.ContextSize = 4096;
	Reply.bStream = true;
	UTalefoldGraphAsset* Asset = NewObject<UTalefoldGraphAsset>();
	Asset->Graph.AddGenerate(TEXT("reply"), Reply);
	Asset->Graph.StartNode = TEXT("reply");
	return Asset;
}

UTalefoldAgentComponent* FTalefoldTestGame::AddCharacter(UTalefoldGraphAsset* Graph, UTalefoldTestListener* Hears)
{
	AActor* Actor = Instance->GetWorld()->SpawnActor<AActor>();
	Actors.Add(Actor);
	UTalefoldAgentComponent* Added = NewObject<UTalefoldAgentComponent>(Actor);
	Added->GraphAsset = Graph;
	Added->ModelName = TEXT("edric");
	Hears->Listen(Added);
	Added->RegisterComponent();
	return Added;
}

void FTalefoldTestGame::When(const FDoneDelegate& Done, TFunction<bool()> Condition, TFunction<void()> Then)
{
	FTSTicker::GetCoreTicker().AddTicker(FTickerDelegate::CreateLambda([Done, Condition, Then](float /*DeltaTime*/) {
		if (!Condition())
		{
			return true;
		}
		Then();
		Done.Execute();
		return false;
	}));
}

void FTalefoldTestGame::After(int32 Frames, const FDoneDelegate& Done, TFunction<void()> Then)
{
	const TSharedRef<int32> Left = MakeShared<int32>(Frames);
	When(Done, [Left] { return --*Left < 0; }, Then);
}
