// Generated from the core's descriptor tables by `python -m talefold._generate`; do not edit.
#pragma once

#include "CoreMinimal.h"
#include "Generated/TalefoldNodeParams.h"
#include "StructUtils/InstancedStruct.h"
#include "TalefoldError.h"

#include "TalefoldGraphDescription.generated.h"

/** A node of a graph. */
USTRUCT(BlueprintType)
struct TALEFOLD_API FTalefoldGraphNode
{
	GENERATED_BODY()

	/** Exits name it, and events and errors tell of it by this. Keep it: saved conversations know it. */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Node")
	FString Name;

	/** Its type, and the params of that. */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Node", meta = (BaseStruct = "/Script/Talefold.TalefoldNodeParams", ExcludeBaseStruct))
	FInstancedStruct Params;
};

/**
 * What a character does in a turn: nodes, each of which names the next by its exits.
 *
 *     FTalefoldGraphDescription Graph;
 *     Graph.AddGenerate(TEXT("generate"), Gen);
 *     Graph.StartNode = TEXT("generate");
 */
USTRUCT(BlueprintType)
struct TALEFOLD_API FTalefoldGraphDescription
{
	GENERATED_BODY()

	/** Where each turn begins: the name of a node. */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Graph", meta = (GetOptions = "GetNodeNames"))
	FString StartNode;

	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Graph", meta = (TitleProperty = "Name"))
	TArray<FTalefoldGraphNode> Nodes;

	/** A graph file. Values that are the default are left out, as are nodes without a type. */
	FString ToJson() const;

	/** Reads a graph file. On failure Error says what is wrong and where, and Graph is as it was. */
	static bool FromJson(const FString& Json, FTalefoldGraphDescription& Graph, FTalefoldError& Error);

	FTalefoldGraphDescription& AddGenerate(const FString& Name, const FTalefoldGenerateParams& Params);
	FTalefoldGraphDescription& AddGenerateAndSpeak(const FString& Name, const FTalefoldGenerateAndSpeakParams& Params);
	FTalefoldGraphDescription& AddSpeak(const FString& Name, const FTalefoldSpeakParams& Params);
	FTalefoldGraphDescription& AddToolCall(const FString& Name, const FTalefoldToolCallParams& Params);
	FTalefoldGraphDescription& AddInstruction(const FString& Name, const FTalefoldInstructionParams& Params);
	FTalefoldGraphDescription& AddRetrieve(const FString& Name, const FTalefoldRetrieveParams& Params);
	FTalefoldGraphDescription& AddClassifyIntent(const FString& Name, const FTalefoldClassifyIntentParams& Params);
	FTalefoldGraphDescription& AddClassifyIntentLLM(const FString& Name, const FTalefoldClassifyIntentLLMParams& Params);
	FTalefoldGraphDescription& AddIntentToInstruction(const FString& Name, const FTalefoldIntentToInstructionParams& Params);
	FTalefoldGraphDescription& AddCannedResponse(const FString& Name, const FTalefoldCannedResponseParams& Params);
	FTalefoldGraphDescription& AddHumanMessageGuardrail(const FString& Name, const FTalefoldHumanMessageGuardrailParams& Params);
	FTalefoldGraphDescription& AddSummarize(const FString& Name, const FTalefoldSummarizeParams& Params);
	FTalefoldGraphDescription& AddArchive(const FString& Name, const FTalefoldArchiveParams& Params);
	FTalefoldGraphDescription& AddLayeredHistory(const FString& Name, const FTalefoldLayeredHistoryParams& Params);
};
