// Generated from the core's descriptor tables by `python -m talefold._generate`; do not edit.
#pragma once

#include "Generated/TalefoldNodeParams.h"

// Calls Visitor for each field of a struct, with the field's name in JSON and its default: Field for
// one that always has a value, Optional for one that may be unset.

// The names of enumerators in JSON, in the order of their values.
template <typename EnumType>
struct TTalefoldEnumNames;

template <>
struct TTalefoldEnumNames<ETalefoldPlacement>
{
	static constexpr const TCHAR* Values[] = {TEXT("in_place_of_user"), TEXT("before_user_as_user"), TEXT("before_user_as_system"), TEXT("after_user_as_user"), TEXT("after_user_as_system")};
};

template <>
struct TTalefoldEnumNames<ETalefoldPromptCaching>
{
	static constexpr const TCHAR* Values[] = {TEXT("auto"), TEXT("on"), TEXT("off")};
};

template <>
struct TTalefoldEnumNames<ETalefoldToolCallFormat>
{
	static constexpr const TCHAR* Values[] = {TEXT("auto"), TEXT("chatml"), TEXT("llama3"), TEXT("mistral"), TEXT("generic")};
};

template <>
struct TTalefoldEnumNames<ETalefoldToolChoice>
{
	static constexpr const TCHAR* Values[] = {TEXT("auto"), TEXT("required")};
};

template <>
struct TTalefoldEnumNames<ETalefoldSelectionStrategy>
{
	static constexpr const TCHAR* Values[] = {TEXT("random"), TEXT("sequential"), TEXT("shuffle")};
};

template <>
struct TTalefoldEnumNames<ETalefoldOversizedTurn>
{
	static constexpr const TCHAR* Values[] = {TEXT("keep"), TEXT("abridge")};
};

template <>
struct TTalefoldEnumNames<ETalefoldSummaryMethod>
{
	static constexpr const TCHAR* Values[] = {TEXT("short"), TEXT("balanced"), TEXT("long"), TEXT("facts")};
};

template <>
struct TTalefoldEnumNames<ETalefoldKvType>
{
	static constexpr const TCHAR* Values[] = {TEXT("f16"), TEXT("q8_0"), TEXT("q4_0")};
};

template <>
struct TTalefoldEnumNames<ETalefoldToolParameterType>
{
	static constexpr const TCHAR* Values[] = {TEXT("string"), TEXT("integer"), TEXT("number"), TEXT("boolean")};
};

template <>
struct TTalefoldEnumNames<ETalefoldSceneFormat>
{
	static constexpr const TCHAR* Values[] = {TEXT("screenplay"), TEXT("chat"), TEXT("narrative"), TEXT("ai_aware")};
};

template <typename VisitorType>
void VisitFields(VisitorType& Visitor, FTalefoldSamplingOverrides& Struct, const FTalefoldSamplingOverrides&)
{
	Visitor.Optional(TEXT("temperature"), Struct.bOverrideTemperature, Struct.Temperature);
	Visitor.Optional(TEXT("top_p"), Struct.bOverrideTopP, Struct.TopP);
	Visitor.Optional(TEXT("top_k"), Struct.bOverrideTopK, Struct.TopK);
	Visitor.Optional(TEXT("min_p"), Struct.bOverrideMinP, Struct.MinP);
	Visitor.Optional(TEXT("max_tokens"), Struct.bOverrideMaxTokens, Struct.MaxTokens);
	Visitor.Optional(TEXT("seed"), Struct.bOverrideSeed, Struct.Seed);
	Visitor.Optional(TEXT("repeat_penalty"), Struct.bOverrideRepeatPenalty, Struct.RepeatPenalty);
	Visitor.Optional(TEXT("repeat_last_n"), Struct.bOverrideRepeatLastN, Struct.RepeatLastN);
	Visitor.Optional(TEXT("presence_penalty"), Struct.bOverridePresencePenalty, Struct.PresencePenalty);
	Visitor.Optional(TEXT("frequency_penalty"), Struct.bOverrideFrequencyPenalty, Struct.FrequencyPenalty);
	Visitor.Optional(TEXT("dry_multiplier"), Struct.bOverrideDryMultiplier, Struct.DryMultiplier);
	Visitor.Optional(TEXT("dry_base"), Struct.bOverrideDryBase, Struct.DryBase);
	Visitor.Optional(TEXT("dry_allowed_length"), Struct.bOverrideDryAllowedLength, Struct.DryAllowedLength);
	Visitor.Optional(TEXT("dry_penalty_last_n"), Struct.bOverrideDryPenaltyLastN, Struct.DryPenaltyLastN);
	Visitor.Optional(TEXT("stop"), Struct.bOverrideStop, Struct.Stop);
}

