#include "Bridge/TalefoldContent.h"

#include "Bridge/TalefoldJson.h"
#include "Bridge/TalefoldText.h"

FTalefoldContent::FTalefoldContent(const TSharedRef<FTalefoldRuntime>& InRuntime)
	: Runtime(InRuntime)
{
}

void FTalefoldContent::Load(
	ETalefoldContent Kind, const FString& Name, const FString& Options, FProgress Progress, FFinished Finished)
{
	if (IsLoaded(Kind, Name))
	{
		Finished(FTalefoldError());
		return;
	}
	if (const TSharedPtr<FLoad> Running = FindLoad(Kind, Name))
	{
		Running->Progress.Add(MoveTemp(Progress));
		Running->Finished.Add(MoveTemp(Finished));
		return;
	}
	const TSharedRef<FLoad> Load = MakeShared<FLoad>();
	Load->Kind = Kind;
	Load->Name = Name;
	FTalefoldError Error;
	if (!Runtime->Check(Start(*Load, Options), Error))
	{
		Finished(Error);
		return;
	}
	Load->Progress.Add(MoveTemp(Progress));
	Load->Finished.Add(MoveTemp(Finished));
	Loads.Add(Load);
	Runtime->Watch(Load->Task, [Weak = AsWeak(), Load](const FTalefoldEvent& Event) {
		if (const TSharedPtr<FTalefoldContent> Content = Weak.Pin())
		{
			Content->TakeEvent(Load, Event);
		}
	});
}

int32 FTalefoldContent::Start(FLoad& Load, const FString& Options) const
{
	const talefold_api& Api = Runtime->Api();
	const FTalefoldUtf8 Name(Load.Name);
	switch (Load.Kind)
	{
	case ETalefoldContent::EmbeddingModel:
		return Api.engine_load_embedding_model(Runtime->Engine(), Name, FTalefoldUtf8(Options), &Load.Task);
	case ETalefoldContent::Knowledge:
		return Api.engine_load_knowledge(Runtime->Engine(), Name, FTalefoldUtf8(Options), &Load.Task);
	case ETalefoldContent::Model:
	default:
		return Api.engine_load_model(Runtime->Engine(), Name, FTalefoldUtf8(Options), &Load.Task);
	}
}

void FTalefoldContent::TakeEvent(const TSharedRef<FLoad>& Load, const FTalefoldEvent& Event)
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
	if (Event.Status == TALEFOLD_STATUS_SUCCESS && Load->Kind == ETalefoldContent::Knowledge)
	{
		Knowledge.Add(Load->Name);
	}
	if (Event.Status == TALEFOLD_STATUS_CANCELLED)
	{
		Error = FTalefoldError::Make(
			ETalefoldErrorCode::LoadCancelled,
			FString::Printf(TEXT("The load of '%s' was cancelled"), *Load->Name));
	}
	Loads.Remove(Load);
	const TArray<FFinished> Told = MoveTemp(Load->Finished);
	for (const FFinished& Each : Told)
	{
		Each(Error);
	}
}

bool FTalefoldContent::LoadScripted(const FString& Name, const FString& Options, FTalefoldError& Error)
{
	return Runtime->Check(
		Runtime->Api().engine_load_scripted_model(Runtime->Engine(), FTalefoldUtf8(Name), FTalefoldUtf8(Options)), Error);
}

bool FTalefoldContent::Unload(ETalefoldContent Kind, const FString& Name, FTalefoldError& Error)
{
	const talefold_api& Api = Runtime->Api();
	switch (Kind)
	{
	case ETalefoldContent::EmbeddingModel:
		return Runtime->Check(Api.engine_unload_embedding_model(Runtime->Engine(), FTalefoldUtf8(Name)), Error);
	case ETalefoldContent::Knowledge:
		Knowledge.RemoveAll([&Name](const FString& Each) { return Each.Equals(Name, ESearchCase::CaseSensitive); });
		return Runtime->Check(Api.engine_unload_knowledge(Runtime->Engine(), FTalefoldUtf8(Name)), Error);
	case ETalefoldContent::Model:
	default:
		return Runtime->Check(Api.engine_unload_model(Runtime->Engine(), FTalefoldUtf8(Name)), Error);
	}
}

TArray<FString> FTalefoldContent::LoadedNames(ETalefoldContent Kind) const
{
	if (Kind == ETalefoldContent::Knowledge)
	{
		return Knowledge;
	}
	const talefold_api& Api = Runtime->Api();
	const auto List = Kind == ETalefoldContent::Model ? Api.engine_models : Api.engine_embedding_models;
	talefold_text Json = {};
	FTalefoldError Error;
	if (!Runtime->Check(List(Runtime->Engine(), &Json), Error))
	{
		return {};
	}
	return TalefoldJson::ReadNames(TalefoldText::ToString(Json));
}

bool FTalefoldContent::IsLoaded(ETalefoldContent Kind, const FString& Name) const
{
	return LoadedNames(Kind).ContainsByPredicate(
		[&Name](const FString& Each) { return Each.Equals(Name, ESearchCase::CaseSensitive); });
}

TSharedPtr<FTalefoldContent::FLoad> FTalefoldContent::FindLoad(ETalefoldContent Kind, const FString& Name) const
{
	for (const TSharedRef<FLoad>& Each : Loads)
	{
		if (Each->Kind == Kind && Each->Name.Equals(Name, ESearchCase::CaseSensitive))
		{
			return Each;
		}
	}
	return nullptr;
}
