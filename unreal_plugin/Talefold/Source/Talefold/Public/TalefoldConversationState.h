#pragma once

#include "CoreMinimal.h"

#include "TalefoldConversationState.generated.h"

/**
 * All that is needed to go on with a conversation later. Make it a SaveGame property of your own
 * save object, or use the Save Conversation node.
 */
USTRUCT(BlueprintType)
struct TALEFOLD_API FTalefoldConversationState
{
	GENERATED_BODY()

	/** JSON: the dialog with all summaries, pins and the state of nodes. Empty = no conversation. */
	UPROPERTY(BlueprintReadWrite, SaveGame, Category = "Talefold|Save")
	FString Snapshot;

	/**
	 * What the model has computed, some hundred kilobytes to many megabytes. May be empty, and is
	 * thrown away where it does not fit: the first turn is then slower, and nothing is lost.
	 */
	UPROPERTY(BlueprintReadWrite, SaveGame, Category = "Talefold|Save")
	TArray<uint8> KvCache;

	bool IsEmpty() const { return Snapshot.IsEmpty(); }
};
