#pragma once

#include "CoreMinimal.h"
#include "Engine/CancellableAsyncAction.h"
#include "TalefoldError.h"

#include "TalefoldAsyncAction.generated.h"

class UTalefoldSubsystem;

/**
 * What the plugin's nodes that take time have in common: each tells of its end once. After Cancel it
 * is silent. If the game instance ends first, it fails with EngineClosed while that ends, and is
 * silent from then on.
 */
UCLASS(Abstract)
class TALEFOLD_API UTalefoldAsyncAction : public UCancellableAsyncAction
{
	GENERATED_BODY()

public:
	virtual void Cancel() override;
	virtual void SetReadyToDestroy() override;

protected:
	/** The node lives until its end, or until the game of Context ends; there may be none. */
	void BeginIn(const UObject* Context);

	bool HasEnded() const { return bHasEnded; }

	/** Ends the node and tells of it, if it has not ended yet. */
	void Finish(const FTalefoldError& Error);

	/** Chooses the pin for an end. */
	virtual void TellEnd(const FTalefoldError& Error);

private:
	void GameEnds();

	UPROPERTY()
	TWeakObjectPtr<UTalefoldSubsystem> Game;

	FDelegateHandle GameEndsHandle;
	bool bHasEnded = false;
};
