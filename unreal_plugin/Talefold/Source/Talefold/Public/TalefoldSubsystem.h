#pragma once

#include "Containers/Ticker.h"
#include "CoreMinimal.h"
#include "Subsystems/GameInstanceSubsystem.h"
#include "TalefoldError.h"

#include "TalefoldSubsystem.generated.h"

class FTalefoldModels;
class FTalefoldRuntime;

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

	/** What inference does and holds, as JSON; empty while it is not available. For a debug display. */
	UFUNCTION(BlueprintCallable, Category = "Talefold")
	FString GetStatsJson() const;

	/** A model that was asked for is there, or cannot be had. */
	UPROPERTY(BlueprintAssignable, Category = "Talefold|Models")
	FTalefoldModelLoaded OnModelLoaded;

	// For C++.

	using FProgress = TFunction<void(float Progress)>;
	using FFinished = TFunction<void(const FTalefoldError& Error)>;

	/**
	 * Loads a model of the settings, once. Finished may be called before this returns; it is not called
	 * when the game instance ends first, which cancels the load.
	 */
	void LoadModel(const FString& Name, FProgress Progress, FFinished Finished);

	/** Loads those of the models that the settings have; what else there is, an agent will tell. */
	void LoadModels(const TArray<FString>& Names, FFinished Finished);

	/** The last moment of the game instance in which something may be told. */
	FSimpleMulticastDelegate& OnEnding() { return Ending; }

	/** Null while it is not available. */
	TSharedPtr<FTalefoldRuntime> GetRuntime() const { return Runtime; }

private:
	bool AddStorage(const FString& Name, const TCHAR* Kind, const FString& Entries, FTalefoldError& Error);
	void ModelFinished(const FString& Name, const FTalefoldError& Error);
	bool Tick(float DeltaTime);

	TSharedPtr<FTalefoldRuntime> Runtime;
	TSharedPtr<FTalefoldModels> Models;
	FTalefoldError UnavailableReason;
	FSimpleMulticastDelegate Ending;
	FTSTicker::FDelegateHandle TickHandle;
};
