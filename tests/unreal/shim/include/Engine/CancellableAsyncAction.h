// Cancelled at the latest when it is destroyed.
// https://dev.epicgames.com/documentation/en-us/unreal-engine/API/Runtime/Engine/UCancellableAsyncAction
#pragma once

#include "Kismet/BlueprintAsyncActionBase.h"

class UCancellableAsyncAction : public UBlueprintAsyncActionBase
{
	UE_SHIM_CLASS(UCancellableAsyncAction, UBlueprintAsyncActionBase)
	virtual void Cancel() { SetReadyToDestroy(); }
	void BeginDestroy() override;
};
