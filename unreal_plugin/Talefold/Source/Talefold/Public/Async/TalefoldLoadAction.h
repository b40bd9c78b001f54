#pragma once

#include "Async/TalefoldAsyncAction.h"
#include "CoreMinimal.h"

#include "TalefoldLoadAction.generated.h"

DECLARE_DYNAMIC_MULTICAST_DELEGATE_TwoParams(FTalefoldLoadActionOutput, float, Progress, const FTalefoldError&, Error);

/**
 * The nodes that load models and knowledge, in the background, each once however many ask for it.
 * Cancel ends the node; the load goes on for others.
 */
UCLASS()
class TALEFOLD_API UTalefoldLoadAction : public UTalefoldAsyncAction
{
	GENERATED_BODY()

public:
	/**
	 * Loads a model.
	 * @param ModelName As in Project Settings, Plugins, Talefold; empty = the default model.
	 */
	UFUNCTION(BlueprintCallable, Category = "Talefold|Models", meta = (BlueprintInternalUseOnly = "true", WorldContext = "WorldContextObject", DisplayName = "Load Model"))
	static UTalefoldLoadAction* LoadModel(UObject* WorldContextObject, const FString& ModelName);

	/**
	 * Loads a model by which knowledge is compared.
	 * @param ModelName As in Project Settings, Plugins, Talefold.
	 */
	UFUNCTION(BlueprintCallable, Category = "Talefold|Content", meta = (BlueprintInternalUseOnly = "true", WorldContext = "WorldContextObject", DisplayName = "Load Embedding Model"))
	static UTalefoldLoadAction* LoadEmbeddingModel(UObject* WorldContextObject, const FString& ModelName);

	/**
	 * Loads a knowledge base, and before it the embedding models of the project settings.
	 * @param KnowledgeName As in Project Settings, Plugins, Talefold.
	 */
	UFUNCTION(BlueprintCallable, Category = "Talefold|Content", meta = (BlueprintInternalUseOnly = "true", WorldContext = "WorldContextObject", DisplayName = "Load Knowledge"))
	static UTalefoldLoadAction* LoadKnowledge(UObject* WorldContextObject, const FString& KnowledgeName);

	/**
	 * Makes a knowledge base of texts, for what the game knows of itself.
	 * @param KnowledgeName What graphs call it.
	 * @param ConfigJson As in a config file, without its records file.
	 * @param RecordsJson As in a records file.
	 */
	UFUNCTION(BlueprintCallable, Category = "Talefold|Content", meta = (BlueprintInternalUseOnly = "true", WorldContext = "WorldContextObject", DisplayName = "Load Knowledge From Json"))
	static UTalefoldLoadAction* LoadKnowledgeFromJson(
		UObject* WorldContextObject, const FString& KnowledgeName, const FString& ConfigJson, const FString& RecordsJson);

	/** From 0 to 1. */
	UPROPERTY(BlueprintAssignable)
	FTalefoldLoadActionOutput OnProgress;

	UPROPERTY(BlueprintAssignable)
	FTalefoldLoadActionOutput OnLoaded;

	UPROPERTY(BlueprintAssignable)
	FTalefoldLoadActionOutput OnFailed;

	virtual void Activate() override;

protected:
	virtual void TellEnd(const FTalefoldError& Error) override;

private:
	using FProgress = TFunction<void(float Progress)>;
	using FFinished = TFunction<void(const FTalefoldError& Error)>;
	using FLoad = TFunction<void(UTalefoldSubsystem&, FProgress, FFinished)>;

	static UTalefoldLoadAction* Make(UObject* WorldContextObject, FLoad Load);

	UPROPERTY()
	TWeakObjectPtr<UObject> Context;

	FLoad Load;
};
