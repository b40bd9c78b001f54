#pragma once

#include "Async/TalefoldAsyncAction.h"
#include "CoreMinimal.h"

#include "TalefoldSlotAction.generated.h"

class FTalefoldConversation;
class UTalefoldAgentComponent;

/** What saving and loading have in common: a character, and a save slot. */
UCLASS(Abstract)
class TALEFOLD_API UTalefoldSlotAction : public UTalefoldAsyncAction
{
	GENERATED_BODY()

protected:
	void BeginWith(UTalefoldAgentComponent* InAgent, const FString& InSlotName, int32 InUserIndex);

	/** Null while the character has no conversation; the node has then ended. */
	TSharedPtr<FTalefoldConversation> FindConversation();

	void FailSlot(const FString& Problem, const FString& Hint);

	FString SlotName; // empty: no slot is used
	int32 UserIndex = 0;

private:
	UPROPERTY()
	TWeakObjectPtr<UTalefoldAgentComponent> Agent;
};
