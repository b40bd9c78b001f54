#pragma once

#include "CoreMinimal.h"
#include "TalefoldError.h"

#include "TalefoldTurn.generated.h"

/** How something that runs came to its end. */
UENUM(BlueprintType)
enum class ETalefoldStatus : uint8
{
	Success,
	/** By Cancel Turn, by a newer request that interrupts, or because the conversation ended. */
	Cancelled,
	Error
};

/** What happens to a request while the character is still at an earlier one. */
UENUM(BlueprintType)
enum class ETalefoldBusyPolicy : uint8
{
	/** It waits for its turn. */
	Queue,
	/** It fails at once with AgentBusy. */
	Reject,
	/** What runs and what waits is cancelled; this one comes next. */
	Interrupt
};

/** The end of a turn. */
USTRUCT(BlueprintType)
struct TALEFOLD_API FTalefoldTurnResult
{
	GENERATED_BODY()

	/** The number of the request, from 1 within its component. */
	UPROPERTY(BlueprintReadOnly, Category = "Talefold")
	int32 Request = 0;

	UPROPERTY(BlueprintReadOnly, Category = "Talefold")
	ETalefoldStatus Status = ETalefoldStatus::Success;

	/** The reply. Of a turn that was cancelled or failed, what had been said until then. */
	UPROPERTY(BlueprintReadOnly, Category = "Talefold")
	FString Text;

	/** Tokens that all nodes of the turn generated. */
	UPROPERTY(BlueprintReadOnly, Category = "Talefold")
	int32 TokensGenerated = 0;

	UPROPERTY(BlueprintReadOnly, Category = "Talefold")
	FTalefoldError Error;

	/** What each node did, as JSON; empty unless the graph asset has diagnostics. */
	UPROPERTY(BlueprintReadOnly, Category = "Talefold")
	FString DebugInfoJson;
};

/** Something a node tells the game, such as `summarized` or `intent`: see the nodes' reference. */
USTRUCT(BlueprintType)
struct TALEFOLD_API FTalefoldNodeEvent
{
	GENERATED_BODY()

	/** The node's name in the graph. */
	UPROPERTY(BlueprintReadOnly, Category = "Talefold")
	FString Node;

	UPROPERTY(BlueprintReadOnly, Category = "Talefold")
	FString Type;

	UPROPERTY(BlueprintReadOnly, Category = "Talefold")
	TMap<FString, FString> Pairs;
};

/** Speech, as it is made. */
USTRUCT(BlueprintType)
struct TALEFOLD_API FTalefoldAudioChunk
{
	GENERATED_BODY()

	UPROPERTY(BlueprintReadOnly, Category = "Talefold")
	FString Node;

	/** The sentence that begins with this chunk; empty within one. */
	UPROPERTY(BlueprintReadOnly, Category = "Talefold")
	FString Sentence;

	/** 16-bit samples of one channel, little-endian: what USoundWaveProcedural::QueueAudio takes. */
	UPROPERTY(BlueprintReadOnly, Category = "Talefold")
	TArray<uint8> Samples;

	/** Samples a second. */
	UPROPERTY(BlueprintReadOnly, Category = "Talefold")
	int32 SampleRate = 0;

	/** Nothing more of this node is spoken in this turn. */
	UPROPERTY(BlueprintReadOnly, Category = "Talefold")
	bool bIsFinal = false;
};