template <typename VisitorType>
void VisitFields(VisitorType& Visitor, FTalefoldContextOverrides& Struct, const FTalefoldContextOverrides&)
{
	Visitor.Optional(TEXT("kv_type"), Struct.bOverrideKvType, Struct.KvType);
	Visitor.Optional(TEXT("n_gpu_layers"), Struct.bOverrideNGpuLayers, Struct.NGpuLayers);
	Visitor.Optional(TEXT("n_batch"), Struct.bOverrideNBatch, Struct.NBatch);
	Visitor.Optional(TEXT("n_ubatch"), Struct.bOverrideNUbatch, Struct.NUbatch);
	Visitor.Optional(TEXT("n_threads"), Struct.bOverrideNThreads, Struct.NThreads);
	Visitor.Optional(TEXT("flash_attention"), Struct.bOverrideFlashAttention, Struct.bFlashAttention);
}

template <typename VisitorType>
void VisitFields(VisitorType& Visitor, FTalefoldLoraAdapter& Struct, const FTalefoldLoraAdapter& Default)
{
	Visitor.Field(TEXT("path"), Struct.Path, Default.Path);
	Visitor.Field(TEXT("scale"), Struct.Scale, Default.Scale);
}

template <typename VisitorType>
void VisitFields(VisitorType& Visitor, FTalefoldModelAdaptation& Struct, const FTalefoldModelAdaptation& Default)
{
	Visitor.Field(TEXT("loras"), Struct.Loras, Default.Loras);
}

template <typename VisitorType>
void VisitFields(VisitorType& Visitor, FTalefoldToolParameter& Struct, const FTalefoldToolParameter& Default)
{
	Visitor.Field(TEXT("name"), Struct.Name, Default.Name);
	Visitor.Field(TEXT("type"), Struct.Type, Default.Type);
	Visitor.Field(TEXT("description"), Struct.Description, Default.Description);
	Visitor.Field(TEXT("required"), Struct.bRequired, Default.bRequired);
	Visitor.Field(TEXT("enum"), Struct.Enum, Default.Enum);
}

template <typename VisitorType>
void VisitFields(VisitorType& Visitor, FTalefoldToolDescription& Struct, const FTalefoldToolDescription& Default)
{
	Visitor.Field(TEXT("name"), Struct.Name, Default.Name);
	Visitor.Field(TEXT("description"), Struct.Description, Default.Description);
	Visitor.Field(TEXT("parameters"), Struct.Parameters, Default.Parameters);
}

template <typename VisitorType>
void VisitFields(VisitorType& Visitor, FTalefoldIntentDescription& Struct, const FTalefoldIntentDescription& Default)
{
	Visitor.Field(TEXT("id"), Struct.Id, Default.Id);
	Visitor.Field(TEXT("description"), Struct.Description, Default.Description);
}

template <typename VisitorType>
void VisitFields(VisitorType& Visitor, FTalefoldHistoryParams& Struct, const FTalefoldHistoryParams& Default)
{
	Visitor.Optional(TEXT("format"), Struct.bOverrideFormat, Struct.Format);
	Visitor.Field(TEXT("max_budget"), Struct.MaxBudget, Default.MaxBudget);
	Visitor.Field(TEXT("best_fit"), Struct.bBestFit, Default.bBestFit);
	Visitor.Field(TEXT("min_dialogue"), Struct.MinDialogue, Default.MinDialogue);
	Visitor.Field(TEXT("max_dialogue"), Struct.MaxDialogue, Default.MaxDialogue);
	Visitor.Field(TEXT("dialogue_ratio"), Struct.DialogueRatio, Default.DialogueRatio);
	Visitor.Field(TEXT("summary_detail_ratio"), Struct.SummaryDetailRatio, Default.SummaryDetailRatio);
	Visitor.Field(TEXT("enforce_summary_boundary"), Struct.bEnforceSummaryBoundary, Default.bEnforceSummaryBoundary);
	Visitor.Field(TEXT("time_labels"), Struct.bTimeLabels, Default.bTimeLabels);
}

