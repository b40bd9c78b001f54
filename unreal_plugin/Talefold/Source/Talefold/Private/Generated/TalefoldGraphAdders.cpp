// Generated from the core's descriptor tables by `python -m talefold._generate`; do not edit.
#include "Generated/TalefoldGraphDescription.h"

FTalefoldGraphDescription& FTalefoldGraphDescription::AddGenerate(const FString& Name, const FTalefoldGenerateParams& Params)
{
	Nodes.Add({Name, FInstancedStruct::Make(Params)});
	return *this;
}

FTalefoldGraphDescription& FTalefoldGraphDescription::AddGenerateAndSpeak(const FString& Name, const FTalefoldGenerateAndSpeakParams& Params)
{
	Nodes.Add({Name, FInstancedStruct::Make(Params)});
	return *this;
}

FTalefoldGraphDescription& FTalefoldGraphDescription::AddSpeak(const FString& Name, const FTalefoldSpeakParams& Params)
{
	Nodes.Add({Name, FInstancedStruct::Make(Params)});
	return *this;
}

FTalefoldGraphDescription& FTalefoldGraphDescription::AddToolCall(const FString& Name, const FTalefoldToolCallParams& Params)
{
	Nodes.Add({Name, FInstancedStruct::Make(Params)});
	return *this;
}

FTalefoldGraphDescription& FTalefoldGraphDescription::AddInstruction(const FString& Name, const FTalefoldInstructionParams& Params)
{
	Nodes.Add({Name, FInstancedStruct::Make(Params)});
	return *this;
}

FTalefoldGraphDescription& FTalefoldGraphDescription::AddRetrieve(const FString& Name, const FTalefoldRetrieveParams& Params)
{
	Nodes.Add({Name, FInstancedStruct::Make(Params)});
	return *this;
}

FTalefoldGraphDescription& FTalefoldGraphDescription::AddClassifyIntent(const FString& Name, const FTalefoldClassifyIntentParams& Params)
{
	Nodes.Add({Name, FInstancedStruct::Make(Params)});
	return *this;
}

FTalefoldGraphDescription& FTalefoldGraphDescription::AddClassifyIntentLLM(const FString& Name, const FTalefoldClassifyIntentLLMParams& Params)
{
	Nodes.Add({Name, FInstancedStruct::Make(Params)});
	return *this;
}

FTalefoldGraphDescription& FTalefoldGraphDescription::AddIntentToInstruction(const FString& Name, const FTalefoldIntentToInstructionParams& Params)
{
	Nodes.Add({Name, FInstancedStruct::Make(Params)});
	return *this;
}

FTalefoldGraphDescription& FTalefoldGraphDescription::AddCannedResponse(const FString& Name, const FTalefoldCannedResponseParams& Params)
{
	Nodes.Add({Name, FInstancedStruct::Make(Params)});
	return *this;
}

FTalefoldGraphDescription& FTalefoldGraphDescription::AddHumanMessageGuardrail(const FString& Name, const FTalefoldHumanMessageGuardrailParams& Params)
{
	Nodes.Add({Name, FInstancedStruct::Make(Params)});
	return *this;
}

FTalefoldGraphDescription& FTalefoldGraphDescription::AddSummarize(const FString& Name, const FTalefoldSummarizeParams& Params)
{
	Nodes.Add({Name, FInstancedStruct::Make(Params)});
	return *this;
}

FTalefoldGraphDescription& FTalefoldGraphDescription::AddArchive(const FString& Name, const FTalefoldArchiveParams& Params)
{
	Nodes.Add({Name, FInstancedStruct::Make(Params)});
	return *this;
}

FTalefoldGraphDescription& FTalefoldGraphDescription::AddLayeredHistory(const FString& Name, const FTalefoldLayeredHistoryParams& Params)
{
	Nodes.Add({Name, FInstancedStruct::Make(Params)});
	return *this;
}
