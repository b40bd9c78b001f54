#pragma once

#include "CoreMinimal.h"

#include "TalefoldTranscript.generated.h"

/** A wish of the character that the game carries out, or not. */
USTRUCT(BlueprintType)
struct TALEFOLD_API FTalefoldToolCall
{
	GENERATED_BODY()

	/** For Complete Tool Call and Reject Tool Call. */
	UPROPERTY(BlueprintReadOnly, Category = "Talefold|Tools")
	FString Id;

	/** The node's name in the graph. */
	UPROPERTY(BlueprintReadOnly, Category = "Talefold|Tools")
	FString Node;

	UPROPERTY(BlueprintReadOnly, Category = "Talefold|Tools")
	FString ToolName;

	/** A JSON object, valid by the tool's description; a model wrote it. See the Get Argument nodes. */
	UPROPERTY(BlueprintReadOnly, Category = "Talefold|Tools")
	FString ArgumentsJson;

	/** JSON; empty until the game gave one. */
	UPROPERTY(BlueprintReadOnly, Category = "Talefold|Tools")
	FString ResultJson;
};

/** What the player said and what the character answered. */
USTRUCT(BlueprintType)
struct TALEFOLD_API FTalefoldInteraction
{
	GENERATED_BODY()

	/** Its place in the conversation, from 0. */
	UPROPERTY(BlueprintReadOnly, Category = "Talefold|Transcript")
	int32 Index = 0;

	/** Empty when the character spoke first. */
	UPROPERTY(BlueprintReadOnly, Category = "Talefold|Transcript")
	FString User;

	UPROPERTY(BlueprintReadOnly, Category = "Talefold|Transcript")
	FString Assistant;

	/** The summary that was made in this turn; mostly empty. */
	UPROPERTY(BlueprintReadOnly, Category = "Talefold|Transcript")
	FString Summary;

	UPROPERTY(BlueprintReadOnly, Category = "Talefold|Transcript")
	TArray<FTalefoldToolCall> ToolCalls;

	/** What the player was found to want; mostly empty. */
	UPROPERTY(BlueprintReadOnly, Category = "Talefold|Transcript")
	FString Intent;
};

/** A conversation in a few words: what stands in prompts for the turns that were folded. */
USTRUCT(BlueprintType)
struct TALEFOLD_API FTalefoldSummary
{
	GENERATED_BODY()

	/** Empty when nothing was folded yet. */
	UPROPERTY(BlueprintReadOnly, Category = "Talefold|Transcript")
	FString Text;

	/** Index of the last interaction it stands for; -1 when there is none. */
	UPROPERTY(BlueprintReadOnly, Category = "Talefold|Transcript")
	int32 CoveredThrough = -1;

	/** The dialog was edited under it: Refold makes it anew. */
	UPROPERTY(BlueprintReadOnly, Category = "Talefold|Transcript")
	bool bIsStale = false;
};

/** Something the character never forgets. */
USTRUCT(BlueprintType)
struct TALEFOLD_API FTalefoldPin
{
	GENERATED_BODY()

	UPROPERTY(BlueprintReadOnly, Category = "Talefold|Memory")
	FString Key;

	UPROPERTY(BlueprintReadOnly, Category = "Talefold|Memory")
	FString Text;
};
