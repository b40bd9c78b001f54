// Generated from the core's descriptor tables by `python -m talefold._generate`; do not edit.
#pragma once

#include "CoreMinimal.h"

#include "TalefoldNodeParams.generated.h"

/** Where a rendered template goes, relative to the player's message. */
UENUM(BlueprintType)
enum class ETalefoldPlacement : uint8
{
	/** Replaces the player's message; the template must use user_message. */
	InPlaceOfUser,
	/** A user message before the player's. */
	BeforeUserAsUser,
	/** A system message before the player's. */
	BeforeUserAsSystem,
	/** A user message after the player's. */
	AfterUserAsUser,
	/** A system message after the player's. */
	AfterUserAsSystem,
};

/** Whether the prompts of a scene are laid out so that they begin alike. */
UENUM(BlueprintType)
enum class ETalefoldPromptCaching : uint8
{
	/** As the model needs it: on with llama.cpp, off with a scripted one. */
	Auto,
	/**
	 * The story first, then the character and whatever changes often. What is shown of the story
	 * stays the same until the budget is full.
	 */
	On,
	/** The character first, then the story, chosen anew for each reply. */
	Off,
};

/** How a model is told of tools, and how it calls them. */
UENUM(BlueprintType)
enum class ETalefoldToolCallFormat : uint8
{
	/** By the markers in the model's chat template; generic when there are none. */
	Auto,
	/** A JSON object inside <tool_call></tool_call>, as Qwen and Hermes. */
	Chatml,
	/** A JSON object of name and parameters, as Llama 3. */
	Llama3,
	/** A JSON array after [TOOL_CALLS], as Mistral. */
	Mistral,
	/** A JSON object of tool and arguments, for models that were trained on none. */
	Generic,
};

/** Who decides whether a tool is called. */
UENUM(BlueprintType)
enum class ETalefoldToolChoice : uint8
{
	/** The model: it calls tools, or answers with prose. */
	Auto,
	/**
	 * The graph: the grammar has no way but calls, so that a model of any size calls. In a turn
	 * without a text of the player, such as that which a result starts, the same as auto.
	 */
	Required,
};

/** Which line comes next. */
UENUM(BlueprintType)
enum class ETalefoldSelectionStrategy : uint8
{
	/** Each as likely as any other, every time. */
	Random,
	/** First to last, then again. */
	Sequential,
	/** At random, every line once before any comes again. */
	Shuffle,
};

/** What happens to one interaction that alone exceeds the summarizer's context. */
UENUM(BlueprintType)
enum class ETalefoldOversizedTurn : uint8
{
	/** Nothing is folded; the reason input_too_large is reported. */
	Keep,
	/** Its beginning and end are folded, and the summary is marked abridged. */
	Abridge,
};

/** Length and shape of the summaries of a scene. */
UENUM(BlueprintType)
enum class ETalefoldSummaryMethod : uint8
{
	/** Key points in 2 to 3 sentences. */
	Short,
	/** A narrative of 1 to 2 paragraphs. */
	Balanced,
	/** A detailed narrative of 1 to 3 paragraphs. */
	Long,
	/** A numbered list of events in their order, of any length. */
	Facts,
};

/** Number format of a KV cache. */
UENUM(BlueprintType)
enum class ETalefoldKvType : uint8
{
	/** 16-bit floats, the exact form. */
	F16,
	/** 8 bits a value, about half the memory of f16. */
	Q8_0,
	/** 4 bits a value, about a quarter of the memory of f16, less exact. */
	Q4_0,
};

/** Type of an argument of a tool. */
UENUM(BlueprintType)
enum class ETalefoldToolParameterType : uint8
{
	/** A text. */
	String,
	/** A whole number. */
	Integer,
	/** Any number. */
	Number,
	/** True or false. */
	Boolean,
};

/** How a model sees the messages of a scene. */
UENUM(BlueprintType)
enum class ETalefoldSceneFormat : uint8
{
	/** The name in capitals, the text below it, and a mark where it ends. */
	Screenplay,
	/** The name, a colon and the text. */
	Chat,
	/** The text alone. */
	Narrative,
	/** As screenplay, and the characters know that they are AI personas. */
	AiAware,
};

/** How the next token is chosen. Every field may be left unset and is then the model's own. */
USTRUCT(BlueprintType)
struct TALEFOLD_API FTalefoldSamplingOverrides
{
	GENERATED_BODY()

	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Sampling", meta = (InlineEditConditionToggle))
	bool bOverrideTemperature = false;

	/** Randomness of the choice of tokens; 0 = always the likeliest token. */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Sampling", meta = (ClampMin = "0", ClampMax = "5", UIMin = "0", UIMax = "2", EditCondition = "bOverrideTemperature"))
	double Temperature = 0.0;

	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Sampling", meta = (InlineEditConditionToggle))
	bool bOverrideTopP = false;

	/** Draw from the likeliest tokens that together have this probability; 1 = off. */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Sampling", meta = (ClampMin = "0", ClampMax = "1", UIMin = "0", UIMax = "1", EditCondition = "bOverrideTopP"))
	double TopP = 0.0;

	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Sampling", meta = (InlineEditConditionToggle))
	bool bOverrideTopK = false;

	/** Draw from this many of the likeliest tokens; 0 = off. */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Sampling", meta = (ClampMin = "0", UIMin = "0", UIMax = "200", EditCondition = "bOverrideTopK"))
	int32 TopK = 0;

	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Sampling", meta = (InlineEditConditionToggle))
	bool bOverrideMinP = false;

	/** Drop tokens less likely than this share of the likeliest token's probability; 0 = off. */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Sampling", meta = (ClampMin = "0", ClampMax = "1", UIMin = "0", UIMax = "0.5", EditCondition = "bOverrideMinP"))
	double MinP = 0.0;

	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Sampling", meta = (InlineEditConditionToggle))
	bool bOverrideMaxTokens = false;

