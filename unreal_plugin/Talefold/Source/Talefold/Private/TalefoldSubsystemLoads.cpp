// What the subsystem loads: models, embedding models and knowledge, by the project settings.
#include "TalefoldSubsystem.h"

#include "Bridge/TalefoldContent.h"
#include "Bridge/TalefoldJson.h"
#include "Bridge/TalefoldText.h"
#include "TalefoldLog.h"
#include "TalefoldSettings.h"

namespace
{
	FString ScriptedOptions(const TArray<FString>& Replies)
	{
		TArray<TSharedPtr<FJsonValue>> Values;
		for (const FString& Reply : Replies)
		{
			Values.Add(MakeShared<FJsonValueString>(Reply));
		}
		const TSharedRef<FJsonObject> Options = MakeShared<FJsonObject>();
		Options->SetArrayField(TEXT("replies"), Values);
		return TalefoldJson::Write(Options);
	}

	FTalefoldError NotListed(ETalefoldContent Kind, const FString& Name)
	{
		const TCHAR* const What = Kind == ETalefoldContent::Knowledge ? TEXT("knowledge base") : TEXT("model");
		return FTalefoldError::Make(
			Kind == ETalefoldContent::Knowledge ? ETalefoldErrorCode::InvalidArgument : ETalefoldErrorCode::ModelNotFound,
			FString::Printf(TEXT("No %s is called '%s'"), What, *Name),
			TEXT("Add it in Project Settings, Plugins, Talefold, or load it first"));
	}

	/** Several loads that end as one: with the first error, after the last of them. */
	class FTogether : public TSharedFromThis<FTogether>
	{
	public:
		explicit FTogether(UTalefoldSubsystem::FFinished InFinished)
			: Finished(MoveTemp(InFinished))
		{
		}

		/** One more; what it returns is to be called at its end. */
		UTalefoldSubsystem::FFinished Add()
		{
			++Left;
			return [Kept = AsShared()](const FTalefoldError& Error) { Kept->OneDone(Error); };
		}

		void OneDone(const FTalefoldError& Error)
		{
			if (Error.IsError() && !FirstError.IsError())
			{
				FirstError = Error;
			}
			if (--Left == 0)
			{
				Finished(FirstError);
			}
		}

	private:
		UTalefoldSubsystem::FFinished Finished;
		FTalefoldError FirstError;
		int32 Left = 1; // one for who adds: a load may be finished before the next begins
	};

	void IgnoreProgress(float)
	{
	}
} // namespace

bool UTalefoldSubsystem::LoadScriptedModel(const FString& Name, const TArray<FString>& Replies, FTalefoldError& Error)
{
	return LoadScriptedModelFromJson(Name, ScriptedOptions(Replies), Error);
}

bool UTalefoldSubsystem::LoadScriptedModelFromJson(const FString& Name, const FString& OptionsJson, FTalefoldError& Error)
{
	if (!Content)
	{
		Error = UnavailableReason;
		return false;
	}
	const bool bLoaded = Content->LoadScripted(Name, OptionsJson, Error);
	ModelFinished(Name, Error);
	return bLoaded;
}

void UTalefoldSubsystem::LoadModel(const FString& Name, FProgress Progress, FFinished Finished)
{
	const UTalefoldSettings* Settings = GetDefault<UTalefoldSettings>();
	if (IsModelLoaded(Name))
	{
		Finished(FTalefoldError());
		return;
	}
	if (Settings->bUseScriptedModel)
	{
		FTalefoldError Error;
		LoadScriptedModel(Name, Settings->ScriptedReplies, Error);
		Finished(Error);
		return;
	}
	const TWeakObjectPtr<UTalefoldSubsystem> Weak(this);
	LoadListed(ETalefoldContent::Model, Name, MoveTemp(Progress), [Weak, Name, Finished = MoveTemp(Finished)](const FTalefoldError& Error) {
		Finished(Error);
		if (UTalefoldSubsystem* Subsystem = Weak.Get())
		{
			Subsystem->ModelFinished(Name, Error);
		}
	});
}

void UTalefoldSubsystem::LoadEmbeddingModel(const FString& Name, FProgress Progress, FFinished Finished)
{
	LoadListed(ETalefoldContent::EmbeddingModel, Name, MoveTemp(Progress), MoveTemp(Finished));
}

void UTalefoldSubsystem::LoadKnowledge(const FString& Name, FFinished Finished)
{
	const TWeakObjectPtr<UTalefoldSubsystem> Weak(this);
	const TSharedRef<FTogether> Models = MakeShared<FTogether>([Weak, Name, Finished = MoveTemp(Finished)](const FTalefoldError& Error) {
		UTalefoldSubsystem* Subsystem = Weak.Get();
		if (Error.IsError())
		{
			Finished(Error);
		}
		else if (Subsystem != nullptr)
		{
			Subsystem->LoadListed(ETalefoldContent::Knowledge, Name, IgnoreProgress, Finished);
		}
	});
	const UTalefoldSettings* Settings = GetDefault<UTalefoldSettings>();
	if (Content && !Settings->bUseScriptedModel) // which is for games without weights
	{
		for (const FTalefoldEmbeddingModelEntry& Model : Settings->EmbeddingModels)
		{
			LoadEmbeddingModel(Model.Name, IgnoreProgress, Models->Add());
		}
	}
	Models->OneDone(FTalefoldError());
}

