#include "Bridge/TalefoldModels.h"

#include "Bridge/TalefoldJson.h"
#include "Bridge/TalefoldText.h"

FTalefoldModels::FTalefoldModels(const TSharedRef<FTalefoldRuntime>& InRuntime)
	: Runtime(InRuntime)
{
}

void FTalefoldModels::Load(const FString& Name, const FString& Options, FProgress Progress, FFinished Finished)
{
	if (IsLoaded(Name))
	{
		Finished(FTalefoldError());
		return;
	}
	if (const TSharedPtr<FLoad> Running = FindLoad(Name))
	{
		Running->Progress.Add(MoveTemp(Progress));
		Running->Finished.Add(MoveTemp(Finished));
		return;
	}
	const TSharedRef<FLoad> Load = MakeShared<FLoad>();
	FTalefoldError Error;
	if (!Runtime->Check(
			Runtime->Api().engine_load_model(Runtime->Engine(), FTalefoldUtf8(Name), FTalefoldUtf8(Options), &Load->Task), Error))
	{
		Finished(Error);
		return;
	}
	Load->Name = Name;
	Load->Progress.Add(MoveTemp(Progress));
	Load->Finished.Add(MoveTemp(Finished));
	Loads.Add(Load);
	Runtime->Watch(Load->Task, [Weak = AsWeak(), Load](const FTalefoldEvent& Event) {
		if (const TSharedPtr<FTalefoldModels> Models = Weak.Pin())
		{
			Models->TakeEvent(Load, Event);
		}
	});
}

void FTalefoldModels::TakeEvent(const TSharedRef<FLoad>& Load, const FTalefoldEvent& Event)
{
	if (Event.Kind == TALEFOLD_EVENT_PROGRESS)
	{
		const TArray<FProgress> Told = Load->Progress; // one more may join meanwhile
		for (const FProgress& Each : Told)
		{
			Each(static_cast<float>(Event.Progress));
		}
		return;
	}
	if (Event.Kind != TALEFOLD_EVENT_COMPLETE)
	{
		return;
	}
	FTalefoldError Error = Event.Error;
	if (Event.Status == TALEFOLD_STATUS_CANCELLED)
	{
		Error = FTalefoldError::Make(
			ETalefoldErrorCode::LoadCancelled,
			FString::Printf(TEXT("The load of model '%s' was cancelled"), *Load->Name));
	}
	Loads.Remove(Load);
	const TArray<FFinished> Told = MoveTemp(Load->Finished);
	for (const FFinished& Each : Told)
	{
		Each(Error);
	}
}

bool FTalefoldModels::LoadScripted(const FString& Name, const FString& Options, FTalefoldError& Error)
{
	return Runtime->Check(
		Runtime->Api().engine_load_scripted_model(Runtime->Engine(), FTalefoldUtf8(Name), FTalefoldUtf8(Options)), Error);
}

bool FTalefoldModels::Unload(const FString& Name, FTalefoldError& Error)
{
	return Runtime->Check(Runtime->Api().engine_unload_model(Runtime->Engine(), FTalefoldUtf8(Name)), Error);
}

TArray<FString> FTalefoldModels::LoadedNames() const
{
	talefold_text Json = {};
	FTalefoldError Error;
	if (!Runtime->Check(Runtime->Api().engine_models(Runtime->Engine(), &Json), Error))
	{
		return {};
	}
	return TalefoldJson::ReadNames(TalefoldText::ToString(Json));
}

bool FTalefoldModels::IsLoaded(const FString& Name) const
{
	return LoadedNames().ContainsByPredicate(
		[&Name](const FString& Each) { return Each.Equals(Name, ESearchCase::CaseSensitive); });
}

TSharedPtr<FTalefoldModels::FLoad> FTalefoldModels::FindLoad(const FString& Name) const
{
	for (const TSharedRef<FLoad>& Each : Loads)
	{
		if (Each->Name.Equals(Name, ESearchCase::CaseSensitive))
		{
			return Each;
		}
	}
	return nullptr;
}
