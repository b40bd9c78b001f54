#include "TalefoldSubsystem.h"

#include "Bridge/TalefoldJson.h"
#include "Bridge/TalefoldModels.h"
#include "Bridge/TalefoldRuntime.h"
#include "Bridge/TalefoldText.h"
#include "Engine/Engine.h"
#include "Engine/GameInstance.h"
#include "Engine/World.h"
#include "TalefoldLog.h"
#include "TalefoldModule.h"
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
} // namespace

void UTalefoldSubsystem::Initialize(FSubsystemCollectionBase& Collection)
{
	Super::Initialize(Collection);
	const FTalefoldModule& Module = FTalefoldModule::Get();
	UnavailableReason = Module.GetLibraryError();
	if (!Module.GetLibrary())
	{
		return;
	}
	Runtime = FTalefoldRuntime::Create(
		Module.GetLibrary().ToSharedRef(), GetDefault<UTalefoldSettings>()->EngineOptions(), UnavailableReason);
	if (!Runtime)
	{
		UE_LOG(LogTalefold, Warning, TEXT("%s"), *UnavailableReason.ToString());
		return;
	}
	Models = MakeShared<FTalefoldModels>(Runtime.ToSharedRef());
	TickHandle = FTSTicker::GetCoreTicker().AddTicker(FTickerDelegate::CreateUObject(this, &UTalefoldSubsystem::Tick));
}

void UTalefoldSubsystem::Deinitialize()
{
	FTSTicker::GetCoreTicker().RemoveTicker(TickHandle);
	if (Runtime)
	{
		FTalefoldModule::Get().Retire(Runtime->Close());
	}
	Models.Reset();
	Runtime.Reset();
	UnavailableReason = FTalefoldError::Make(
		ETalefoldErrorCode::EngineClosed, TEXT("The game instance has ended"));
	Ending.Broadcast(); // nodes that wait for a load; requests for turns have ended above
	Super::Deinitialize();
}

bool UTalefoldSubsystem::Tick(float /*DeltaTime*/)
{
	const TSharedPtr<FTalefoldRuntime> KeptAlive = Runtime; // a handler may end the game instance
	KeptAlive->Tick(GetDefault<UTalefoldSettings>()->MaxEventsPerFrame);
	return true;
}

UTalefoldSubsystem* UTalefoldSubsystem::Get(const UObject* WorldContextObject)
{
	const UWorld* World = GEngine == nullptr
							  ? nullptr
							  : GEngine->GetWorldFromContextObject(WorldContextObject, EGetWorldErrorMode::ReturnNull);
	const UGameInstance* GameInstance = World == nullptr ? nullptr : World->GetGameInstance();
	return GameInstance == nullptr ? nullptr : GameInstance->GetSubsystem<UTalefoldSubsystem>();
}

bool UTalefoldSubsystem::IsAvailable() const
{
	return Runtime.IsValid();
}

bool UTalefoldSubsystem::LoadScriptedModel(const FString& Name, const TArray<FString>& Replies, FTalefoldError& Error)
{
	return LoadScriptedModelFromJson(Name, ScriptedOptions(Replies), Error);
}

bool UTalefoldSubsystem::LoadScriptedModelFromJson(const FString& Name, const FString& OptionsJson, FTalefoldError& Error)
{
	if (!Models)
	{
		Error = UnavailableReason;
		return false;
	}
	const bool bLoaded = Models->LoadScripted(Name, OptionsJson, Error);
	ModelFinished(Name, Error);
	return bLoaded;
}

void UTalefoldSubsystem::LoadModel(const FString& Name, FProgress Progress, FFinished Finished)
{
	if (!Models)
	{
		Finished(UnavailableReason);
		return;
	}
	if (Models->IsLoaded(Name))
	{
		Finished(FTalefoldError());
		return;
	}
	const UTalefoldSettings* Settings = GetDefault<UTalefoldSettings>();
	if (Settings->bUseScriptedModel)
	{
		FTalefoldError Error;
		LoadScriptedModel(Name, Settings->ScriptedReplies, Error);
		Finished(Error);
		return;
	}
	const FTalefoldModelEntry* Entry = Settings->FindModel(Name);
	if (Entry == nullptr)
	{
		Finished(FTalefoldError::Make(
			ETalefoldErrorCode::ModelNotFound,
			FString::Printf(TEXT("No model is called '%s'"), *Name),
			TEXT("Add it in Project Settings, Plugins, Talefold, or load it first")));
		return;
	}
	const TWeakObjectPtr<UTalefoldSubsystem> Weak(this);
	Models->Load(Name, UTalefoldSettings::ModelOptions(*Entry), MoveTemp(Progress),
		[Weak, Name, Finished = MoveTemp(Finished)](const FTalefoldError& Error) {
			Finished(Error);
			if (UTalefoldSubsystem* Subsystem = Weak.Get())
			{
				Subsystem->ModelFinished(Name, Error);
			}
		});
}

