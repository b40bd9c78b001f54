#include "TalefoldSubsystem.h"

#include "Bridge/TalefoldContent.h"
#include "Bridge/TalefoldJson.h"
#include "Bridge/TalefoldRuntime.h"
#include "Bridge/TalefoldText.h"
#include "Engine/Engine.h"
#include "Engine/GameInstance.h"
#include "Engine/World.h"
#include "TalefoldLog.h"
#include "TalefoldModule.h"
#include "TalefoldSettings.h"

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
	Content = MakeShared<FTalefoldContent>(Runtime.ToSharedRef());
	TickHandle = FTSTicker::GetCoreTicker().AddTicker(FTickerDelegate::CreateUObject(this, &UTalefoldSubsystem::Tick));
}

void UTalefoldSubsystem::Deinitialize()
{
	FTSTicker::GetCoreTicker().RemoveTicker(TickHandle);
	if (Runtime)
	{
		FTalefoldModule::Get().Retire(Runtime->Close());
	}
	Content.Reset();
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

bool UTalefoldSubsystem::SetSpeechBackend(const talefold_speech_backend* Backend, FTalefoldError& Error)
{
	Error = UnavailableReason;
	return Runtime && Runtime->Check(Runtime->Api().engine_set_speech_backend(Runtime->Engine(), Backend), Error);
}

const talefold_api* UTalefoldSubsystem::GetApi() const
{
	return Runtime ? &Runtime->Api() : nullptr;
}