	/** Longest output, in tokens; that much of context_size is kept free for it. */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Sampling", meta = (ClampMin = "1", UIMin = "16", UIMax = "1024", EditCondition = "bOverrideMaxTokens"))
	int32 MaxTokens = 0;

	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Sampling", meta = (InlineEditConditionToggle))
	bool bOverrideSeed = false;

	/** Seed of the random draws; 0 = a new one each turn. */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Sampling", meta = (ClampMin = "0", ClampMax = "4294967295", UIMin = "0", UIMax = "4294967295", EditCondition = "bOverrideSeed"))
	int64 Seed = 0;

	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Repetition", meta = (InlineEditConditionToggle))
	bool bOverrideRepeatPenalty = false;

	/** Divides the score of tokens generated lately; 1 = off. */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Repetition", meta = (ClampMin = "0.1", ClampMax = "10", UIMin = "1", UIMax = "1.5", EditCondition = "bOverrideRepeatPenalty"))
	double RepeatPenalty = 0.0;

	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Repetition", meta = (InlineEditConditionToggle))
	bool bOverrideRepeatLastN = false;

	/**
	 * How many of the latest generated tokens the repeat, presence and frequency penalties look at;
	 * 0 = none.
	 */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Repetition", meta = (ClampMin = "0", UIMin = "0", UIMax = "1024", EditCondition = "bOverrideRepeatLastN"))
	int32 RepeatLastN = 0;

	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Repetition", meta = (InlineEditConditionToggle))
	bool bOverridePresencePenalty = false;

	/** Subtracted once from the score of each token generated lately; 0 = off. */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Repetition", meta = (ClampMin = "-2", ClampMax = "2", UIMin = "0", UIMax = "2", EditCondition = "bOverridePresencePenalty"))
	double PresencePenalty = 0.0;

	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Repetition", meta = (InlineEditConditionToggle))
	bool bOverrideFrequencyPenalty = false;

	/** Subtracted from a token's score for each time it was generated lately; 0 = off. */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Repetition", meta = (ClampMin = "-2", ClampMax = "2", UIMin = "0", UIMax = "2", EditCondition = "bOverrideFrequencyPenalty"))
	double FrequencyPenalty = 0.0;

	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Repetition", meta = (InlineEditConditionToggle))
	bool bOverrideDryMultiplier = false;

	/** Strength of the DRY penalty on repeated sequences of tokens; 0 = off. */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Repetition", meta = (ClampMin = "0", UIMin = "0", UIMax = "2", EditCondition = "bOverrideDryMultiplier"))
	double DryMultiplier = 0.0;

	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Repetition", meta = (InlineEditConditionToggle))
	bool bOverrideDryBase = false;

	/** How steeply the DRY penalty grows with each further repeated token. */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Repetition", meta = (ClampMin = "1", UIMin = "1", UIMax = "4", EditCondition = "bOverrideDryBase"))
	double DryBase = 0.0;

	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Repetition", meta = (InlineEditConditionToggle))
	bool bOverrideDryAllowedLength = false;

	/** Repeated sequences up to this many tokens are not penalized by DRY. */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Repetition", meta = (ClampMin = "0", UIMin = "0", UIMax = "16", EditCondition = "bOverrideDryAllowedLength"))
	int32 DryAllowedLength = 0;

	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Repetition", meta = (InlineEditConditionToggle))
	bool bOverrideDryPenaltyLastN = false;

	/** How many of the latest generated tokens DRY searches for repetitions; 0 = none. */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Repetition", meta = (ClampMin = "0", UIMin = "0", UIMax = "1024", EditCondition = "bOverrideDryPenaltyLastN"))
	int32 DryPenaltyLastN = 0;

	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Sampling", meta = (InlineEditConditionToggle))
	bool bOverrideStop = false;

	/** Texts that end the output when the model writes one; the text itself is left out. */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Sampling", meta = (EditCondition = "bOverrideStop"))
	TArray<FString> Stop;
};

/**
 * Memory and batching of a node's model context. Every field may be left unset and is then
 * inherited from the model.
 */
USTRUCT(BlueprintType)
struct TALEFOLD_API FTalefoldContextOverrides
{
	GENERATED_BODY()

	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Memory", meta = (InlineEditConditionToggle))
	bool bOverrideKvType = false;

	/**
	 * Number format of the KV cache; the quantized ones need flash attention. Fixed once a
	 * conversation has begun.
	 */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Memory", meta = (EditCondition = "bOverrideKvType"))
	ETalefoldKvType KvType = ETalefoldKvType::F16;

	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Memory", meta = (InlineEditConditionToggle))
	bool bOverrideNGpuLayers = false;

	/**
	 * Layers of the model kept on the GPU; 0 = none, -1 = all. Fixed once a conversation has begun.
	 */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Memory", meta = (ClampMin = "-1", UIMin = "-1", UIMax = "100", EditCondition = "bOverrideNGpuLayers"))
	int32 NGpuLayers = 0;

	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Batching", meta = (InlineEditConditionToggle))
	bool bOverrideNBatch = false;

	/** Most tokens handed to the model in one call. Fixed once a conversation has begun. */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Batching", meta = (ClampMin = "1", UIMin = "32", UIMax = "2048", EditCondition = "bOverrideNBatch"))
	int32 NBatch = 0;

	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Batching", meta = (InlineEditConditionToggle))
	bool bOverrideNUbatch = false;

	/**
	 * Most tokens computed at the same time, at most n_batch. Fixed once a conversation has begun.
	 */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Batching", meta = (ClampMin = "1", UIMin = "32", UIMax = "2048", EditCondition = "bOverrideNUbatch"))
	int32 NUbatch = 0;

	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Batching", meta = (InlineEditConditionToggle))
	bool bOverrideNThreads = false;

	/** CPU threads that compute for this node. Fixed once a conversation has begun. */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Batching", meta = (ClampMin = "1", UIMin = "1", UIMax = "32", EditCondition = "bOverrideNThreads"))
	int32 NThreads = 0;

	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Memory", meta = (InlineEditConditionToggle))
	bool bOverrideFlashAttention = false;

