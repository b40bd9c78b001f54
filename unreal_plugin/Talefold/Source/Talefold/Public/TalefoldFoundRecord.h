#pragma once

#include "CoreMinimal.h"

#include "TalefoldFoundRecord.generated.h"

/** A record of a knowledge base that is like what was looked for. */
USTRUCT(BlueprintType)
struct TALEFOLD_API FTalefoldFoundRecord
{
	GENERATED_BODY()

	/** Its id in the records file. */
	UPROPERTY(BlueprintReadOnly, Category = "Talefold|Content")
	FString Id;

	/** What it says. */
	UPROPERTY(BlueprintReadOnly, Category = "Talefold|Content")
	FString Text;

	/** How far it is from what was looked for: 0 = the same. */
	UPROPERTY(BlueprintReadOnly, Category = "Talefold|Content")
	double Distance = 0.0;

	/** Its metadata, a JSON object. */
	UPROPERTY(BlueprintReadOnly, Category = "Talefold|Content")
	FString MetadataJson;
};
