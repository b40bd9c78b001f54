#pragma once

#include "Async/TalefoldSlotAction.h"
#include "CoreMinimal.h"
#include "TalefoldConversationState.h"

#include "TalefoldSaveConversationAction.generated.h"

DECLARE_DYNAMIC_MULTICAST_DELEGATE_OneParam(FTalefoldSaveOutput, const FTalefoldError&, Error);

/**
 * The Save Conversation node: writes a conversation into a save slot, which it has for itself. A turn
 * that runs is not waited for: the last complete one is the newest that is saved.
 */
UCLASS()
class TALEFOLD_API UTalefoldSaveConversationAction : public UTalefoldSlotAction
{
	GENERATED_BODY()

public:
	/**
	 * Saves a conversation.
	 * @param Agent The character's component.
	 * @param SlotName The slot, one for each conversation.
	 * @param UserIndex The platform's user.
	 * @param bWithKvCache Also what the model has computed: large, and the first turn after loading is fast.
	 */
	UFUNCTION(BlueprintCallable, Category = "Talefold", meta = (BlueprintInternalUseOnly = "true", DisplayName = "Save Conversation"))
	static UTalefoldSaveConversationAction* SaveConversation(
		UTalefoldAgentComponent* Agent, const FString& SlotName, int32 UserIndex = 0, bool bWithKvCache = false);

	UPROPERTY(BlueprintAssignable)
	FTalefoldSaveOutput OnSaved;

	/** The slot has what it had. With EngineClosed, it may have the conversation already. */
	UPROPERTY(BlueprintAssignable)
	FTalefoldSaveOutput OnFailed;

	virtual void Activate() override;

protected:
	virtual void TellEnd(const FTalefoldError& Error) override;

private:
	void Write(const FTalefoldConversationState& State);

	bool bWithKvCache = false;
};