	/** Use the attention kernel that needs less memory. Fixed once a conversation has begun. */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Memory", meta = (EditCondition = "bOverrideFlashAttention"))
	bool bFlashAttention = false;
};

/** One LoRA adapter and how strongly it is applied. */
USTRUCT(BlueprintType)
struct TALEFOLD_API FTalefoldLoraAdapter
{
	GENERATED_BODY()

	/** File of the adapter. Needed. Fixed once a conversation has begun. */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Adapter")
	FString Path;

	/**
	 * Strength of the adapter; 1 = as trained, 0 = without effect. Fixed once a conversation has
	 * begun.
	 */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Adapter", meta = (UIMin = "0", UIMax = "2"))
	double Scale = 1.0;
};

/** What is applied on top of a model's weights. */
USTRUCT(BlueprintType)
struct TALEFOLD_API FTalefoldModelAdaptation
{
	GENERATED_BODY()

	/**
	 * LoRA adapters, all applied together; empty = the base model. Fixed once a conversation has
	 * begun.
	 */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Adapter")
	TArray<FTalefoldLoraAdapter> Loras;
};

/** One argument of a tool. */
USTRUCT(BlueprintType)
struct TALEFOLD_API FTalefoldToolParameter
{
	GENERATED_BODY()

	/**
	 * 1 to 64 letters a-z and A-Z, digits, '_' or '-'; unique in its tool. Needed. Fixed once a
	 * conversation has begun.
	 */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Tool")
	FString Name;

	/** Type of its values. Fixed once a conversation has begun. */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Tool")
	ETalefoldToolParameterType Type = ETalefoldToolParameterType::String;

	/** What the model is told of it. Fixed once a conversation has begun. */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Tool")
	FString Description;

	/** A call without it is refused. Fixed once a conversation has begun. */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Tool")
	bool bRequired = false;

	/**
	 * The only values allowed, at most 256; a value that is no string as JSON writes it. Empty =
	 * every value of the type. Fixed once a conversation has begun.
	 */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Tool")
	TArray<FString> Enum;
};

/** A tool that a character may call. */
USTRUCT(BlueprintType)
struct TALEFOLD_API FTalefoldToolDescription
{
	GENERATED_BODY()

	/**
	 * 1 to 64 letters a-z and A-Z, digits, '_' or '-'; unique among the tools. Needed. Fixed once a
	 * conversation has begun.
	 */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Tool")
	FString Name;

	/**
	 * What the model is told of it: what it does, and when to call it. Fixed once a conversation
	 * has begun.
	 */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Tool")
	FString Description;

	/** Its arguments, at most 64. Fixed once a conversation has begun. */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Tool")
	TArray<FTalefoldToolParameter> Parameters;
};

/** Something a player may want. */
USTRUCT(BlueprintType)
struct TALEFOLD_API FTalefoldIntentDescription
{
	GENERATED_BODY()

	/** What later nodes and the host know it by. Needed. Fixed once a conversation has begun. */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Intent")
	FString Id;

	/**
	 * What the model is told of it, beside the id. Empty = the id alone. Fixed once a conversation
	 * has begun.
	 */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Intent")
	FString Description;
};

/** How much of a scene's story a node shows its model. */
USTRUCT(BlueprintType)
struct TALEFOLD_API FTalefoldHistoryParams
{
	GENERATED_BODY()

	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Format", meta = (InlineEditConditionToggle))
	bool bOverrideFormat = false;

	/** How the messages are laid out; unset = as the scene says. */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Format", meta = (EditCondition = "bOverrideFormat"))
	ETalefoldSceneFormat Format = ETalefoldSceneFormat::Screenplay;

	/** Most tokens that the story may have; 0 = what the context has room for. */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Budget", meta = (ClampMin = "0", ClampMax = "262144", UIMin = "0", UIMax = "262144"))
	int32 MaxBudget = 8192;

	/**
	 * Cover the whole story inside the budget, the older the shorter. Off: fixed shares, by
	 * dialogue_ratio and summary_detail_ratio.
	 */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Budget")
	bool bBestFit = true;

	/** So many of the newest messages are shown even beyond the budget; 0 = none. */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Best fit", meta = (ClampMin = "0", ClampMax = "15", UIMin = "0", UIMax = "15"))
	int32 MinDialogue = 5;

	/** Most messages that are shown word for word; not less than min_dialogue. */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Best fit", meta = (ClampMin = "10", ClampMax = "500", UIMin = "10", UIMax = "500"))
	int32 MaxDialogue = 250;

	/** Percentage of the budget for messages; best_fit does without it. */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Shares", meta = (ClampMin = "10", ClampMax = "90", UIMin = "10", UIMax = "90"))
	int32 DialogueRatio = 50;

	/**
	 * Percentage of what is left for each layer of summaries, the most detailed first; best_fit
	 * does without it.
	 */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Shares", meta = (ClampMin = "10", ClampMax = "90", UIMin = "10", UIMax = "90"))
	int32 SummaryDetailRatio = 50;

	/**
	 * Do not show messages that were summarized, but for the newest five lines; best_fit does
	 * without it.
	 */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Shares")
	bool bEnforceSummaryBoundary = false;

	/** Say before each summary how long ago it was. */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Format")
	bool bTimeLabels = true;
};

/** What the params of all node types have in common. */
USTRUCT(BlueprintType)
struct TALEFOLD_API FTalefoldNodeParams
{
	GENERATED_BODY()
};

/** Writes the character's reply to the player. */
USTRUCT(BlueprintType)
struct TALEFOLD_API FTalefoldGenerateParams : public FTalefoldNodeParams
{
	GENERATED_BODY()

	/**
	 * Model that this node asks. Empty = the agent's default model. Fixed once a conversation has
	 * begun.
	 */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Model", meta = (GetOptions = "Talefold.TalefoldSettings.GetModelNames"))
	FString ModelName;

