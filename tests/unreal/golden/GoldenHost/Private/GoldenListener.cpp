#include "GoldenListener.h"

#include "TalefoldAgentComponent.h"

namespace
{
	TSharedRef<FJsonObject> Event(const TCHAR* Kind, const FString& Node)
	{
		const TSharedRef<FJsonObject> Made = MakeShared<FJsonObject>();
		Made->SetStringField(TEXT("kind"), Kind);
		Made->SetStringField(TEXT("node"), Node);
		return Made;
	}
} // namespace

void UGoldenListener::Listen(UTalefoldAgentComponent* Agent)
{
	Agent->OnReady.AddDynamic(this, &UGoldenListener::TakeReady);
	Agent->OnFailed.AddDynamic(this, &UGoldenListener::TakeFailed);
	Agent->OnTurnStarted.AddDynamic(this, &UGoldenListener::TakeStarted);
	Agent->OnAnswerText.AddDynamic(this, &UGoldenListener::TakeText);
	Agent->OnNodeEvent.AddDynamic(this, &UGoldenListener::TakeNodeEvent);
	Agent->OnTurnFinished.AddDynamic(this, &UGoldenListener::TakeFinished);
}

void UGoldenListener::TakeReady()
{
	bReady = true;
}

void UGoldenListener::TakeFailed(const FTalefoldError& Error)
{
	FailedCode = Error.Code;
}

void UGoldenListener::TakeStarted(int32 Request)
{
	Turn(Request).bStarted = true;
}

void UGoldenListener::TakeText(int32 Request, const FString& Node, const FString& Text, bool bIsDelta, bool bIsFinal)
{
	const TSharedRef<FJsonObject> Told = Event(TEXT("answer_text"), Node);
	Told->SetStringField(TEXT("text"), Text);
	Told->SetBoolField(TEXT("is_delta"), bIsDelta);
	Told->SetBoolField(TEXT("is_final"), bIsFinal);
	Turn(Request).Events.Add(MakeShared<FJsonValueObject>(Told));
}

void UGoldenListener::TakeNodeEvent(int32 Request, const FTalefoldNodeEvent& NodeEvent)
{
	const TSharedRef<FJsonObject> Pairs = MakeShared<FJsonObject>();
	for (const TPair<FString, FString>& Pair : NodeEvent.Pairs)
	{
		Pairs->SetStringField(Pair.Key, Pair.Value);
	}
	const TSharedRef<FJsonObject> Told = Event(TEXT("node_event"), NodeEvent.Node);
	Told->SetStringField(TEXT("event_type"), NodeEvent.Type);
	Told->SetObjectField(TEXT("pairs"), Pairs);
	Turn(Request).Events.Add(MakeShared<FJsonValueObject>(Told));
}

void UGoldenListener::TakeFinished(const FTalefoldTurnResult& Result)
{
	static const TCHAR* const Statuses[] = {TEXT("success"), TEXT("cancelled"), TEXT("error")};
	FTurn& Finished = Turn(Result.Request);
	Finished.bFinished = true;
	Finished.Result = Result;
	const TSharedRef<FJsonObject> Told = Event(TEXT("turn_complete"), FString());
	Told->SetStringField(TEXT("status"), Statuses[static_cast<int32>(Result.Status)]);
	Told->SetNumberField(TEXT("tokens_generated"), Result.TokensGenerated);
	Told->SetField(TEXT("code"), Result.Error.IsError()
									 ? TSharedPtr<FJsonValue>(MakeShared<FJsonValueNumber>(Result.Error.Code))
									 : TSharedPtr<FJsonValue>(MakeShared<FJsonValueNull>()));
	Finished.Events.Add(MakeShared<FJsonValueObject>(Told));
}
