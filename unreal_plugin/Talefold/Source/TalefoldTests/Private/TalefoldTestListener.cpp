#include "TalefoldTestListener.h"

#include "Async/TalefoldLoadConversationAction.h"
#include "Async/TalefoldLoadAction.h"
#include "Async/TalefoldSaveConversationAction.h"
#include "Async/TalefoldSayAction.h"
#include "Async/TalefoldSearchKnowledgeAction.h"
#include "TalefoldAgentComponent.h"

void UTalefoldTestListener::Listen(UTalefoldAgentComponent* Agent)
{
	Agent->OnReady.AddDynamic(this, &UTalefoldTestListener::TakeReady);
	Agent->OnFailed.AddDynamic(this, &UTalefoldTestListener::TakeFailed);
	Agent->OnTurnStarted.AddDynamic(this, &UTalefoldTestListener::TakeStarted);
	Agent->OnAnswerText.AddDynamic(this, &UTalefoldTestListener::TakeText);
	Agent->OnAudio.AddDynamic(this, &UTalefoldTestListener::TakeAudio);
	Agent->OnTurnFinished.AddDynamic(this, &UTalefoldTestListener::TakeFinished);
	Agent->OnToolCall.AddDynamic(this, &UTalefoldTestListener::TakeToolCall);
	Agent->OnSummaryUpdated.AddDynamic(this, &UTalefoldTestListener::TakeSummary);
	Agent->OnNodeEvent.AddDynamic(this, &UTalefoldTestListener::TakeNodeEvent);
}

void UTalefoldTestListener::Listen(UTalefoldSayAction* Action)
{
	Action->OnDelta.AddDynamic(this, &UTalefoldTestListener::TakeSayDelta);
	Action->OnComplete.AddDynamic(this, &UTalefoldTestListener::TakeSayComplete);
	Action->OnFailed.AddDynamic(this, &UTalefoldTestListener::TakeSayFailed);
	Action->OnCancelled.AddDynamic(this, &UTalefoldTestListener::TakeSayCancelled);
}

void UTalefoldTestListener::Listen(UTalefoldLoadAction* Action)
{
	Action->OnProgress.AddDynamic(this, &UTalefoldTestListener::TakeProgress);
	Action->OnLoaded.AddDynamic(this, &UTalefoldTestListener::TakeLoaded);
	Action->OnFailed.AddDynamic(this, &UTalefoldTestListener::TakeLoadFailed);
}

void UTalefoldTestListener::Listen(UTalefoldSaveConversationAction* Action)
{
	Action->OnSaved.AddDynamic(this, &UTalefoldTestListener::TakeSaved);
	Action->OnFailed.AddDynamic(this, &UTalefoldTestListener::TakeSaveFailed);
}

void UTalefoldTestListener::Listen(UTalefoldLoadConversationAction* Action)
{
	Action->OnLoaded.AddDynamic(this, &UTalefoldTestListener::TakeRestored);
	Action->OnFailed.AddDynamic(this, &UTalefoldTestListener::TakeRestoreFailed);
}

void UTalefoldTestListener::Listen(UTalefoldSearchKnowledgeAction* Action)
{
	Action->OnFound.AddDynamic(this, &UTalefoldTestListener::TakeFound);
	Action->OnFailed.AddDynamic(this, &UTalefoldTestListener::TakeSearchFailed);
}

int32 UTalefoldTestListener::Count(const FString& Line) const
{
	int32 Found = 0;
	for (const FString& Each : Lines)
	{
		Found += Each == Line ? 1 : 0;
	}
	return Found;
}

void UTalefoldTestListener::TakeReady()
{
	Lines.Add(TEXT("ready"));
}

void UTalefoldTestListener::TakeFailed(const FTalefoldError& Error)
{
	LastError = Error;
	Lines.Add(TEXT("failed ") + Error.Name);
}

void UTalefoldTestListener::TakeStarted(int32 Request)
{
	Lines.Add(FString::Printf(TEXT("started %d"), Request));
}

void UTalefoldTestListener::TakeText(int32 Request, const FString& /*Node*/, const FString& Text, bool bIsDelta, bool /*bIsFinal*/)
{
	Lines.Add(FString::Printf(TEXT("%s %d %s"), bIsDelta ? TEXT("delta") : TEXT("text"), Request, *Text));
	if (EndsAtDelta != nullptr)
	{
		EndsAtDelta->EndConversation();
	}
}

