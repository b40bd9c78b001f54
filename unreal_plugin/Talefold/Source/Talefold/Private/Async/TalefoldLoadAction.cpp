#include "Async/TalefoldLoadAction.h"

#include "TalefoldSettings.h"
#include "TalefoldSubsystem.h"

UTalefoldLoadAction* UTalefoldLoadAction::Make(UObject* WorldContextObject, FLoad Load)
{
	UTalefoldLoadAction* Action = NewObject<UTalefoldLoadAction>();
	Action->Context = WorldContextObject;
	Action->Load = MoveTemp(Load);
	Action->BeginIn(WorldContextObject);
	return Action;
}

UTalefoldLoadAction* UTalefoldLoadAction::LoadModel(UObject* WorldContextObject, const FString& ModelName)
{
	const FString Name = ModelName.IsEmpty() ? GetDefault<UTalefoldSettings>()->DefaultModel() : ModelName;
	return Make(WorldContextObject, [Name](UTalefoldSubsystem& Subsystem, FProgress Progress, FFinished Finished) {
		Subsystem.LoadModel(Name, MoveTemp(Progress), MoveTemp(Finished));
	});
}

UTalefoldLoadAction* UTalefoldLoadAction::LoadEmbeddingModel(UObject* WorldContextObject, const FString& ModelName)
{
	return Make(WorldContextObject, [ModelName](UTalefoldSubsystem& Subsystem, FProgress Progress, FFinished Finished) {
		Subsystem.LoadEmbeddingModel(ModelName, MoveTemp(Progress), MoveTemp(Finished));
	});
}

UTalefoldLoadAction* UTalefoldLoadAction::LoadKnowledge(UObject* WorldContextObject, const FString& KnowledgeName)
{
	return Make(WorldContextObject, [KnowledgeName](UTalefoldSubsystem& Subsystem, FProgress, FFinished Finished) {
		Subsystem.LoadKnowledge(KnowledgeName, MoveTemp(Finished));
	});
}

UTalefoldLoadAction* UTalefoldLoadAction::LoadKnowledgeFromJson(
	UObject* WorldContextObject, const FString& KnowledgeName, const FString& ConfigJson, const FString& RecordsJson)
{
	return Make(WorldContextObject, [=](UTalefoldSubsystem& Subsystem, FProgress, FFinished Finished) {
		Subsystem.LoadKnowledgeFromJson(KnowledgeName, ConfigJson, RecordsJson, MoveTemp(Finished));
	});
}

void UTalefoldLoadAction::Activate()
{
	UTalefoldSubsystem* Subsystem = UTalefoldSubsystem::Get(Context.Get());
	if (Subsystem == nullptr)
	{
		Finish(FTalefoldError::Make(ETalefoldErrorCode::EngineClosed, TEXT("There is no game to load for")));
		return;
	}
	const TWeakObjectPtr<UTalefoldLoadAction> Weak(this);
	Load(
		*Subsystem,
		[Weak](float Progress) {
			if (const UTalefoldLoadAction* Action = Weak.Get(); Action != nullptr && !Action->HasEnded())
			{
				Action->OnProgress.Broadcast(Progress, FTalefoldError());
			}
		},
		[Weak](const FTalefoldError& Error) {
			if (UTalefoldLoadAction* Action = Weak.Get())
			{
				Action->Finish(Error);
			}
		});
}

void UTalefoldLoadAction::TellEnd(const FTalefoldError& Error)
{
	(Error.IsError() ? OnFailed : OnLoaded).Broadcast(Error.IsError() ? 0.0f : 1.0f, Error);
}
