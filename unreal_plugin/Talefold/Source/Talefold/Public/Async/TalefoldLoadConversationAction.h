#pragma once

#include "Async/TalefoldSlotAction.h"
#include "CoreMinimal.h"
#include "TalefoldConversationState.h"

#include "TalefoldLoadConversationAction.generated.h"

DECLARE_DYNAMIC_MULTICAST_DELEGATE_OneParam(FTalefoldLoadOutput, const FTalefoldError&, Error);

/**
 * The Load Conversation node: goes on with a conversation from a slot of Save Conversation, or from a
 * state that the game kept. What the character had in mind is replaced; if that fails, it is kept.
 * A conversation that has not begun yet does so first, and what was said to it waits.
 */
UCLASS()
class TALEFOLD_API UTalefoldLoadConversationAction : public UTalefoldSlotAction
{
	GENERATED_BODY()

public:
	/**
	 * Loads a conversation from a slot.
	 * @param Agent The character's component, in whose conversation no turn may run.
	 * @param SlotName The slot.
	 * @param UserIndex The platform's user.
	 */
	UFUNCTION(BlueprintCallable, Category = "Talefold", meta = (BlueprintInternalUseOnly = "true", DisplayName = "Load Conversation"))
	static UTalefoldLoadConversationAction* LoadConversation(
		UTalefoldAgentComponent* Agent, const FString& SlotName, int32 UserIndex = 0);

	/**
	 * Goes on from a state.
	 * @param Agent The character's component, in whose conversation no turn may run.
	 * @param State Of Get State, or of a save object.
	 */
	UFUNCTION(BlueprintCallable, Category = "Talefold", meta = (BlueprintInternalUseOnly = "true", DisplayName = "Restore Conversation"))
	static UTalefoldLoadConversationAction* RestoreConversation(
		UTalefoldAgentComponent* Agent, const FTalefoldConversationState& State);

	UPROPERTY(BlueprintAssignable)
	FTalefoldLoadOutput OnLoaded;

	UPROPERTY(BlueprintAssignable)
	FTalefoldLoadOutput OnFailed;

	virtual void Activate() override;

protected:
	virtual void TellEnd(const FTalefoldError& Error) override;

private:
	void Restore();

	FTalefoldConversationState State;
};
