#include "Async/TalefoldSearchKnowledgeAction.h"

#include "Bridge/TalefoldJson.h"
#include "TalefoldSubsystem.h"

UTalefoldSearchKnowledgeAction* UTalefoldSearchKnowledgeAction::SearchKnowledge(
	UObject* WorldContextObject, const FString& KnowledgeName, const FString& Text, int32 TopK, const FString& Filter)
{
	const TSharedRef<FJsonObject> Search = MakeShared<FJsonObject>();
	Search->SetStringField(TEXT("text"), Text);
	Search->SetNumberField(TEXT("top_k"), TopK);
	Search->SetStringField(TEXT("filter"), Filter);
	UTalefoldSearchKnowledgeAction* Action = NewObject<UTalefoldSearchKnowledgeAction>();
	Action->Context = WorldContextObject;
	Action->KnowledgeName = KnowledgeName;
	Action->Search = TalefoldJson::Write(Search);
	Action->BeginIn(WorldContextObject);
	return Action;
}

void UTalefoldSearchKnowledgeAction::Activate()
{
	UTalefoldSubsystem* Subsystem = UTalefoldSubsystem::Get(Context.Get());
	if (Subsystem == nullptr)
	{
		Finish(FTalefoldError::Make(ETalefoldErrorCode::EngineClosed, TEXT("There is no game to search for")));
		return;
	}
	const TWeakObjectPtr<UTalefoldSearchKnowledgeAction> Weak(this);
	Subsystem->SearchKnowledge(
		KnowledgeName, Search, [Weak](const TArray<FTalefoldFoundRecord>& Found, const FTalefoldError& Error) {
			if (UTalefoldSearchKnowledgeAction* Action = Weak.Get())
			{
				Action->Records = Found;
				Action->Finish(Error);
			}
		});
}

void UTalefoldSearchKnowledgeAction::TellEnd(const FTalefoldError& Error)
{
	(Error.IsError() ? OnFailed : OnFound).Broadcast(Records, Error);
}