void UTalefoldSubsystem::LoadKnowledgeFromJson(
	const FString& Name, const FString& Config, const FString& Records, FFinished Finished)
{
	if (!Content)
	{
		Finished(UnavailableReason);
		return;
	}
	const TSharedRef<FJsonObject> Source = MakeShared<FJsonObject>();
	Source->SetStringField(TEXT("config"), Config);
	Source->SetStringField(TEXT("records"), Records);
	Content->Load(ETalefoldContent::Knowledge, Name, TalefoldJson::Write(Source), IgnoreProgress, MoveTemp(Finished));
}

void UTalefoldSubsystem::SearchKnowledge(const FString& Name, const FString& Search, FFound Found)
{
	if (!Runtime)
	{
		Found({}, UnavailableReason);
		return;
	}
	const TWeakPtr<FTalefoldRuntime> Weak = Runtime;
	const auto Loaded = [Weak, Name, Search, Found = MoveTemp(Found)](const FTalefoldError& LoadError) {
		const TSharedPtr<FTalefoldRuntime> Owner = Weak.Pin();
		if (LoadError.IsError() || !Owner)
		{
			Found({}, LoadError);
			return;
		}
		// On the worker: a model may have to compare the text.
		Owner->InBackground([Library = Owner->ShareLibrary(), Engine = Owner->Engine(), Name, Search, Found]() -> FTalefoldRuntime::FThen {
			talefold_text Json = {};
			FTalefoldError Error;
			TArray<FTalefoldFoundRecord> Records;
			if (Library->Check(Library->Api().engine_search_knowledge(Engine, FTalefoldUtf8(Name), FTalefoldUtf8(Search), &Json), Error))
			{
				Records = TalefoldJson::ReadFoundRecords(TalefoldText::ToString(Json));
			}
			return [Found, Records, Error]() { Found(Records, Error); };
		});
	};
	FString Ignored;
	if (GetDefault<UTalefoldSettings>()->FindOptions(ETalefoldContent::Knowledge, Name, Ignored))
	{
		LoadKnowledge(Name, Loaded);
	}
	else
	{
		Loaded(FTalefoldError());
	}
}

void UTalefoldSubsystem::LoadListed(
	ETalefoldContent Kind, const FString& Name, FProgress Progress, FFinished Finished)
{
	FString Options;
	if (!Content)
	{
		Finished(UnavailableReason);
	}
	else if (Content->IsLoaded(Kind, Name))
	{
		Finished(FTalefoldError());
	}
	else if (!GetDefault<UTalefoldSettings>()->FindOptions(Kind, Name, Options))
	{
		Finished(NotListed(Kind, Name));
	}
	else
	{
		Content->Load(Kind, Name, Options, MoveTemp(Progress), MoveTemp(Finished));
	}
}

void UTalefoldSubsystem::LoadNeeded(
	const TArray<FString>& ModelNames, const TArray<FString>& KnowledgeNames, FFinished Finished)
{
	const TSharedRef<FTogether> Loads = MakeShared<FTogether>(MoveTemp(Finished));
	const UTalefoldSettings* Settings = GetDefault<UTalefoldSettings>();
	FString Ignored;
	for (const FString& Name : ModelNames)
	{
		if (Settings->bUseScriptedModel || Settings->FindOptions(ETalefoldContent::Model, Name, Ignored))
		{
			LoadModel(Name, IgnoreProgress, Loads->Add());
		}
	}
	for (const FString& Name : KnowledgeNames)
	{
		if (Settings->FindOptions(ETalefoldContent::Knowledge, Name, Ignored))
		{
			LoadKnowledge(Name, Loads->Add());
		}
	}
	Loads->OneDone(FTalefoldError());
}

void UTalefoldSubsystem::ModelFinished(const FString& Name, const FTalefoldError& Error)
{
	if (Error.IsError())
	{
		UE_LOG(LogTalefold, Warning, TEXT("%s"), *Error.ToString());
	}
	OnModelLoaded.Broadcast(Name, Error);
}

bool UTalefoldSubsystem::Unload(ETalefoldContent Kind, const FString& Name, FTalefoldError& Error)
{
	Error = UnavailableReason;
	return Content && Content->Unload(Kind, Name, Error);
}

bool UTalefoldSubsystem::IsLoaded(ETalefoldContent Kind, const FString& Name) const
{
	return Content && Content->IsLoaded(Kind, Name);
}

bool UTalefoldSubsystem::UnloadModel(const FString& Name, FTalefoldError& Error)
{
	return Unload(ETalefoldContent::Model, Name, Error);
}

bool UTalefoldSubsystem::IsModelLoaded(const FString& Name) const
{
	return IsLoaded(ETalefoldContent::Model, Name);
}

TArray<FString> UTalefoldSubsystem::GetLoadedModels() const
{
	return Content ? Content->LoadedNames(ETalefoldContent::Model) : TArray<FString>();
}

bool UTalefoldSubsystem::UnloadEmbeddingModel(const FString& Name, FTalefoldError& Error)
{
	return Unload(ETalefoldContent::EmbeddingModel, Name, Error);
}

bool UTalefoldSubsystem::IsEmbeddingModelLoaded(const FString& Name) const
{
	return IsLoaded(ETalefoldContent::EmbeddingModel, Name);
}

bool UTalefoldSubsystem::UnloadKnowledge(const FString& Name, FTalefoldError& Error)
{
	return Unload(ETalefoldContent::Knowledge, Name, Error);
}

bool UTalefoldSubsystem::IsKnowledgeLoaded(const FString& Name) const
{
	return IsLoaded(ETalefoldContent::Knowledge, Name);
}