template <typename VisitorType>
void VisitFields(VisitorType& Visitor, FTalefoldGenerateParams& Struct, const FTalefoldGenerateParams& Default)
{
	Visitor.Field(TEXT("model_name"), Struct.ModelName, Default.ModelName);
	Visitor.Field(TEXT("context_size"), Struct.ContextSize, Default.ContextSize);
	Visitor.Field(TEXT("system_prompt"), Struct.SystemPrompt, Default.SystemPrompt);
	Visitor.Field(TEXT("template"), Struct.Template, Default.Template);
	Visitor.Field(TEXT("placement"), Struct.Placement, Default.Placement);
	Visitor.Field(TEXT("stream"), Struct.bStream, Default.bStream);
	Visitor.Field(TEXT("output_slot"), Struct.OutputSlot, Default.OutputSlot);
	Visitor.Field(TEXT("prompt_caching"), Struct.PromptCaching, Default.PromptCaching);
	Visitor.Field(TEXT("history"), Struct.History, Default.History);
	Visitor.Field(TEXT("sampling"), Struct.Sampling, Default.Sampling);
	Visitor.Field(TEXT("context"), Struct.Context, Default.Context);
	Visitor.Field(TEXT("adaptation"), Struct.Adaptation, Default.Adaptation);
	Visitor.Field(TEXT("default_exit"), Struct.DefaultExit, Default.DefaultExit);
}

template <typename VisitorType>
void VisitFields(VisitorType& Visitor, FTalefoldGenerateAndSpeakParams& Struct, const FTalefoldGenerateAndSpeakParams& Default)
{
	Visitor.Field(TEXT("model_name"), Struct.ModelName, Default.ModelName);
	Visitor.Field(TEXT("context_size"), Struct.ContextSize, Default.ContextSize);
	Visitor.Field(TEXT("system_prompt"), Struct.SystemPrompt, Default.SystemPrompt);
	Visitor.Field(TEXT("template"), Struct.Template, Default.Template);
	Visitor.Field(TEXT("placement"), Struct.Placement, Default.Placement);
	Visitor.Field(TEXT("stream"), Struct.bStream, Default.bStream);
	Visitor.Field(TEXT("tts_voice"), Struct.TtsVoice, Default.TtsVoice);
	Visitor.Field(TEXT("speaker_id"), Struct.SpeakerId, Default.SpeakerId);
	Visitor.Field(TEXT("speed"), Struct.Speed, Default.Speed);
	Visitor.Field(TEXT("min_sentence_chars"), Struct.MinSentenceChars, Default.MinSentenceChars);
	Visitor.Field(TEXT("prompt_caching"), Struct.PromptCaching, Default.PromptCaching);
	Visitor.Field(TEXT("history"), Struct.History, Default.History);
	Visitor.Field(TEXT("sampling"), Struct.Sampling, Default.Sampling);
	Visitor.Field(TEXT("context"), Struct.Context, Default.Context);
	Visitor.Field(TEXT("adaptation"), Struct.Adaptation, Default.Adaptation);
	Visitor.Field(TEXT("default_exit"), Struct.DefaultExit, Default.DefaultExit);
}

template <typename VisitorType>
void VisitFields(VisitorType& Visitor, FTalefoldSpeakParams& Struct, const FTalefoldSpeakParams& Default)
{
	Visitor.Field(TEXT("tts_voice"), Struct.TtsVoice, Default.TtsVoice);
	Visitor.Field(TEXT("speaker_id"), Struct.SpeakerId, Default.SpeakerId);
	Visitor.Field(TEXT("speed"), Struct.Speed, Default.Speed);
	Visitor.Field(TEXT("min_sentence_chars"), Struct.MinSentenceChars, Default.MinSentenceChars);
	Visitor.Field(TEXT("default_exit"), Struct.DefaultExit, Default.DefaultExit);
}