void UTalefoldTestListener::TakeAudio(int32 Request, const FTalefoldAudioChunk& Chunk)
{
	for (const uint8 Byte : Chunk.Samples)
	{
		Audio.Add(Byte);
	}
	Lines.Add(FString::Printf(TEXT("audio %d %d %s"), Request, Chunk.SampleRate, *Chunk.Sentence));
}

void UTalefoldTestListener::TakeFinished(const FTalefoldTurnResult& Result)
{
	LastResult = Result;
	const TCHAR* const Statuses[] = {TEXT("success"), TEXT("cancelled"), TEXT("error")};
	Lines.Add(FString::Printf(TEXT("finished %d %s"), Result.Request, Statuses[static_cast<int32>(Result.Status)]));
}

void UTalefoldTestListener::TakeToolCall(int32 Request, const FTalefoldToolCall& Call)
{
	LastCall = Call;
	Lines.Add(FString::Printf(TEXT("tool %d %s"), Request, *Call.ToolName));
}

void UTalefoldTestListener::TakeSummary(const FString& Summary, int32 CoveredThrough)
{
	Lines.Add(FString::Printf(TEXT("summary %d %s"), CoveredThrough, *Summary));
}

void UTalefoldTestListener::TakeNodeEvent(int32 Request, const FTalefoldNodeEvent& Event)
{
	Lines.Add(FString::Printf(TEXT("event %d %s"), Request, *Event.Type));
}

void UTalefoldTestListener::TakeSayDelta(const FString& Text, const FTalefoldTurnResult& /*Result*/)
{
	Lines.Add(TEXT("say delta ") + Text);
}

void UTalefoldTestListener::TakeSayComplete(const FString& Text, const FTalefoldTurnResult& /*Result*/)
{
	Lines.Add(TEXT("say complete ") + Text);
}

void UTalefoldTestListener::TakeSayFailed(const FString& /*Text*/, const FTalefoldTurnResult& Result)
{
	LastError = Result.Error;
	Lines.Add(TEXT("say failed ") + Result.Error.Name);
}

void UTalefoldTestListener::TakeSayCancelled(const FString& /*Text*/, const FTalefoldTurnResult& /*Result*/)
{
	Lines.Add(TEXT("say cancelled"));
}

void UTalefoldTestListener::TakeProgress(float /*Progress*/, const FTalefoldError& /*Error*/)
{
	Lines.Add(TEXT("progress"));
}

void UTalefoldTestListener::TakeLoaded(float /*Progress*/, const FTalefoldError& /*Error*/)
{
	Lines.Add(TEXT("loaded"));
}

void UTalefoldTestListener::TakeLoadFailed(float /*Progress*/, const FTalefoldError& Error)
{
	LastError = Error;
	Lines.Add(TEXT("load failed ") + Error.Name);
}

void UTalefoldTestListener::TakeSaved(const FTalefoldError& /*Error*/)
{
	Lines.Add(TEXT("saved"));
}

void UTalefoldTestListener::TakeSaveFailed(const FTalefoldError& Error)
{
	LastError = Error;
	Lines.Add(TEXT("save failed ") + Error.Name);
}

void UTalefoldTestListener::TakeRestored(const FTalefoldError& /*Error*/)
{
	Lines.Add(TEXT("restored"));
}

void UTalefoldTestListener::TakeRestoreFailed(const FTalefoldError& Error)
{
	LastError = Error;
	Lines.Add(TEXT("restore failed ") + Error.Name);
}

void UTalefoldTestListener::TakeFound(const TArray<FTalefoldFoundRecord>& Records, const FTalefoldError& /*Error*/)
{
	LastFound = Records;
	Lines.Add(FString::Printf(TEXT("found %d"), Records.Num()));
}

void UTalefoldTestListener::TakeSearchFailed(
	const TArray<FTalefoldFoundRecord>& /*Records*/, const FTalefoldError& Error)
{
	LastError = Error;
	Lines.Add(TEXT("search failed ") + Error.Name);
}
