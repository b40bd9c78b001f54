#pragma once

#include "Containers/Ticker.h"
#include "CoreMinimal.h"
#include "Subsystems/GameInstanceSubsystem.h"
#include "TalefoldError.h"
#include "TalefoldFoundRecord.h"

#include "TalefoldSubsystem.generated.h"

class FTalefoldContent;
class FTalefoldRuntime;
struct talefold_api;
struct talefold_speech_backend;
enum class ETalefoldContent : uint8;

DECLARE_DYNAMIC_MULTICAST_DELEGATE_TwoParams(FTalefoldModelLoaded, const FString&, Name, const FTalefoldError&, Error);

/**
 * The engine of a game instance and its models. It lives as long as the game instance, hands out
 * everything on the game thread, at most MaxEventsPerFrame events a frame, also while the game is
 * paused, and nothing after Deinitialize.
 */
UCLASS()
class TALEFOLD_API UTalefoldSubsystem : public UGameInstanceSubsystem
{
	GENERATED_BODY()

public:
	virtual void Initialize(FSubsystemCollectionBase& Collection) override;
	virtual void Deinitialize() override;

	/** Of the game instance that the object belongs to; null if it belongs to none. */
	static UTalefoldSubsystem* Get(const UObject* WorldContextObject);

	/** Whether characters can talk: the native library was found and the settings are valid. */
	UFUNCTION(BlueprintPure, Category = "Talefold")
	bool IsAvailable() const;

	/** Why characters cannot talk; a code of 0 if they can. */
	UFUNCTION(BlueprintPure, Category = "Talefold")
	FTalefoldError GetUnavailableReason() const { return UnavailableReason; }

	/**
	 * A model that gives the replies one after the other, for tests and to wire a game without
	 * weights. It is there at once.
	 */
	UFUNCTION(BlueprintCallable, Category = "Talefold|Models")
	bool LoadScriptedModel(const FString& Name, const TArray<FString>& Replies, FTalefoldError& Error);

	/** The same with all options, such as {"replies": [...], "tokenizer": "words"}. */
	UFUNCTION(BlueprintCallable, Category = "Talefold|Models")
	bool LoadScriptedModelFromJson(const FString& Name, const FString& OptionsJson, FTalefoldError& Error);

	/** Forgets a model; conversations that use it keep it until they end. */
	UFUNCTION(BlueprintCallable, Category = "Talefold|Models")
	bool UnloadModel(const FString& Name, FTalefoldError& Error);

	UFUNCTION(BlueprintPure, Category = "Talefold|Models")
	bool IsModelLoaded(const FString& Name) const;

	UFUNCTION(BlueprintPure, Category = "Talefold|Models")
	TArray<FString> GetLoadedModels() const;

	/** Tokens that a model counts in a text; -1 when there is no such model. */
	UFUNCTION(BlueprintCallable, Category = "Talefold|Models")
	int32 CountTokens(const FString& ModelName, const FString& Text) const;

	/** Lines by name for the nodes that choose among authored texts, in the order given. */
	UFUNCTION(BlueprintCallable, Category = "Talefold|Content")
	bool AddLines(const FString& StorageName, const TArray<FString>& Lines, FTalefoldError& Error);

	/** Texts by id, likewise. */
	UFUNCTION(BlueprintCallable, Category = "Talefold|Content")
	bool AddTexts(const FString& StorageName, const TMap<FString, FString>& Texts, FTalefoldError& Error);

	/** Forgets a knowledge base; conversations that use it keep it until they end. */
	UFUNCTION(BlueprintCallable, Category = "Talefold|Content")
	bool UnloadKnowledge(const FString& Name, FTalefoldError& Error);

	UFUNCTION(BlueprintPure, Category = "Talefold|Content")
	bool IsKnowledgeLoaded(const FString& Name) const;

	/** Forgets an embedding model; knowledge that uses it keeps it. */
	UFUNCTION(BlueprintCallable, Category = "Talefold|Content")
	bool UnloadEmbeddingModel(const FString& Name, FTalefoldError& Error);

	UFUNCTION(BlueprintPure, Category = "Talefold|Content")
	bool IsEmbeddingModelLoaded(const FString& Name) const;

	/** What inference does and holds, as JSON; empty while it is not available. For a debug display. */
	UFUNCTION(BlueprintCallable, Category = "Talefold")
	FString GetStatsJson() const;

	/** A model that was asked for is there, or cannot be had. */
	UPROPERTY(BlueprintAssignable, Category = "Talefold|Models")
	FTalefoldModelLoaded OnModelLoaded;

	// For C++.

	using FProgress = TFunction<void(float Progress)>;
	using FFinished = TFunction<void(const FTalefoldError& Error)>;

	// Loads of what the settings have, each once. Finished may be called before these return; it is not
	// called when the game instance ends first, which cancels the load.

	void LoadModel(const FString& Name, FProgress Progress, FFinished Finished);
	void LoadEmbeddingModel(const FString& Name, FProgress Progress, FFinished Finished);

	/** After all embedding models of the settings, of which it may need one. */
	void LoadKnowledge(const FString& Name, FFinished Finished);

	/** Of texts as in a config file and its records file. */
	void LoadKnowledgeFromJson(const FString& Name, const FString& Config, const FString& Records, FFinished Finished);

	using FFound = TFunction<void(const TArray<FTalefoldFoundRecord>& Records, const FTalefoldError& Error)>;

	/** Search is JSON, as of engine_search_knowledge; the worker searches. Loads what the settings have of it. */
	void SearchKnowledge(const FString& Name, const FString& Search, FFound Found);

	/** Loads what the settings have of this; what else there is, an agent will tell. */
	void LoadNeeded(const TArray<FString>& ModelNames, const TArray<FString>& KnowledgeNames, FFinished Finished);

	/**
	 * What characters speak with, from the next conversation on; null = nothing. It is copied, and its
	 * functions run on threads of the library: see talefold.h, of the module TalefoldLibrary.
	 */
	bool SetSpeechBackend(const talefold_speech_backend* Backend, FTalefoldError& Error);

	/** The functions of the library, which a speech backend calls; null while it is not available. */
	const talefold_api* GetApi() const;

	/** The last moment of the game instance in which something may be told. */
	FSimpleMulticastDelegate& OnEnding() { return Ending; }

	/** Null while it is not available. */
	TSharedPtr<FTalefoldRuntime> GetRuntime() const { return Runtime; }

private:
	bool AddStorage(const FString& Name, const TCHAR* Kind, const FString& Entries, FTalefoldError& Error);
	void LoadListed(ETalefoldContent Kind, const FString& Name, FProgress Progress, FFinished Finished);
	bool Unload(ETalefoldContent Kind, const FString& Name, FTalefoldError& Error);
	bool IsLoaded(ETalefoldContent Kind, const FString& Name) const;
	void ModelFinished(const FString& Name, const FTalefoldError& Error);
	bool Tick(float DeltaTime);

	TSharedPtr<FTalefoldRuntime> Runtime;
	TSharedPtr<FTalefoldContent> Content;
	FTalefoldError UnavailableReason;
	FSimpleMulticastDelegate Ending;
	FTSTicker::FDelegateHandle TickHandle;
};
