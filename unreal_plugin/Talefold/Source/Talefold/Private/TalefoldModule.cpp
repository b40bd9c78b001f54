#include "TalefoldModule.h"

#include "Bridge/TalefoldLibrary.h"
#include "Bridge/TalefoldWorker.h"
#include "HAL/PlatformProcess.h"
#include "Interfaces/IPluginManager.h"
#include "Modules/ModuleManager.h"
#include "TalefoldLog.h"

DEFINE_LOG_CATEGORY(LogTalefold);

IMPLEMENT_MODULE(FTalefoldModule, Talefold)

FTalefoldModule::FTalefoldModule() = default;
FTalefoldModule::~FTalefoldModule() = default;

FTalefoldModule& FTalefoldModule::Get()
{
	return FModuleManager::LoadModuleChecked<FTalefoldModule>(TEXT("Talefold"));
}

void FTalefoldModule::StartupModule()
{
	const TSharedPtr<IPlugin> Plugin = IPluginManager::Get().FindPlugin(TEXT("Talefold"));
	const FString PluginDir = Plugin ? Plugin->GetBaseDir() : FString();
	LibraryError = FTalefoldError();
	Library = FTalefoldLibrary::Open(FTalefoldLibrary::CandidatePaths(PluginDir, FPlatformProcess::BaseDir()), LibraryError);
	if (Library)
	{
		UE_LOG(LogTalefold, Log, TEXT("Opened %s"), *Library->Path());
	}
	else
	{
		// A warning: the editor opens and cooks without the library, characters only cannot talk.
		UE_LOG(LogTalefold, Warning, TEXT("%s"), *LibraryError.ToString());
	}
}

void FTalefoldModule::ShutdownModule()
{
	Retired.Empty(); // waits for the engines that are still ending
	Library.Reset();
}

void FTalefoldModule::Retire(const TSharedRef<FTalefoldWorker>& Worker)
{
	Retired.RemoveAll([](const TSharedRef<FTalefoldWorker>& Each) { return Each->IsFinished(); });
	Retired.Add(Worker);
}