template <typename VisitorType>
void VisitFields(VisitorType& Visitor, FTalefoldToolCallParams& Struct, const FTalefoldToolCallParams& Default)
{
	Visitor.Field(TEXT("model_name"), Struct.ModelName, Default.ModelName);
	Visitor.Field(TEXT("context_size"), Struct.ContextSize, Default.ContextSize);
	Visitor.Field(TEXT("system_prompt"), Struct.SystemPrompt, Default.SystemPrompt);
	Visitor.Field(TEXT("tools"), Struct.Tools, Default.Tools);
	Visitor.Field(TEXT("tool_call_format"), Struct.ToolCallFormat, Default.ToolCallFormat);
	Visitor.Field(TEXT("tool_choice"), Struct.ToolChoice, Default.ToolChoice);
	Visitor.Field(TEXT("grammar"), Struct.bGrammar, Default.bGrammar);
	Visitor.Field(TEXT("generate_on_no_tool"), Struct.bGenerateOnNoTool, Default.bGenerateOnNoTool);
	Visitor.Field(TEXT("notify_client"), Struct.bNotifyClient, Default.bNotifyClient);
	Visitor.Field(TEXT("output_slot"), Struct.OutputSlot, Default.OutputSlot);
	Visitor.Field(TEXT("prompt_caching"), Struct.PromptCaching, Default.PromptCaching);
	Visitor.Field(TEXT("history"), Struct.History, Default.History);
	Visitor.Field(TEXT("sampling"), Struct.Sampling, Default.Sampling);
	Visitor.Field(TEXT("context"), Struct.Context, Default.Context);
	Visitor.Field(TEXT("adaptation"), Struct.Adaptation, Default.Adaptation);
	Visitor.Field(TEXT("tool_called_exit"), Struct.ToolCalledExit, Default.ToolCalledExit);
	Visitor.Field(TEXT("no_tool_called_exit"), Struct.NoToolCalledExit, Default.NoToolCalledExit);
}

template <typename VisitorType>
void VisitFields(VisitorType& Visitor, FTalefoldInstructionParams& Struct, const FTalefoldInstructionParams& Default)
{
	Visitor.Field(TEXT("instruction_name"), Struct.InstructionName, Default.InstructionName);
	Visitor.Field(TEXT("instruction"), Struct.Instruction, Default.Instruction);
	Visitor.Field(TEXT("default_exit"), Struct.DefaultExit, Default.DefaultExit);
}

template <typename VisitorType>
void VisitFields(VisitorType& Visitor, FTalefoldRetrieveParams& Struct, const FTalefoldRetrieveParams& Default)
{
	Visitor.Field(TEXT("embedded_string_storage"), Struct.EmbeddedStringStorage, Default.EmbeddedStringStorage);
	Visitor.Field(TEXT("top_k"), Struct.TopK, Default.TopK);
	Visitor.Field(TEXT("threshold"), Struct.Threshold, Default.Threshold);
	Visitor.Field(TEXT("source"), Struct.Source, Default.Source);
	Visitor.Field(TEXT("filter"), Struct.Filter, Default.Filter);
	Visitor.Field(TEXT("found_exit"), Struct.FoundExit, Default.FoundExit);
	Visitor.Field(TEXT("not_found_exit"), Struct.NotFoundExit, Default.NotFoundExit);
}

template <typename VisitorType>
void VisitFields(VisitorType& Visitor, FTalefoldClassifyIntentParams& Struct, const FTalefoldClassifyIntentParams& Default)
{
	Visitor.Field(TEXT("embedded_string_storage"), Struct.EmbeddedStringStorage, Default.EmbeddedStringStorage);
	Visitor.Field(TEXT("metadata_field"), Struct.MetadataField, Default.MetadataField);
	Visitor.Field(TEXT("threshold"), Struct.Threshold, Default.Threshold);
	Visitor.Field(TEXT("filter"), Struct.Filter, Default.Filter);
	Visitor.Field(TEXT("notify_client"), Struct.bNotifyClient, Default.bNotifyClient);
	Visitor.Field(TEXT("diagnostic_topk"), Struct.DiagnosticTopk, Default.DiagnosticTopk);
	Visitor.Field(TEXT("found_exit"), Struct.FoundExit, Default.FoundExit);
	Visitor.Field(TEXT("not_found_exit"), Struct.NotFoundExit, Default.NotFoundExit);
}

