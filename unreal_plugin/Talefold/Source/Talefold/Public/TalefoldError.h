#pragma once

#include "CoreMinimal.h"
#include "Generated/TalefoldErrorCode.h"

#include "TalefoldError.generated.h"

/** Why something failed, and what to do about it. A code of 0 means that nothing did. */
USTRUCT(BlueprintType)
struct TALEFOLD_API FTalefoldError
{
	GENERATED_BODY()

	/** A number that stays the same in every version: see ETalefoldErrorCode. 0 = no error. */
	UPROPERTY(BlueprintReadOnly, Category = "Talefold")
	int32 Code = 0;

	/** The name of the code, such as AgentBusy. */
	UPROPERTY(BlueprintReadOnly, Category = "Talefold")
	FString Name;

	/** What was wrong, where, and what is allowed. For developers, not for players. */
	UPROPERTY(BlueprintReadOnly, Category = "Talefold")
	FString Message;

	/** What to do; may be empty. */
	UPROPERTY(BlueprintReadOnly, Category = "Talefold")
	FString Hint;

	bool IsError() const { return Code != 0; }

	/** For the log: "3004 AgentBusy: ... (hint)"; empty when there is no error. */
	FString ToString() const;

	static FTalefoldError Make(ETalefoldErrorCode Code, const FString& Message, const FString& Hint = FString());
	/** Of a code of the library, which may be newer. */
	static FTalefoldError Make(int32 Code, const FString& Message, const FString& Hint = FString());
};
