#pragma once

#include "CoreMinimal.h"
#include "Engine/DataAsset.h"
#include "Generated/TalefoldGraphDescription.h"
#include "TalefoldError.h"

#include "TalefoldGraphAsset.generated.h"

class FDataValidationContext;
class UStringTable;

/** How a character behaves: a graph of nodes. Frozen for a conversation when that begins. */
UCLASS(BlueprintType)
class TALEFOLD_API UTalefoldGraphAsset : public UPrimaryDataAsset
{
	GENERATED_BODY()

public:
	UPROPERTY(EditAnywhere, BlueprintReadOnly, Category = "Graph")
	FTalefoldGraphDescription Graph;

	/** The model of nodes that name none; empty = that of the project settings. */
	UPROPERTY(EditAnywhere, BlueprintReadOnly, Category = "Graph", meta = (GetOptions = "Talefold.TalefoldSettings.GetModelNames"))
	FString DefaultModelName;

	/** Turn results tell what each node did. */
	UPROPERTY(EditAnywhere, BlueprintReadOnly, Category = "Graph", AdvancedDisplay)
	bool bEnableDiagnostics = false;

	/** Texts of the graph in the player's language, by keys such as `reply.system_prompt`; may be none. */
	UPROPERTY(EditAnywhere, BlueprintReadOnly, Category = "Localization")
	TObjectPtr<UStringTable> StringTable;

	/** The graph file, as of the Python package: a JSON text without the string table. */
	UFUNCTION(BlueprintCallable, Category = "Talefold|Graph")
	FString ToJson() const { return Graph.ToJson(); }

	/** Replaces the graph by that of a graph file. False and why if it is none; nothing changes then. */
	UFUNCTION(BlueprintCallable, Category = "Talefold|Graph")
	bool FromJson(const FString& Json, FTalefoldError& Error);

	/** What the dropdown of the start node offers: the names of all nodes. */
	UFUNCTION()
	TArray<FString> GetNodeNames() const;

	/** The graph file with the texts of the string table, in the language that is on. */
	bool LocalizedJson(FString& Json, FTalefoldError& Error) const;

	/** All models that its nodes name. */
	TArray<FString> ModelNames() const;

	/** All knowledge that its nodes name; some may be paths of config files. */
	TArray<FString> KnowledgeNames() const;

	/** What is wrong with it, as the engine says: errors first. Needs the native library. */
	struct FProblem
	{
		bool bIsWarning = false;
		FString Node;
		FString Field;
		FTalefoldError Error;
	};
	bool FindProblems(TArray<FProblem>& Problems, FTalefoldError& Error) const;

#if WITH_EDITOR
	virtual EDataValidationResult IsDataValid(FDataValidationContext& Context) const override;

	/** Writes the graph's localizable texts, as they are now, into the string table. */
	UFUNCTION(CallInEditor, Category = "Localization")
	void UpdateStringTable();
#endif
};
