#pragma once

#include "Bridge/TalefoldRuntime.h"
#include "CoreMinimal.h"

/** What an engine has by names, which are apart for each kind. */
enum class ETalefoldContent : uint8
{
	Model,
	EmbeddingModel,
	Knowledge
};

/** The models and knowledge of an engine: loads each once, however many ask for it. Game thread. */
class FTalefoldContent final : public TSharedFromThis<FTalefoldContent>
{
public:
	using FProgress = TFunction<void(float Progress)>;
	using FFinished = TFunction<void(const FTalefoldError& Error)>;

	explicit FTalefoldContent(const TSharedRef<FTalefoldRuntime>& InRuntime);

	/**
	 * Loads in the background, with options as of engine_load_model and its like. What is loaded is
	 * ready at once; what is being loaded is joined.
	 */
	void Load(ETalefoldContent Kind, const FString& Name, const FString& Options, FProgress Progress, FFinished Finished);

	/** A model that is ready at once. Options as of engine_load_scripted_model. */
	bool LoadScripted(const FString& Name, const FString& Options, FTalefoldError& Error);

	/** Conversations that use it keep it until they end. */
	bool Unload(ETalefoldContent Kind, const FString& Name, FTalefoldError& Error);

	TArray<FString> LoadedNames(ETalefoldContent Kind) const;
	bool IsLoaded(ETalefoldContent Kind, const FString& Name) const;

private:
	struct FLoad
	{
		ETalefoldContent Kind;
		FString Name;
		talefold_task Task = 0;
		TArray<FProgress> Progress;
		TArray<FFinished> Finished;
	};

	int32 Start(FLoad& Load, const FString& Options) const;
	void TakeEvent(const TSharedRef<FLoad>& Load, const FTalefoldEvent& Event);
	TSharedPtr<FLoad> FindLoad(ETalefoldContent Kind, const FString& Name) const;

	const TSharedRef<FTalefoldRuntime> Runtime;
	TArray<TSharedRef<FLoad>> Loads; // that run; names differ by case, so no map of FString
	TArray<FString> Knowledge;       // that is loaded: the library lists models alone
};
