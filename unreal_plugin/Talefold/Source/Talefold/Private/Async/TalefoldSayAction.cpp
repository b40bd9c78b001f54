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
	if (Agent != nullptr)
	{
		Action->RegisterWithGameInstance(Agent);
	}
	return Action;
}

void UTalefoldSayAction::Activate()
{
	UTalefoldAgentComponent* Character = Agent.Get();
	FTalefoldTurnResult Refused;
	Refused.Status = ETalefoldStatus::Error;
	if (Character == nullptr)
	{
		Refused.Error = FTalefoldError::Make(
			ETalefoldErrorCode::InvalidArgument, TEXT("Say: there is no agent"), TEXT("Connect the pin Agent"));
		End(Refused);
		return;
	}
	// Bound first: a request may end within the call.
	DeltaHandle = Character->OnAnswerTextNative.AddUObject(this, &UTalefoldSayAction::TakeDelta);
	ResultHandle = Character->OnTurnFinishedNative.AddUObject(this, &UTalefoldSayAction::TakeResult);
	Request = Character->StartTurn(Text, WhenBusy, TimeoutSeconds, Refused.Error);
	if (Request == 0)
	{
		End(Refused);
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
	if (ToldRequest == Request && MayBroadcast())
	{
		FTalefoldTurnResult Running;
		Running.Request = Request;
		OnDelta.Broadcast(Delta, Running);
	}
}

void UTalefoldSayAction::TakeResult(const FTalefoldTurnResult& Result)
{
	if (Request != 0 && Result.Request == Request)
	{
		End(Result);
	}
}

void UTalefoldSayAction::End(const FTalefoldTurnResult& Result)
{
	Unbind();
	Request = 0; // nothing is left to cancel: the next conversation counts from 1 again
	if (MayBroadcast())
	{
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
	SetReadyToDestroy();
}

void UTalefoldSayAction::Unbind()
{
	if (UTalefoldAgentComponent* Character = Agent.Get(/*bEvenIfPendingKill=*/true))
	{
		Character->OnAnswerTextNative.Remove(DeltaHandle);
		Character->OnTurnFinishedNative.Remove(ResultHandle);
	}
}