	/**
	 * Context window of this node, in tokens, at most what the model was trained for. 0 = 4096, or
	 * the model's trained size if that is smaller. Fixed once a conversation has begun.
	 */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Model", meta = (ClampMin = "0", UIMin = "0", UIMax = "32768"))
	int32 ContextSize = 0;

	/** Who the character is and how it talks. Empty = no system prompt. Localizable. */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Prompt", meta = (MultiLine = true))
	FString SystemPrompt;

	/**
	 * Mustache template for text added to the current turn: user_message, and the instructions,
	 * knowledge and slots that earlier nodes of the turn left. Empty = nothing is added.
	 * Localizable.
	 */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Prompt", meta = (MultiLine = true))
	FString Template;

	/** Where the rendered template goes, relative to the player's message. */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Prompt")
	ETalefoldPlacement Placement = ETalefoldPlacement::BeforeUserAsSystem;

	/** Send the reply piece by piece while it is written, then once more complete. */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Output")
	bool bStream = false;

	/**
	 * Name of a slot that takes the text in place of the reply: the player does not see it, and
	 * later nodes of the turn show it as slot_<name>. Empty = the text is the reply. Fixed once a
	 * conversation has begun.
	 */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Output")
	FString OutputSlot;

	/**
	 * Whether the prompts of a scene put the story before the character, so that all characters who
	 * know the same share its place in the KV cache.
	 */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "History")
	ETalefoldPromptCaching PromptCaching = ETalefoldPromptCaching::Auto;

	/** How much of a scene's story the prompts show. */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "History")
	FTalefoldHistoryParams History;

	/** Sampling settings of this node; each one left unset is the model's own. */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Advanced")
	FTalefoldSamplingOverrides Sampling;

	/**
	 * Memory and batching of this node's model context; unset = inherited. Fixed once a
	 * conversation has begun.
	 */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Advanced")
	FTalefoldContextOverrides Context;

	/**
	 * LoRA adapters this node runs the model with; none = the base model. Fixed once a conversation
	 * has begun.
	 */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Advanced")
	FTalefoldModelAdaptation Adaptation;

	/**
	 * Node that runs after the reply. Empty = the turn ends. The name of a node; empty = the end of
	 * the turn. Fixed once a conversation has begun.
	 */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Exits")
	FString DefaultExit;
};

/** Writes the character's reply, and voices it while it is written. */
USTRUCT(BlueprintType)
struct TALEFOLD_API FTalefoldGenerateAndSpeakParams : public FTalefoldNodeParams
{
	GENERATED_BODY()

	/**
	 * Model that this node asks. Empty = the agent's default model. Fixed once a conversation has
	 * begun.
	 */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Model", meta = (GetOptions = "Talefold.TalefoldSettings.GetModelNames"))
	FString ModelName;

	/**
	 * Context window of this node, in tokens, at most what the model was trained for. 0 = 4096, or
	 * the model's trained size if that is smaller. Fixed once a conversation has begun.
	 */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Model", meta = (ClampMin = "0", UIMin = "0", UIMax = "32768"))
	int32 ContextSize = 0;

	/** Who the character is and how it talks. Empty = no system prompt. Localizable. */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Prompt", meta = (MultiLine = true))
	FString SystemPrompt;

	/**
	 * Mustache template for text added to the current turn: user_message, and the instructions,
	 * knowledge and slots that earlier nodes of the turn left. Empty = nothing is added.
	 * Localizable.
	 */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Prompt", meta = (MultiLine = true))
	FString Template;

	/** Where the rendered template goes, relative to the player's message. */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Prompt")
	ETalefoldPlacement Placement = ETalefoldPlacement::BeforeUserAsSystem;

	/** Send the reply piece by piece while it is written, then once more complete. */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Output")
	bool bStream = false;

	/**
	 * Voice of the engine's speech backend, which says what there is. Empty = its default. Fixed
	 * once a conversation has begun.
	 */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Speech")
	FString TtsVoice;

	/** Speaker, of a voice that has several. */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Speech", meta = (ClampMin = "0", UIMin = "0", UIMax = "100"))
	int32 SpeakerId = 0;

	/** How fast to speak; 2 = twice as fast. */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Speech", meta = (ClampMin = "0.1", ClampMax = "3", UIMin = "0.5", UIMax = "2"))
	double Speed = 1.0;

	/** A sentence with fewer characters (Unicode code points) is spoken together with the next. */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Speech", meta = (ClampMin = "1", UIMin = "1", UIMax = "100"))
	int32 MinSentenceChars = 12;

	/**
	 * Whether the prompts of a scene put the story before the character, so that all characters who
	 * know the same share its place in the KV cache.
	 */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "History")
	ETalefoldPromptCaching PromptCaching = ETalefoldPromptCaching::Auto;

	/** How much of a scene's story the prompts show. */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "History")
	FTalefoldHistoryParams History;

	/** Sampling settings of this node; each one left unset is the model's own. */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Advanced")
	FTalefoldSamplingOverrides Sampling;

	/**
	 * Memory and batching of this node's model context; unset = inherited. Fixed once a
	 * conversation has begun.
	 */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Advanced")
	FTalefoldContextOverrides Context;

	/**
	 * LoRA adapters this node runs the model with; none = the base model. Fixed once a conversation
	 * has begun.
	 */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Advanced")
	FTalefoldModelAdaptation Adaptation;

	/**
	 * Node that runs when the reply has been spoken. Empty = the turn ends. The name of a node;
	 * empty = the end of the turn. Fixed once a conversation has begun.
	 */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Exits")
	FString DefaultExit;
};

/** Voices what the character said last in this turn. */
USTRUCT(BlueprintType)
struct TALEFOLD_API FTalefoldSpeakParams : public FTalefoldNodeParams
{
	GENERATED_BODY()

