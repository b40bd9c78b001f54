#include "Bridge/TalefoldEvent.h"

#include "Bridge/TalefoldText.h"

FTalefoldEvent::FTalefoldEvent(const talefold_event& Event)
	: Kind(static_cast<talefold_event_kind>(Event.kind))
	, Status(static_cast<talefold_status>(Event.status))
	, Node(TalefoldText::ToString(Event.node))
	, Text(TalefoldText::ToString(Event.text))
	, Json(TalefoldText::ToString(Event.json))
	, bIsDelta(Event.is_delta != 0)
	, bIsFinal(Event.is_final != 0)
	, SampleRate(Event.sample_rate)
	, Samples(reinterpret_cast<const uint8*>(Event.samples), static_cast<int32>(Event.sample_count * sizeof(int16)))
	, TokensGenerated(static_cast<int32>(Event.tokens_generated))
	, Progress(Event.progress)
{
	if (Event.error_code != TALEFOLD_OK)
	{
		Error = FTalefoldError::Make(
			Event.error_code, TalefoldText::ToString(Event.error_message), TalefoldText::ToString(Event.error_hint));
	}
}
