// https://dev.epicgames.com/documentation/en-us/unreal-engine/API/Runtime/Engine/UBlueprintAsyncActionBase
#pragma once

#include "ue_shim/Class.h"

class UGameInstance;

class UBlueprintAsyncActionBase : public UObject
{
	UE_SHIM_CLASS(UBlueprintAsyncActionBase, UObject)
	virtual void Activate() {}
	/** Lives until SetReadyToDestroy, or until the game instance ends. */
	void RegisterWithGameInstance(const UObject* WorldContextObject);
	virtual void SetReadyToDestroy();

protected:
	TWeakObjectPtr<UGameInstance> RegisteredWithGameInstance;
};