	/**
	 * Voice of the engine's speech backend, which says what there is. Empty = its default. Fixed
	 * once a conversation has begun.
	 */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Speech")
	FString TtsVoice;

	/** Speaker, of a voice that has several. */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Speech", meta = (ClampMin = "0", UIMin = "0", UIMax = "100"))
	int32 SpeakerId = 0;

	/** How fast to speak; 2 = twice as fast. */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Speech", meta = (ClampMin = "0.1", ClampMax = "3", UIMin = "0.5", UIMax = "2"))
	double Speed = 1.0;

	/** A sentence with fewer characters (Unicode code points) is spoken together with the next. */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Speech", meta = (ClampMin = "1", UIMin = "1", UIMax = "100"))
	int32 MinSentenceChars = 12;

	/**
	 * Node that runs next. Empty = the turn ends. The name of a node; empty = the end of the turn.
	 * Fixed once a conversation has begun.
	 */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Exits")
	FString DefaultExit;
};

/** Lets the character call tools of the game. */
USTRUCT(BlueprintType)
struct TALEFOLD_API FTalefoldToolCallParams : public FTalefoldNodeParams
{
	GENERATED_BODY()

	/**
	 * Model that this node asks. Empty = the agent's default model. Fixed once a conversation has
	 * begun.
	 */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Model", meta = (GetOptions = "Talefold.TalefoldSettings.GetModelNames"))
	FString ModelName;

	/**
	 * Context window of this node, in tokens, at most what the model was trained for. 0 = 4096, or
	 * the model's trained size if that is smaller. Fixed once a conversation has begun.
	 */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Model", meta = (ClampMin = "0", UIMin = "0", UIMax = "32768"))
	int32 ContextSize = 0;

	/**
	 * Who the character is, and when it should use its tools; the tools themselves are described
	 * after it. Empty = the tools alone. Localizable.
	 */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Prompt", meta = (MultiLine = true))
	FString SystemPrompt;

	/** What the character can call, 1 to 64 tools. Fixed once a conversation has begun. */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Tools")
	TArray<FTalefoldToolDescription> Tools;

	/**
	 * How the model is told of tools, and how it calls them. Fixed once a conversation has begun.
	 */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Tools")
	ETalefoldToolCallFormat ToolCallFormat = ETalefoldToolCallFormat::Auto;

	/** Whether the model may answer with prose. required needs grammar. */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Tools")
	ETalefoldToolChoice ToolChoice = ETalefoldToolChoice::Auto;

	/**
	 * Leave the model no way to write a call but a valid one: of a tool there is, with arguments of
	 * the schema's names, types and values. With tool_choice auto it is free to answer with prose
	 * instead.
	 */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Tools")
	bool bGrammar = true;

	/**
	 * What the model writes when it calls no tool is the character's reply. Off = it is dropped,
	 * for another node to reply.
	 */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Output")
	bool bGenerateOnNoTool = false;

	/** Send an event for each call. */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Output")
	bool bNotifyClient = false;

	/**
	 * Name of a slot that takes the text in place of the reply: the player does not see it, and
	 * later nodes of the turn show it as slot_<name>. Empty = the text is the reply. Fixed once a
	 * conversation has begun.
	 */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Output")
	FString OutputSlot;

	/**
	 * Whether the prompts of a scene put the story before the character, so that all characters who
	 * know the same share its place in the KV cache.
	 */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "History")
	ETalefoldPromptCaching PromptCaching = ETalefoldPromptCaching::Auto;

	/** How much of a scene's story the prompts show. */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "History")
	FTalefoldHistoryParams History;

	/** Sampling settings of this node; each one left unset is the model's own. */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Advanced")
	FTalefoldSamplingOverrides Sampling;

	/**
	 * Memory and batching of this node's model context; unset = inherited. Fixed once a
	 * conversation has begun.
	 */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Advanced")
	FTalefoldContextOverrides Context;

	/**
	 * LoRA adapters this node runs the model with; none = the base model. Fixed once a conversation
	 * has begun.
	 */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Advanced")
	FTalefoldModelAdaptation Adaptation;

	/**
	 * Node that runs when a tool was called. Empty = the turn ends. The name of a node; empty = the
	 * end of the turn. Fixed once a conversation has begun.
	 */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Exits")
	FString ToolCalledExit;

	/**
	 * Node that runs when none was. Empty = the turn ends. The name of a node; empty = the end of
	 * the turn. Fixed once a conversation has begun.
	 */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Exits")
	FString NoToolCalledExit;
};

/** Attaches an instruction that templates of later nodes can show. */
USTRUCT(BlueprintType)
struct TALEFOLD_API FTalefoldInstructionParams : public FTalefoldNodeParams
{
	GENERATED_BODY()

	/** Name under which templates find it: instruction_<name>. Empty = the node's name. */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Behavior")
	FString InstructionName;

	/** The text, shown as it stands. Localizable. */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Behavior", meta = (MultiLine = true))
	FString Instruction;

	/**
	 * Node that runs next. Empty = the turn ends. The name of a node; empty = the end of the turn.
	 * Fixed once a conversation has begun.
	 */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Exits")
	FString DefaultExit;
};

/** Attaches the records of a knowledge base that are nearest to the player's text. */
USTRUCT(BlueprintType)
struct TALEFOLD_API FTalefoldRetrieveParams : public FTalefoldNodeParams
{
	GENERATED_BODY()

	/**
	 * The knowledge base: a name, or the path of a config file under the engine's storage root.
	 * Needed. Fixed once a conversation has begun.
	 */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Knowledge")
	FString EmbeddedStringStorage;

	/** Records that are attached at most. */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Behavior", meta = (ClampMin = "1", ClampMax = "1000", UIMin = "1", UIMax = "10"))
	int32 TopK = 2;

	/**
	 * Largest distance of a record from the text, 1 - cosine; of a search by keywords, the share of
	 * the text's words that it lacks. 0 = any.
	 */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Behavior", meta = (ClampMin = "0", ClampMax = "1"))
	double Threshold = 0.5;

