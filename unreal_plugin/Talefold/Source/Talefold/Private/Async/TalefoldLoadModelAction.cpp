#include "Async/TalefoldLoadModelAction.h"

#include "TalefoldSettings.h"
#include "TalefoldSubsystem.h"

UTalefoldLoadModelAction* UTalefoldLoadModelAction::LoadModel(UObject* WorldContextObject, const FString& ModelName)
{
	UTalefoldLoadModelAction* Action = NewObject<UTalefoldLoadModelAction>();
	Action->Context = WorldContextObject;
	Action->Name = ModelName.IsEmpty() ? GetDefault<UTalefoldSettings>()->DefaultModelName : ModelName;
	Action->BeginIn(WorldContextObject);
	return Action;
}

void UTalefoldLoadModelAction::Activate()
{
	UTalefoldSubsystem* Subsystem = UTalefoldSubsystem::Get(Context.Get());
	if (Subsystem == nullptr)
	{
		Finish(FTalefoldError::Make(ETalefoldErrorCode::EngineClosed, TEXT("Load Model: there is no game")));
		return;
	}
	const TWeakObjectPtr<UTalefoldLoadModelAction> Weak(this);
	Subsystem->LoadModel(
		Name,
		[Weak](float Progress) {
			if (const UTalefoldLoadModelAction* Action = Weak.Get(); Action != nullptr && !Action->HasEnded())
			{
				Action->OnProgress.Broadcast(Progress, FTalefoldError());
			}
		},
		[Weak](const FTalefoldError& Error) {
			if (UTalefoldLoadModelAction* Action = Weak.Get())
			{
				Action->Finish(Error);
			}
		});
}

void UTalefoldLoadModelAction::TellEnd(const FTalefoldError& Error)
{
	(Error.IsError() ? OnFailed : OnLoaded).Broadcast(Error.IsError() ? 0.0f : 1.0f, Error);
}
