#pragma once

#include "CoreMinimal.h"
#include "Engine/DeveloperSettings.h"
#include "Engine/EngineTypes.h"
#include "Generated/TalefoldNodeParams.h"

#include "TalefoldSettings.generated.h"

enum class ETalefoldContent : uint8;

/** A model that characters can talk with, by its name. */
USTRUCT(BlueprintType)
struct TALEFOLD_API FTalefoldModelEntry
{
	GENERATED_BODY()

	/** What graphs and nodes call it. */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Model")
	FString Name;

	/**
	 * A GGUF file, absolute or relative to the project. It must be staged as a loose file: list its
	 * folder under Packaging, Additional Non-Asset Directories To Copy.
	 */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Model", meta = (FilePathFilter = "gguf", RelativeToGameDir))
	FFilePath File;

	/** Layers that are kept on the GPU; -1 = all. The portable library computes on the CPU. */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Model", meta = (ClampMin = "-1", UIMax = "100"))
	int32 GpuLayers = 0;

	/** Tokens, of nodes whose Context Size is 0; 0 = 4096. */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Model", meta = (ClampMin = "0", UIMax = "32768"))
	int32 DefaultContextSize = 0;

	/** The name or text of a chat template in place of the model's own; mostly empty. */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Model", AdvancedDisplay)
	FString ChatTemplate;

	/** Replies keep what the model thought before it answered. */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Model", AdvancedDisplay)
	bool bKeepReasoning = false;

	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Model", AdvancedDisplay)
	FTalefoldSamplingOverrides DefaultSampling;
};

/** A model by which knowledge is compared, by its name, which is apart from those of other models. */
USTRUCT(BlueprintType)
struct TALEFOLD_API FTalefoldEmbeddingModelEntry
{
	GENERATED_BODY()

	/** What the config files of knowledge call it. */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Model")
	FString Name;

	/** A GGUF file, as of the models above. */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Model", meta = (FilePathFilter = "gguf", RelativeToGameDir))
	FFilePath File;

	/** Layers that are kept on the GPU; -1 = all. The portable library computes on the CPU. */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Model", meta = (ClampMin = "-1", UIMax = "100"))
	int32 GpuLayers = 0;
};

/** Records that characters find by what they say, by a name. */
USTRUCT(BlueprintType)
struct TALEFOLD_API FTalefoldKnowledgeEntry
{
	GENERATED_BODY()

	/** What graphs call it. It must not be the path of a file in the storage root. */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Knowledge")
	FString Name;

	/** Its config file, by its path in the storage root, such as lore/config.json. */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Knowledge")
	FString ConfigFile;
};

/** Project Settings, Plugins, Talefold. Read when a game instance starts. */
UCLASS(Config = Game, DefaultConfig, meta = (DisplayName = "Talefold"))
class TALEFOLD_API UTalefoldSettings : public UDeveloperSettings
{
	GENERATED_BODY()

public:
	virtual FName GetCategoryName() const override { return TEXT("Plugins"); }

	/** The name of the default model. A script needs a name too, though nobody chooses one for it. */
	FString DefaultModel() const;

	/** The options of the engine, as JSON. */
	FString EngineOptions() const;

	/** The options of loading what is called so, as JSON; files are looked for in the project. False if there is no such. */
	bool FindOptions(ETalefoldContent Kind, const FString& Name, FString& Options) const;

	/** The models that graphs can name. */
	UPROPERTY(Config, EditAnywhere, Category = "Models")
	TArray<FTalefoldModelEntry> Models;

	/** The names of the models above, after an empty one: what dropdowns of model names offer. */
	UFUNCTION()
	static TArray<FString> GetModelNames();

	/** The model of characters that name none. */
	UPROPERTY(Config, EditAnywhere, Category = "Models", meta = (GetOptions = "GetModelNames"))
	FString DefaultModelName;

	/** Every model is a script that gives the replies below: to wire a game without weights. */
	UPROPERTY(Config, EditAnywhere, Category = "Scripted Model")
	bool bUseScriptedModel = false;

	/** Given one after the other, then again from the first. */
	UPROPERTY(Config, EditAnywhere, Category = "Scripted Model", meta = (EditCondition = "bUseScriptedModel"))
	TArray<FString> ScriptedReplies = {TEXT("Aye."), TEXT("So it is said."), TEXT("I have work to do.")};

	/** Most events that are handed to the game in a frame; the others come in the next. */
	UPROPERTY(Config, EditAnywhere, Category = "Performance", meta = (ClampMin = "1", UIMax = "256"))
	int32 MaxEventsPerFrame = 64;

	/** Turns that may run at the same time. */
	UPROPERTY(Config, EditAnywhere, Category = "Performance", meta = (ClampMin = "1", UIMax = "32"))
	int32 WorkerThreads = 8;

	/** Most memory for what models have computed, in megabytes. */
	UPROPERTY(Config, EditAnywhere, Category = "Performance", meta = (ClampMin = "1", UIMax = "16384"))
	int32 KvCacheMegabytes = 1024;

	/** Requests of one model and context size that run at the same time; each takes memory. */
	UPROPERTY(Config, EditAnywhere, Category = "Performance", meta = (ClampMin = "1", UIMax = "16"))
	int32 SlotsPerPool = 4;

	/** Compute what the next prompts begin with while no player waits. */
	UPROPERTY(Config, EditAnywhere, Category = "Performance")
	bool bPrewarm = true;

	/** The same replies whatever else runs. Slower. */
	UPROPERTY(Config, EditAnywhere, Category = "Performance", AdvancedDisplay)
	bool bDeterministic = false;

	/** Longest text of one message, in bytes of UTF-8. */
	UPROPERTY(Config, EditAnywhere, Category = "Limits", AdvancedDisplay, meta = (ClampMin = "1"))
	int32 MaxMessageBytes = 65536;

	/** Most nodes of a graph in one turn. */
	UPROPERTY(Config, EditAnywhere, Category = "Limits", AdvancedDisplay, meta = (ClampMin = "1"))
	int32 MaxStepsPerTurn = 64;

	/** Loaded before the first knowledge base. Knowledge whose model is not here is found by words. */
	UPROPERTY(Config, EditAnywhere, Category = "Content")
	TArray<FTalefoldEmbeddingModelEntry> EmbeddingModels;

	/** Loaded when a character needs it, or by Load Knowledge. */
	UPROPERTY(Config, EditAnywhere, Category = "Content")
	TArray<FTalefoldKnowledgeEntry> Knowledge;

	/** The folder of string storages and knowledge, in the project; empty = no files. */
	UPROPERTY(Config, EditAnywhere, Category = "Content", meta = (RelativeToGameContentDir))
	FDirectoryPath StorageRoot;
};