	/** Name under which templates find it: knowledge_<source>. Empty = the node's name. */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Behavior")
	FString Source;

	/**
	 * Which records are looked at, by their metadata: JSON text, such as {"op": "eq", "args":
	 * [{"knowledge": "place"}, {"value": "inn"}]}. Empty = all.
	 */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Knowledge", meta = (MultiLine = true))
	FString Filter;

	/**
	 * Node that runs when records were found. Empty = the turn ends. The name of a node; empty =
	 * the end of the turn. Fixed once a conversation has begun.
	 */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Exits")
	FString FoundExit;

	/**
	 * Node that runs when there were none. Empty = the turn ends. The name of a node; empty = the
	 * end of the turn. Fixed once a conversation has begun.
	 */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Exits")
	FString NotFoundExit;
};

/** Finds what the player wants: the label of the nearest record of a knowledge base. */
USTRUCT(BlueprintType)
struct TALEFOLD_API FTalefoldClassifyIntentParams : public FTalefoldNodeParams
{
	GENERATED_BODY()

	/**
	 * The knowledge base of things players say: a name, or the path of a config file under the
	 * engine's storage root. Needed. Fixed once a conversation has begun.
	 */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Knowledge")
	FString EmbeddedStringStorage;

	/** Field of its records that holds the label. Needed. */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Knowledge")
	FString MetadataField;

	/**
	 * Largest distance of the record from the text, 1 - cosine; of a search by keywords, the share
	 * of the text's words that it lacks. 0 = any.
	 */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Behavior", meta = (ClampMin = "0", ClampMax = "1"))
	double Threshold = 0.25;

	/**
	 * Which records are looked at, by their metadata: JSON text, as of a Retrieve node. Empty =
	 * all.
	 */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Knowledge", meta = (MultiLine = true))
	FString Filter;

	/** Send an event when an intention was found. */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Output")
	bool bNotifyClient = false;

	/** Records that the diagnostics list. */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Output", meta = (ClampMin = "1", ClampMax = "64"))
	int32 DiagnosticTopk = 5;

	/**
	 * Node that runs when an intention was found. Empty = the turn ends. The name of a node; empty
	 * = the end of the turn. Fixed once a conversation has begun.
	 */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Exits")
	FString FoundExit;

	/**
	 * Node that runs when none was. Empty = the turn ends. The name of a node; empty = the end of
	 * the turn. Fixed once a conversation has begun.
	 */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Exits")
	FString NotFoundExit;
};

/**
 * Finds what the player wants: asks the model which of a list of intents fits, and compares the
 * probabilities of the answers without generating one.
 */
USTRUCT(BlueprintType)
struct TALEFOLD_API FTalefoldClassifyIntentLLMParams : public FTalefoldNodeParams
{
	GENERATED_BODY()

	/**
	 * Model that this node asks. Empty = the agent's default model. Fixed once a conversation has
	 * begun.
	 */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Model", meta = (GetOptions = "Talefold.TalefoldSettings.GetModelNames"))
	FString ModelName;

	/**
	 * Context window of this node, in tokens, at most what the model was trained for. 0 = 4096, or
	 * the model's trained size if that is smaller. Fixed once a conversation has begun.
	 */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Model", meta = (ClampMin = "0", UIMin = "0", UIMax = "32768"))
	int32 ContextSize = 0;

	/**
	 * How to classify; the list of intents follows it. Empty = the built-in instructions.
	 * Localizable.
	 */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Prompt", meta = (MultiLine = true))
	FString SystemPrompt;

	/**
	 * What the player may want: 1 to 26, each with an id of its own. The model knows them by the
	 * letters A, B, C ... Fixed once a conversation has begun.
	 */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Behavior")
	TArray<FTalefoldIntentDescription> Intents;

	/**
	 * How many of the newest earlier interactions the model is shown; fewer where they do not fit.
	 */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Prompt", meta = (ClampMin = "0", ClampMax = "64", UIMin = "0", UIMax = "8"))
	int32 HistoryTurns = 2;

	/** Least probability of the likeliest intent; those of all intents together are 1. */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Behavior", meta = (ClampMin = "0", ClampMax = "1", UIMin = "0", UIMax = "1"))
	double Threshold = 0.5;

	/** Least lead of the likeliest intent over the second. */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Behavior", meta = (ClampMin = "0", ClampMax = "1", UIMin = "0", UIMax = "1"))
	double Margin = 0.15;

	/** Intention that is attached when none was found. Empty = none. */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Behavior")
	FString NotFoundIntent;

	/** Send an event when an intention was found. */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Output")
	bool bNotifyClient = false;

	/** Without effect: no text is generated, and probabilities are the model's own. */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Advanced")
	FTalefoldSamplingOverrides Sampling;

	/**
	 * Memory and batching of this node's model context; unset = inherited. Fixed once a
	 * conversation has begun.
	 */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Advanced")
	FTalefoldContextOverrides Context;

	/**
	 * LoRA adapters this node runs the model with; none = the base model. Fixed once a conversation
	 * has begun.
	 */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Advanced")
	FTalefoldModelAdaptation Adaptation;

	/**
	 * Node that runs when an intention was found. Empty = the turn ends. The name of a node; empty
	 * = the end of the turn. Fixed once a conversation has begun.
	 */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Exits")
	FString FoundExit;

	/**
	 * Node that runs when none was. Empty = the turn ends. The name of a node; empty = the end of
	 * the turn. Fixed once a conversation has begun.
	 */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Exits")
	FString NotFoundExit;
};

/** Attaches the instruction that belongs to what the player wants. */
USTRUCT(BlueprintType)
struct TALEFOLD_API FTalefoldIntentToInstructionParams : public FTalefoldNodeParams
{
	GENERATED_BODY()