void UTalefoldSubsystem::LoadModels(const TArray<FString>& Names, FFinished Finished)
{
	struct FWaiting
	{
		int32 Left = 1; // one for the loop below: a load may be finished before the next begins
		FTalefoldError FirstError;
		FFinished Finished;
	};
	const TSharedRef<FWaiting> Waiting = MakeShared<FWaiting>();
	Waiting->Finished = MoveTemp(Finished);
	const auto OneDone = [Waiting](const FTalefoldError& Error) {
		if (Error.IsError() && !Waiting->FirstError.IsError())
		{
			Waiting->FirstError = Error;
		}
		if (--Waiting->Left == 0)
		{
			Waiting->Finished(Waiting->FirstError);
		}
	};
	const UTalefoldSettings* Settings = GetDefault<UTalefoldSettings>();
	for (const FString& Name : Names)
	{
		if (!IsModelLoaded(Name) && (Settings->bUseScriptedModel || Settings->FindModel(Name) != nullptr))
		{
			++Waiting->Left;
			LoadModel(Name, [](float) {}, OneDone);
		}
	}
	OneDone(FTalefoldError());
}

void UTalefoldSubsystem::ModelFinished(const FString& Name, const FTalefoldError& Error)
{
	if (Error.IsError())
	{
		UE_LOG(LogTalefold, Warning, TEXT("%s"), *Error.ToString());
	}
	OnModelLoaded.Broadcast(Name, Error);
}

bool UTalefoldSubsystem::UnloadModel(const FString& Name, FTalefoldError& Error)
{
	if (!Models)
	{
		Error = UnavailableReason;
		return false;
	}
	return Models->Unload(Name, Error);
}

bool UTalefoldSubsystem::IsModelLoaded(const FString& Name) const
{
	return Models && Models->IsLoaded(Name);
}

TArray<FString> UTalefoldSubsystem::GetLoadedModels() const
{
	return Models ? Models->LoadedNames() : TArray<FString>();
}

int32 UTalefoldSubsystem::CountTokens(const FString& ModelName, const FString& Text) const
{
	int64_t Count = -1; // of the library: the engine's int64 is another type on Linux
	FTalefoldError Error;
	if (!Runtime || !Runtime->Check(
						Runtime->Api().engine_count_tokens(Runtime->Engine(), FTalefoldUtf8(ModelName), FTalefoldUtf8(Text), &Count), Error))
	{
		return -1;
	}
	return static_cast<int32>(Count);
}

bool UTalefoldSubsystem::AddLines(const FString& StorageName, const TArray<FString>& Lines, FTalefoldError& Error)
{
	TArray<TSharedPtr<FJsonValue>> Entries;
	for (const FString& Line : Lines)
	{
		Entries.Add(MakeShared<FJsonValueString>(Line));
	}
	return AddStorage(StorageName, TEXT("list"), TalefoldJson::WriteArray(Entries), Error);
}

bool UTalefoldSubsystem::AddTexts(const FString& StorageName, const TMap<FString, FString>& Texts, FTalefoldError& Error)
{
	TArray<TSharedPtr<FJsonValue>> Entries;
	for (const TPair<FString, FString>& Text : Texts)
	{
		const TSharedRef<FJsonObject> Entry = MakeShared<FJsonObject>();
		Entry->SetStringField(TEXT("id"), Text.Key);
		Entry->SetStringField(TEXT("text"), Text.Value);
		Entries.Add(MakeShared<FJsonValueObject>(Entry));
	}
	return AddStorage(StorageName, TEXT("map"), TalefoldJson::WriteArray(Entries), Error);
}

bool UTalefoldSubsystem::AddStorage(const FString& Name, const TCHAR* Kind, const FString& Entries, FTalefoldError& Error)
{
	if (!Runtime)
	{
		Error = UnavailableReason;
		return false;
	}
	return Runtime->Check(
		Runtime->Api().engine_add_storage(
			Runtime->Engine(), FTalefoldUtf8(Name), FTalefoldUtf8(Kind), FTalefoldUtf8(Entries)),
		Error);
}

FString UTalefoldSubsystem::GetStatsJson() const
{
	talefold_text Json = {};
	FTalefoldError Error;
	if (!Runtime || !Runtime->Check(Runtime->Api().engine_stats(Runtime->Engine(), &Json), Error))
	{
		return FString();
	}
	return TalefoldText::ToString(Json);
}
