#include "TalefoldAgentListener.h"

#include "Bridge/TalefoldJson.h"
#include "TalefoldAgentComponent.h"
#include "TalefoldLog.h"

namespace
{
	FTalefoldNodeEvent ToNodeEvent(const FTalefoldEvent& Event)
	{
		FTalefoldNodeEvent NodeEvent;
		NodeEvent.Node = Event.Node;
		NodeEvent.Type = Event.Text;
		NodeEvent.Pairs = TalefoldJson::ReadPairs(Event.Json);
		return NodeEvent;
	}

	FTalefoldAudioChunk ToAudioChunk(const FTalefoldEvent& Event)
	{
		FTalefoldAudioChunk Chunk;
		Chunk.Node = Event.Node;
		Chunk.Sentence = Event.Text;
		Chunk.Samples = Event.Samples;
		Chunk.SampleRate = Event.SampleRate;
		Chunk.bIsFinal = Event.bIsFinal;
		return Chunk;
	}
} // namespace

void FTalefoldAgentListener::OnOpened(const FTalefoldError& Error)
{
	if (Error.IsError())
	{
		UE_LOG(LogTalefold, Warning, TEXT("%s"), *Error.ToString());
		Component.OnFailed.Broadcast(Error);
		return;
	}
	Component.OnReady.Broadcast();
}

void FTalefoldAgentListener::OnTurnStarted(int32 Request)
{
	Component.OnTurnStarted.Broadcast(Request);
}

void FTalefoldAgentListener::OnTurnEvent(int32 Request, const FTalefoldEvent& Event)
{
	switch (Event.Kind)
	{
	case TALEFOLD_EVENT_ANSWER_TEXT:
		if (Event.bIsDelta)
		{
			Component.OnAnswerTextNative.Broadcast(Request, Event.Text);
		}
		Component.OnAnswerText.Broadcast(Request, Event.Node, Event.Text, Event.bIsDelta, Event.bIsFinal);
		break;
	case TALEFOLD_EVENT_AUDIO_CHUNK:
		Component.OnAudio.Broadcast(Request, ToAudioChunk(Event));
		break;
	case TALEFOLD_EVENT_NODE_EVENT:
		Component.TakeNodeEvent(Request, ToNodeEvent(Event));
		break;
	case TALEFOLD_EVENT_DECISION_REQUIRED:
		Component.OnDecisionRequired.Broadcast(Request, Event.Node, TalefoldJson::ReadTexts(Event.Json));
		break;
	default:
		break; // kinds of a newer library
	}
}

void FTalefoldAgentListener::OnTurnFinished(const FTalefoldTurnResult& Result)
{
	if (Result.Error.IsError())
	{
		UE_LOG(LogTalefold, Warning, TEXT("Turn %d: %s"), Result.Request, *Result.Error.ToString());
	}
	Component.OnTurnFinishedNative.Broadcast(Result);
	Component.OnTurnFinished.Broadcast(Result);
}

void FTalefoldAgentListener::OnBackgroundEvent(const FTalefoldEvent& Event)
{
	if (Event.Kind == TALEFOLD_EVENT_NODE_EVENT)
	{
		Component.TakeNodeEvent(0, ToNodeEvent(Event));
	}
}