	/**
	 * A Map of intentions to instructions: a name, or the path of a .json file under the engine's
	 * storage root. Empty = inline_keys and inline_values. Fixed once a conversation has begun.
	 */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Content")
	FString StringStorage;

	/** Intentions, in place of string_storage. Fixed once a conversation has begun. */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Content")
	TArray<FString> InlineKeys;

	/** Their instructions, in the same order. Fixed once a conversation has begun. */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Content")
	TArray<FString> InlineValues;

	/** Name under which templates find it: instruction_<name>. Empty = the node's name. */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Behavior")
	FString InstructionName;

	/**
	 * Node that runs next. Empty = the turn ends. The name of a node; empty = the end of the turn.
	 * Fixed once a conversation has begun.
	 */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Exits")
	FString DefaultExit;
};

/** Says one of several fixed lines; asks no model. */
USTRUCT(BlueprintType)
struct TALEFOLD_API FTalefoldCannedResponseParams : public FTalefoldNodeParams
{
	GENERATED_BODY()

	/**
	 * A List of lines: a name, or the path of a .txt file under the engine's storage root. Empty =
	 * inline_strings. Fixed once a conversation has begun.
	 */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Content")
	FString StringStorage;

	/** Lines, in place of string_storage. Fixed once a conversation has begun. */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Content")
	TArray<FString> InlineStrings;

	/** Which line comes next. */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Behavior")
	ETalefoldSelectionStrategy SelectionStrategy = ETalefoldSelectionStrategy::Shuffle;

	/**
	 * Name of a slot that takes the text in place of the reply: the player does not see it, and
	 * later nodes of the turn show it as slot_<name>. Empty = the text is the reply. Fixed once a
	 * conversation has begun.
	 */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Output")
	FString OutputSlot;

	/**
	 * Node that runs next. Empty = the turn ends. The name of a node; empty = the end of the turn.
	 * Fixed once a conversation has begun.
	 */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Exits")
	FString DefaultExit;
};

/** Looks for forbidden patterns in the player's text. */
USTRUCT(BlueprintType)
struct TALEFOLD_API FTalefoldHumanMessageGuardrailParams : public FTalefoldNodeParams
{
	GENERATED_BODY()

	/**
	 * A List of patterns: a name, or the path of a .txt file under the engine's storage root. Empty
	 * = inline_strings. Fixed once a conversation has begun.
	 */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Content")
	FString StringStorage;

	/**
	 * Patterns, in place of string_storage: ECMAScript regular expressions, which are searched for
	 * without regard to case. Fixed once a conversation has begun.
	 */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Content")
	TArray<FString> InlineStrings;

	/**
	 * Node that runs when a pattern was found. Empty = the turn ends. The name of a node; empty =
	 * the end of the turn. Fixed once a conversation has begun.
	 */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Exits")
	FString TriggeredExit;

	/**
	 * Node that runs when none was. Empty = the turn ends. The name of a node; empty = the end of
	 * the turn. Fixed once a conversation has begun.
	 */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Exits")
	FString NotTriggeredExit;
};

/** Folds the older turns of a long conversation into a rolling summary. */
USTRUCT(BlueprintType)
struct TALEFOLD_API FTalefoldSummarizeParams : public FTalefoldNodeParams
{
	GENERATED_BODY()

	/**
	 * Model that writes the summary; a general instruction model does better than one tuned for
	 * roleplay. Empty = the agent's default model. Fixed once a conversation has begun.
	 */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Model", meta = (GetOptions = "Talefold.TalefoldSettings.GetModelNames"))
	FString ModelName;

	/**
	 * Context window of this node, in tokens, at most what the model was trained for. 0 = 2048, or
	 * the model's trained size if that is smaller. Fixed once a conversation has begun.
	 */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Model", meta = (ClampMin = "0", UIMin = "0", UIMax = "32768"))
	int32 ContextSize = 0;

	/**
	 * How to summarize. Empty = the built-in instructions: third person, speakers by name, nothing
	 * invented. Localizable.
	 */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Prompt", meta = (MultiLine = true))
	FString SystemPrompt;

	/**
	 * Mustache template of the request; tags: previous_summary, max_summary_tokens, and the section
	 * turns with index, user and assistant. Empty = the built-in request. Localizable.
	 */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Prompt", meta = (MultiLine = true))
	FString Template;

	/**
	 * Fold when the turns waiting outside the hot window have at least this many tokens; keep it
	 * well below what the reply node can show. 0 = off.
	 */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Behavior", meta = (ClampMin = "0", UIMin = "256", UIMax = "8192"))
	int32 TriggerTokens = 1024;

	/**
	 * Fold when at least this many turns wait outside the hot window; checked before
	 * trigger_tokens. 0 = off. With both off the node does nothing.
	 */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Behavior", meta = (ClampMin = "0", UIMin = "0", UIMax = "50"))
	int32 TriggerTurns = 0;

	/** The hot window: this many of the latest turns are never folded. */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Behavior", meta = (ClampMin = "0", ClampMax = "512", UIMin = "0", UIMax = "20"))
	int32 KeepRecentTurns = 3;

	/** Longest summary, in tokens; at least 64 tokens of context_size must stay free beside it. */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Behavior", meta = (ClampMin = "16", UIMin = "64", UIMax = "1024"))
	int32 MaxSummaryTokens = 256;

	/** What to do with one turn that alone exceeds this node's context. */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Behavior")
	ETalefoldOversizedTurn OversizedTurn = ETalefoldOversizedTurn::Keep;

	/** Send the game a `summarized` event after each fold. */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Output")
	bool bNotifyClient = false;

	/** Sampling settings of this node; each one left unset is the model's own. */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Advanced")
	FTalefoldSamplingOverrides Sampling;

	/**
	 * Fold inside the turn that triggered it, which lasts that much longer. Off: beside the next
	 * turns, which go first.
	 */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Advanced")
	bool bRunInline = true;

	/**
	 * Memory and batching of this node's model context; unset = inherited. Fixed once a
	 * conversation has begun.
	 */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Advanced")
	FTalefoldContextOverrides Context;

