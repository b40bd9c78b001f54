// Generated from the core's descriptor tables by `python -m talefold._generate`; do not edit.
#pragma once

#include "TalefoldNodeType.h"

// In the order of their numbers.
inline const FTalefoldNodeType TalefoldNodeTypes[] = {
	FTalefoldNodeType::Of<FTalefoldGenerateParams>(TEXT("Generate")),
	FTalefoldNodeType::Of<FTalefoldGenerateAndSpeakParams>(TEXT("GenerateAndSpeak")),
	FTalefoldNodeType::Of<FTalefoldSpeakParams>(TEXT("Speak")),
	FTalefoldNodeType::Of<FTalefoldToolCallParams>(TEXT("ToolCall")),
	FTalefoldNodeType::Of<FTalefoldInstructionParams>(TEXT("Instruction")),
	FTalefoldNodeType::Of<FTalefoldRetrieveParams>(TEXT("Retrieve")),
	FTalefoldNodeType::Of<FTalefoldClassifyIntentParams>(TEXT("ClassifyIntent")),
	FTalefoldNodeType::Of<FTalefoldClassifyIntentLLMParams>(TEXT("ClassifyIntentLLM")),
	FTalefoldNodeType::Of<FTalefoldIntentToInstructionParams>(TEXT("IntentToInstruction")),
	FTalefoldNodeType::Of<FTalefoldCannedResponseParams>(TEXT("CannedResponse")),
	FTalefoldNodeType::Of<FTalefoldHumanMessageGuardrailParams>(TEXT("HumanMessageGuardrail")),
	FTalefoldNodeType::Of<FTalefoldSummarizeParams>(TEXT("Summarize")),
	FTalefoldNodeType::Of<FTalefoldArchiveParams>(TEXT("Archive")),
	FTalefoldNodeType::Of<FTalefoldLayeredHistoryParams>(TEXT("LayeredHistory")),
};
