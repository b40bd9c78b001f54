#include "Async/TalefoldSayAction.h"

#include "TalefoldAgentComponent.h"

UTalefoldSayAction* UTalefoldSayAction::Say(
	UTalefoldAgentComponent* Agent, const FString& Text, ETalefoldBusyPolicy WhenBusy, float TimeoutSeconds)
{
	UTalefoldSayAction* Action = NewObject<UTalefoldSayAction>();
	Action->Agent = Agent;
	Action->Text = Text;
	Action->WhenBusy = WhenBusy;
	Action->TimeoutSeconds = TimeoutSeconds;
	Action->BeginIn(Agent);
	return Action;
}

void UTalefoldSayAction::Activate()
{
	UTalefoldAgentComponent* Character = Agent.Get();
	if (Character == nullptr)
	{
		Finish(FTalefoldError::Make(
			ETalefoldErrorCode::InvalidArgument, TEXT("Say: there is no agent"), TEXT("Connect the pin Agent")));
		return;
	}
	// Bound first: a request may end within the call.
	DeltaHandle = Character->OnAnswerTextNative.AddUObject(this, &UTalefoldSayAction::TakeDelta);
	ResultHandle = Character->OnTurnFinishedNative.AddUObject(this, &UTalefoldSayAction::TakeResult);
	FTalefoldError Error;
	Request = Character->StartTurn(Text, WhenBusy, TimeoutSeconds, Error);
	if (Request == 0)
	{
		Unbind();
		Finish(Error);
	}
}

void UTalefoldSayAction::Cancel()
{
	const int32 Cancelled = Request;
	UTalefoldAgentComponent* Character = Agent.Get();
	Unbind();
	Super::Cancel(); // first, so that nothing of this node fires any more
	if (Character != nullptr && Cancelled != 0)
	{
		Character->CancelTurn(Cancelled);
	}
}

void UTalefoldSayAction::TakeDelta(int32 ToldRequest, const FString& Delta)
{
	if (ToldRequest == Request && !HasEnded())
	{
		FTalefoldTurnResult Running;
		Running.Request = Request;
		OnDelta.Broadcast(Delta, Running);
	}
}

void UTalefoldSayAction::TakeResult(const FTalefoldTurnResult& Told)
{
	if (Request != 0 && Told.Request == Request)
	{
		Result = Told;
		Request = 0; // nothing is left to cancel: the next conversation counts from 1 again
		Unbind();
		Finish(Told.Error);
	}
}

void UTalefoldSayAction::TellEnd(const FTalefoldError& Error)
{
	if (Result.Request == 0) // refused: there was no turn
	{
		Result.Status = ETalefoldStatus::Error;
		Result.Error = Error;
	}
	switch (Result.Status)
	{
	case ETalefoldStatus::Success:
		OnComplete.Broadcast(Result.Text, Result);
		break;
	case ETalefoldStatus::Cancelled:
		OnCancelled.Broadcast(Result.Text, Result);
		break;
	default:
		OnFailed.Broadcast(Result.Text, Result);
		break;
	}
}

void UTalefoldSayAction::Unbind()
{
	if (UTalefoldAgentComponent* Character = Agent.Get(/*bEvenIfPendingKill=*/true))
	{
		Character->OnAnswerTextNative.Remove(DeltaHandle);
		Character->OnTurnFinishedNative.Remove(ResultHandle);
	}
}
