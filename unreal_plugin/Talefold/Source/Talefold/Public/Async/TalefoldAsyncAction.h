#pragma once

#include "CoreMinimal.h"
#include "Engine/CancellableAsyncAction.h"

#include "TalefoldAsyncAction.generated.h"

/** What the plugin's nodes that take time have in common: after Cancel they are silent. */
UCLASS(Abstract)
class TALEFOLD_API UTalefoldAsyncAction : public UCancellableAsyncAction
{
	GENERATED_BODY()

public:
	virtual void Cancel() override
	{
		bIsSilent = true;
		Super::Cancel();
	}

protected:
	/** Also of a node without a game, which must be able to say so. */
	bool MayBroadcast() const { return !bIsSilent; }

private:
	bool bIsSilent = false;
};
