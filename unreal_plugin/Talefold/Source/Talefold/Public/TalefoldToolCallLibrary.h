#pragma once

#include "CoreMinimal.h"
#include "Kismet/BlueprintFunctionLibrary.h"
#include "TalefoldTranscript.h"

#include "TalefoldToolCallLibrary.generated.h"

/** The arguments of tool calls, typed, and results from texts. */
UCLASS()
class TALEFOLD_API UTalefoldToolCallLibrary : public UBlueprintFunctionLibrary
{
	GENERATED_BODY()

public:
	/** bFound is false when the call has no such argument, or one of another type. */
	UFUNCTION(BlueprintPure, Category = "Talefold|Tools")
	static FString GetTextArgument(const FTalefoldToolCall& Call, const FString& Name, bool& bFound);

	UFUNCTION(BlueprintPure, Category = "Talefold|Tools")
	static int64 GetIntegerArgument(const FTalefoldToolCall& Call, const FString& Name, bool& bFound);

	UFUNCTION(BlueprintPure, Category = "Talefold|Tools")
	static double GetNumberArgument(const FTalefoldToolCall& Call, const FString& Name, bool& bFound);

	UFUNCTION(BlueprintPure, Category = "Talefold|Tools")
	static bool GetBooleanArgument(const FTalefoldToolCall& Call, const FString& Name, bool& bFound);

	/** A JSON object of texts, for Complete Tool Call. */
	UFUNCTION(BlueprintPure, Category = "Talefold|Tools")
	static FString MakeToolResult(const TMap<FString, FString>& Values);
};
