#pragma once

#include "Async/TalefoldAsyncAction.h"
#include "CoreMinimal.h"
#include "TalefoldTurn.h"

#include "TalefoldSayAction.generated.h"

class UTalefoldAgentComponent;

DECLARE_DYNAMIC_MULTICAST_DELEGATE_TwoParams(FTalefoldSayOutput, const FString&, Text, const FTalefoldTurnResult&, Result);

/**
 * The Say node: says something to a character and tells of the reply. Exactly one of On Complete,
 * On Failed and On Cancelled comes. Cancel on the node itself ends it in silence, as every
 * cancellable node does; On Cancelled is for all other ways to end a turn.
 */
UCLASS()
class TALEFOLD_API UTalefoldSayAction : public UTalefoldAsyncAction
{
	GENERATED_BODY()

public:
	/**
	 * Says something to a character.
	 * @param Agent The character's component.
	 * @param Text What the player says.
	 * @param WhenBusy What happens while the character is still at an earlier turn.
	 * @param TimeoutSeconds The turn fails when it takes longer; 0 = it may take any time.
	 */
	UFUNCTION(BlueprintCallable, Category = "Talefold", meta = (BlueprintInternalUseOnly = "true", DisplayName = "Say"))
	static UTalefoldSayAction* Say(
		UTalefoldAgentComponent* Agent,
		const FString& Text,
		ETalefoldBusyPolicy WhenBusy = ETalefoldBusyPolicy::Queue,
		float TimeoutSeconds = 0.0f);

	/** A piece of the reply, if the node streams. */
	UPROPERTY(BlueprintAssignable)
	FTalefoldSayOutput OnDelta;

	/** The whole reply. */
	UPROPERTY(BlueprintAssignable)
	FTalefoldSayOutput OnComplete;

	/** Text has what was said until then. */
	UPROPERTY(BlueprintAssignable)
	FTalefoldSayOutput OnFailed;

	/** By Cancel Turn, by a request that interrupts, or because the conversation ended. */
	UPROPERTY(BlueprintAssignable)
	FTalefoldSayOutput OnCancelled;

	virtual void Activate() override;
	virtual void Cancel() override;

protected:
	virtual void TellEnd(const FTalefoldError& Error) override;

private:
	void TakeDelta(int32 ToldRequest, const FString& Delta);
	void TakeResult(const FTalefoldTurnResult& Told);
	void Unbind();

	UPROPERTY()
	TWeakObjectPtr<UTalefoldAgentComponent> Agent;

	FString Text;
	ETalefoldBusyPolicy WhenBusy = ETalefoldBusyPolicy::Queue;
	float TimeoutSeconds = 0.0f;
	int32 Request = 0;
	FTalefoldTurnResult Result;
	FDelegateHandle DeltaHandle;
	FDelegateHandle ResultHandle;
};
