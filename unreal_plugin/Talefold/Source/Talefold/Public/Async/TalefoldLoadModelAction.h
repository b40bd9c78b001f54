#pragma once

#include "Async/TalefoldAsyncAction.h"
#include "CoreMinimal.h"

#include "TalefoldLoadModelAction.generated.h"

DECLARE_DYNAMIC_MULTICAST_DELEGATE_TwoParams(FTalefoldLoadModelOutput, float, Progress, const FTalefoldError&, Error);

/**
 * The Load Model node: loads a model of the project settings, once however many ask for it. Cancel
 * ends the node; the load goes on for others.
 */
UCLASS()
class TALEFOLD_API UTalefoldLoadModelAction : public UTalefoldAsyncAction
{
	GENERATED_BODY()

public:
	/**
	 * Loads a model in the background.
	 * @param ModelName As in Project Settings, Plugins, Talefold; empty = the default model.
	 */
	UFUNCTION(BlueprintCallable, Category = "Talefold", meta = (BlueprintInternalUseOnly = "true", WorldContext = "WorldContextObject", DisplayName = "Load Model"))
	static UTalefoldLoadModelAction* LoadModel(UObject* WorldContextObject, const FString& ModelName);

	/** From 0 to 1. */
	UPROPERTY(BlueprintAssignable)
	FTalefoldLoadModelOutput OnProgress;

	UPROPERTY(BlueprintAssignable)
	FTalefoldLoadModelOutput OnLoaded;

	UPROPERTY(BlueprintAssignable)
	FTalefoldLoadModelOutput OnFailed;

	virtual void Activate() override;

protected:
	virtual void TellEnd(const FTalefoldError& Error) override;

private:
	UPROPERTY()
	TWeakObjectPtr<UObject> Context;

	FString Name;
};