	/**
	 * LoRA adapters this node runs the model with; none = the base model. Fixed once a conversation
	 * has begun.
	 */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Advanced")
	FTalefoldModelAdaptation Adaptation;

	/**
	 * Node that runs next, folded or not. Empty = the turn ends. The name of a node; empty = the
	 * end of the turn. Fixed once a conversation has begun.
	 */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Exits")
	FString DefaultExit;
};

/** Summarizes the older messages of a scene, entry after entry. */
USTRUCT(BlueprintType)
struct TALEFOLD_API FTalefoldArchiveParams : public FTalefoldNodeParams
{
	GENERATED_BODY()

	/**
	 * Model that writes the summaries. Empty = the scene's default model. Fixed once a conversation
	 * has begun.
	 */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Model", meta = (GetOptions = "Talefold.TalefoldSettings.GetModelNames"))
	FString ModelName;

	/**
	 * Context window of this node, in tokens, at most what the model was trained for. 0 = 8192, or
	 * the model's trained size if that is smaller. Fixed once a conversation has begun.
	 */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Model", meta = (ClampMin = "0", UIMin = "0", UIMax = "32768"))
	int32 ContextSize = 0;

	/** Off: no entries are written; those that are there are still used. */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Behavior")
	bool bEnabled = true;

	/**
	 * An entry ends when its messages have more tokens than this; a time passage, or a character
	 * that comes or goes, ends it earlier.
	 */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Behavior", meta = (ClampMin = "1", UIMin = "512", UIMax = "64000"))
	int32 TokenThreshold = 1536;

	/** Length and shape of a summary; layers above are not affected. */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Prompt")
	ETalefoldSummaryMethod Method = ETalefoldSummaryMethod::Balanced;

	/**
	 * How many of the newest summaries are shown as earlier chapters. 0 helps with a model that
	 * copies them into the new one.
	 */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Prompt", meta = (ClampMin = "0", UIMin = "0", UIMax = "24"))
	int32 PrecedingSummaries = 6;

	/** Added to the task: style, focus or form of the summaries. Localizable. */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Prompt", meta = (MultiLine = true))
	FString CustomInstructions;

	/** Sampling settings of this node; each one left unset is the model's own. */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Advanced")
	FTalefoldSamplingOverrides Sampling;

	/**
	 * Memory and batching of this node's model context; unset = inherited. Fixed once a
	 * conversation has begun.
	 */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Advanced")
	FTalefoldContextOverrides Context;

	/**
	 * LoRA adapters this node runs the model with; none = the base model. Fixed once a conversation
	 * has begun.
	 */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Advanced")
	FTalefoldModelAdaptation Adaptation;

	/**
	 * Node of the memory graph that runs next. Empty = it ends. The name of a node; empty = the end
	 * of the turn. Fixed once a conversation has begun.
	 */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Exits")
	FString DefaultExit;
};

/** Summarizes the summaries of a scene, layer upon layer. */
USTRUCT(BlueprintType)
struct TALEFOLD_API FTalefoldLayeredHistoryParams : public FTalefoldNodeParams
{
	GENERATED_BODY()

	/**
	 * Model that writes the summaries. Empty = the scene's default model. Fixed once a conversation
	 * has begun.
	 */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Model", meta = (GetOptions = "Talefold.TalefoldSettings.GetModelNames"))
	FString ModelName;

	/**
	 * Context window of this node, in tokens, at most what the model was trained for. 0 = 8192, or
	 * the model's trained size if that is smaller. Fixed once a conversation has begun.
	 */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Model", meta = (ClampMin = "0", UIMin = "0", UIMax = "32768"))
	int32 ContextSize = 0;

	/**
	 * Off: layers are neither written nor used. Turned on late, the next run takes in the whole
	 * story.
	 */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Behavior")
	bool bEnabled = true;

	/** Tokens of one list that become one entry of the next layer. */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Behavior", meta = (ClampMin = "1", UIMin = "256", UIMax = "8192"))
	int32 TokenThreshold = 1536;

	/** Most layers above the base entries. Beyond 3 little is left to gain. */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Behavior", meta = (ClampMin = "1", UIMin = "1", UIMax = "5"))
	int32 MaxLayers = 3;

	/**
	 * A group is summarized in parts of about this many tokens, which are joined. Above
	 * token_threshold it has no effect; set it there for strong models.
	 */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Behavior", meta = (ClampMin = "1", UIMin = "256", UIMax = "8192"))
	int32 MaxProcessTokens = 768;

	/**
	 * A request shows its text in chunks of about this many characters, and asks for a summary of
	 * each.
	 */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Behavior", meta = (ClampMin = "1", UIMin = "512", UIMax = "2048"))
	int32 ChunkChars = 1280;

	/**
	 * The model writes an analysis of each chunk first, which is thrown away. Better summaries,
	 * longer replies.
	 */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Prompt")
	bool bAnalyze = true;

	/**
	 * Longest reply, in tokens: the summaries of all chunks of a request, with their analysis if
	 * there is one.
	 */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Behavior", meta = (ClampMin = "1", UIMin = "256", UIMax = "2048"))
	int32 MaxResponseTokens = 2048;

	/** Sampling settings of this node; each one left unset is the model's own. */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Advanced")
	FTalefoldSamplingOverrides Sampling;

	/**
	 * Memory and batching of this node's model context; unset = inherited. Fixed once a
	 * conversation has begun.
	 */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Advanced")
	FTalefoldContextOverrides Context;

	/**
	 * LoRA adapters this node runs the model with; none = the base model. Fixed once a conversation
	 * has begun.
	 */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Advanced")
	FTalefoldModelAdaptation Adaptation;

	/**
	 * Node of the memory graph that runs next. Empty = it ends. The name of a node; empty = the end
	 * of the turn. Fixed once a conversation has begun.
	 */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Exits")
	FString DefaultExit;
};