template <typename VisitorType>
void VisitFields(VisitorType& Visitor, FTalefoldClassifyIntentLLMParams& Struct, const FTalefoldClassifyIntentLLMParams& Default)
{
	Visitor.Field(TEXT("model_name"), Struct.ModelName, Default.ModelName);
	Visitor.Field(TEXT("context_size"), Struct.ContextSize, Default.ContextSize);
	Visitor.Field(TEXT("system_prompt"), Struct.SystemPrompt, Default.SystemPrompt);
	Visitor.Field(TEXT("intents"), Struct.Intents, Default.Intents);
	Visitor.Field(TEXT("history_turns"), Struct.HistoryTurns, Default.HistoryTurns);
	Visitor.Field(TEXT("threshold"), Struct.Threshold, Default.Threshold);
	Visitor.Field(TEXT("margin"), Struct.Margin, Default.Margin);
	Visitor.Field(TEXT("not_found_intent"), Struct.NotFoundIntent, Default.NotFoundIntent);
	Visitor.Field(TEXT("notify_client"), Struct.bNotifyClient, Default.bNotifyClient);
	Visitor.Field(TEXT("sampling"), Struct.Sampling, Default.Sampling);
	Visitor.Field(TEXT("context"), Struct.Context, Default.Context);
	Visitor.Field(TEXT("adaptation"), Struct.Adaptation, Default.Adaptation);
	Visitor.Field(TEXT("found_exit"), Struct.FoundExit, Default.FoundExit);
	Visitor.Field(TEXT("not_found_exit"), Struct.NotFoundExit, Default.NotFoundExit);
}

template <typename VisitorType>
void VisitFields(VisitorType& Visitor, FTalefoldIntentToInstructionParams& Struct, const FTalefoldIntentToInstructionParams& Default)
{
	Visitor.Field(TEXT("string_storage"), Struct.StringStorage, Default.StringStorage);
	Visitor.Field(TEXT("inline_keys"), Struct.InlineKeys, Default.InlineKeys);
	Visitor.Field(TEXT("inline_values"), Struct.InlineValues, Default.InlineValues);
	Visitor.Field(TEXT("instruction_name"), Struct.InstructionName, Default.InstructionName);
	Visitor.Field(TEXT("default_exit"), Struct.DefaultExit, Default.DefaultExit);
}

template <typename VisitorType>
void VisitFields(VisitorType& Visitor, FTalefoldCannedResponseParams& Struct, const FTalefoldCannedResponseParams& Default)
{
	Visitor.Field(TEXT("string_storage"), Struct.StringStorage, Default.StringStorage);
	Visitor.Field(TEXT("inline_strings"), Struct.InlineStrings, Default.InlineStrings);
	Visitor.Field(TEXT("selection_strategy"), Struct.SelectionStrategy, Default.SelectionStrategy);
	Visitor.Field(TEXT("output_slot"), Struct.OutputSlot, Default.OutputSlot);
	Visitor.Field(TEXT("default_exit"), Struct.DefaultExit, Default.DefaultExit);
}

template <typename VisitorType>
void VisitFields(VisitorType& Visitor, FTalefoldHumanMessageGuardrailParams& Struct, const FTalefoldHumanMessageGuardrailParams& Default)
{
	Visitor.Field(TEXT("string_storage"), Struct.StringStorage, Default.StringStorage);
	Visitor.Field(TEXT("inline_strings"), Struct.InlineStrings, Default.InlineStrings);
	Visitor.Field(TEXT("triggered_exit"), Struct.TriggeredExit, Default.TriggeredExit);
	Visitor.Field(TEXT("not_triggered_exit"), Struct.NotTriggeredExit, Default.NotTriggeredExit);
}

