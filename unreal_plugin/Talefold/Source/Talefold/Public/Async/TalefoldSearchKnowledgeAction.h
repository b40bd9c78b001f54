#pragma once

#include "Async/TalefoldAsyncAction.h"
#include "CoreMinimal.h"
#include "TalefoldFoundRecord.h"

#include "TalefoldSearchKnowledgeAction.generated.h"

DECLARE_DYNAMIC_MULTICAST_DELEGATE_TwoParams(
	FTalefoldSearchOutput, const TArray<FTalefoldFoundRecord>&, Records, const FTalefoldError&, Error);

/** The Search Knowledge node: what a knowledge base has about a text, without a character. */
UCLASS()
class TALEFOLD_API UTalefoldSearchKnowledgeAction : public UTalefoldAsyncAction
{
	GENERATED_BODY()

public:
	/**
	 * Finds what a knowledge base has about a text, nearest first. One of the project settings is loaded
	 * first if it must be.
	 * @param KnowledgeName As in Project Settings, Plugins, Talefold, or as it was loaded.
	 * @param Text What to look for.
	 * @param TopK Most records that are found, 1 to 1000.
	 * @param Filter Metadata that records must have, as JSON; empty = any.
	 */
	UFUNCTION(BlueprintCallable, Category = "Talefold|Content", meta = (BlueprintInternalUseOnly = "true", WorldContext = "WorldContextObject", DisplayName = "Search Knowledge"))
	static UTalefoldSearchKnowledgeAction* SearchKnowledge(
		UObject* WorldContextObject,
		const FString& KnowledgeName,
		const FString& Text,
		int32 TopK = 2,
		const FString& Filter = TEXT(""));

	/** Records may be none: nothing was like the text. */
	UPROPERTY(BlueprintAssignable)
	FTalefoldSearchOutput OnFound;

	/** There is no such knowledge base, or the filter is not valid. */
	UPROPERTY(BlueprintAssignable)
	FTalefoldSearchOutput OnFailed;

	virtual void Activate() override;

protected:
	virtual void TellEnd(const FTalefoldError& Error) override;

private:
	UPROPERTY()
	TWeakObjectPtr<UObject> Context;

	FString KnowledgeName;
	FString Search; // JSON, as of engine_search_knowledge
	TArray<FTalefoldFoundRecord> Records;
};
