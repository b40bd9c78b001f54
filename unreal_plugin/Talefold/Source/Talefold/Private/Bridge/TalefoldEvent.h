#pragma once

#include "Bridge/TalefoldLibrary.h"
#include "CoreMinimal.h"

/** A copy of the library's event, whose texts are gone at the thread's next call. */
struct FTalefoldEvent
{
	talefold_event_kind Kind = TALEFOLD_EVENT_NONE;
	talefold_status Status = TALEFOLD_STATUS_SUCCESS;
	FString Node;
	FString Text;
	FString Json;
	bool bIsDelta = false;
	bool bIsFinal = false;
	int32 SampleRate = 0;
	TArray<uint8> Samples; // 16 bits each, as in memory
	FTalefoldError Error;
	int32 TokensGenerated = 0;
	double Progress = 0.0;

	explicit FTalefoldEvent(const talefold_event& Event);
};