template <typename VisitorType>
void VisitFields(VisitorType& Visitor, FTalefoldSummarizeParams& Struct, const FTalefoldSummarizeParams& Default)
{
	Visitor.Field(TEXT("model_name"), Struct.ModelName, Default.ModelName);
	Visitor.Field(TEXT("context_size"), Struct.ContextSize, Default.ContextSize);
	Visitor.Field(TEXT("system_prompt"), Struct.SystemPrompt, Default.SystemPrompt);
	Visitor.Field(TEXT("template"), Struct.Template, Default.Template);
	Visitor.Field(TEXT("trigger_tokens"), Struct.TriggerTokens, Default.TriggerTokens);
	Visitor.Field(TEXT("trigger_turns"), Struct.TriggerTurns, Default.TriggerTurns);
	Visitor.Field(TEXT("keep_recent_turns"), Struct.KeepRecentTurns, Default.KeepRecentTurns);
	Visitor.Field(TEXT("max_summary_tokens"), Struct.MaxSummaryTokens, Default.MaxSummaryTokens);
	Visitor.Field(TEXT("oversized_turn"), Struct.OversizedTurn, Default.OversizedTurn);
	Visitor.Field(TEXT("notify_client"), Struct.bNotifyClient, Default.bNotifyClient);
	Visitor.Field(TEXT("sampling"), Struct.Sampling, Default.Sampling);
	Visitor.Field(TEXT("run_inline"), Struct.bRunInline, Default.bRunInline);
	Visitor.Field(TEXT("context"), Struct.Context, Default.Context);
	Visitor.Field(TEXT("adaptation"), Struct.Adaptation, Default.Adaptation);
	Visitor.Field(TEXT("default_exit"), Struct.DefaultExit, Default.DefaultExit);
}

template <typename VisitorType>
void VisitFields(VisitorType& Visitor, FTalefoldArchiveParams& Struct, const FTalefoldArchiveParams& Default)
{
	Visitor.Field(TEXT("model_name"), Struct.ModelName, Default.ModelName);
	Visitor.Field(TEXT("context_size"), Struct.ContextSize, Default.ContextSize);
	Visitor.Field(TEXT("enabled"), Struct.bEnabled, Default.bEnabled);
	Visitor.Field(TEXT("token_threshold"), Struct.TokenThreshold, Default.TokenThreshold);
	Visitor.Field(TEXT("method"), Struct.Method, Default.Method);
	Visitor.Field(TEXT("preceding_summaries"), Struct.PrecedingSummaries, Default.PrecedingSummaries);
	Visitor.Field(TEXT("custom_instructions"), Struct.CustomInstructions, Default.CustomInstructions);
	Visitor.Field(TEXT("sampling"), Struct.Sampling, Default.Sampling);
	Visitor.Field(TEXT("context"), Struct.Context, Default.Context);
	Visitor.Field(TEXT("adaptation"), Struct.Adaptation, Default.Adaptation);
	Visitor.Field(TEXT("default_exit"), Struct.DefaultExit, Default.DefaultExit);
}

template <typename VisitorType>
void VisitFields(VisitorType& Visitor, FTalefoldLayeredHistoryParams& Struct, const FTalefoldLayeredHistoryParams& Default)
{
	Visitor.Field(TEXT("model_name"), Struct.ModelName, Default.ModelName);
	Visitor.Field(TEXT("context_size"), Struct.ContextSize, Default.ContextSize);
	Visitor.Field(TEXT("enabled"), Struct.bEnabled, Default.bEnabled);
	Visitor.Field(TEXT("token_threshold"), Struct.TokenThreshold, Default.TokenThreshold);
	Visitor.Field(TEXT("max_layers"), Struct.MaxLayers, Default.MaxLayers);
	Visitor.Field(TEXT("max_process_tokens"), Struct.MaxProcessTokens, Default.MaxProcessTokens);
	Visitor.Field(TEXT("chunk_chars"), Struct.ChunkChars, Default.ChunkChars);
	Visitor.Field(TEXT("analyze"), Struct.bAnalyze, Default.bAnalyze);
	Visitor.Field(TEXT("max_response_tokens"), Struct.MaxResponseTokens, Default.MaxResponseTokens);
	Visitor.Field(TEXT("sampling"), Struct.Sampling, Default.Sampling);
	Visitor.Field(TEXT("context"), Struct.Context, Default.Context);
	Visitor.Field(TEXT("adaptation"), Struct.Adaptation, Default.Adaptation);
	Visitor.Field(TEXT("default_exit"), Struct.DefaultExit, Default.DefaultExit);
}
