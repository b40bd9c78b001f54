#pragma once

#include "Bridge/TalefoldRuntime.h"
#include "CoreMinimal.h"

/** The models of an engine: loads each once, however many ask for it. Game thread. */
class FTalefoldModels final : public TSharedFromThis<FTalefoldModels>
{
public:
	using FProgress = TFunction<void(float Progress)>;
	using FFinished = TFunction<void(const FTalefoldError& Error)>;

	explicit FTalefoldModels(const TSharedRef<FTalefoldRuntime>& InRuntime);

	/**
	 * Loads a GGUF file in the background, with options as of engine_load_model. One that is loaded
	 * is ready at once; one that is being loaded is joined.
	 */
	void Load(const FString& Name, const FString& Options, FProgress Progress, FFinished Finished);

	/** Ready at once. Options as of engine_load_scripted_model. */
	bool LoadScripted(const FString& Name, const FString& Options, FTalefoldError& Error);

	/** Conversations that use it keep it until they end. */
	bool Unload(const FString& Name, FTalefoldError& Error);

	TArray<FString> LoadedNames() const;
	bool IsLoaded(const FString& Name) const;

private:
	struct FLoad
	{
		FString Name;
		talefold_task Task = 0;
		TArray<FProgress> Progress;
		TArray<FFinished> Finished;
	};

	void TakeEvent(const TSharedRef<FLoad>& Load, const FTalefoldEvent& Event);
	TSharedPtr<FLoad> FindLoad(const FString& Name) const;

	const TSharedRef<FTalefoldRuntime> Runtime;
	TArray<TSharedRef<FLoad>> Loads; // that run; names differ by case, so no map of FString
};
