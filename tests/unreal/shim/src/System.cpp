#include "ue_shim/Control.h"

#include <dlfcn.h>
#include <filesystem>
#include <map>

namespace
{
	ue_shim::FFolders Folders;

	struct FModule
	{
		IModuleInterface* (*Make)();
		IModuleInterface* Loaded = nullptr;
	};
	std::map<std::u16string, FModule>& Modules()
	{
		static std::map<std::u16string, FModule> All;
		return All;
	}

	std::string ToPath(const FString& Path)
	{
		return ue_shim::ToUtf8(Path.View());
	}

	std::mutex FrameMutex;
	std::deque<TUniqueFunction<void()>> FrameCalls;
	TArray<ue_shim::FLogLine> LogLines;
	std::mutex LogMutex;
} // namespace

void ue_shim::SetFolders(const FFolders& InFolders)
{
	Folders = InFolders;
}

bool FPaths::FileExists(const FString& Path)
{
	std::error_code Ignored;
	return std::filesystem::is_regular_file(ToPath(Path), Ignored);
}

bool FPaths::DirectoryExists(const FString& Path)
{
	std::error_code Ignored;
	return std::filesystem::is_directory(ToPath(Path), Ignored);
}

FString FPaths::ConvertRelativePathToFull(const FString& Path)
{
	return FString(ue_shim::FromUtf8(std::filesystem::absolute(ToPath(Path)).lexically_normal().string()));
}

FString FPaths::ProjectDir()
{
	return Folders.Project;
}

void* FPlatformProcess::GetDllHandle(const TCHAR* Path)
{
	return dlopen(ue_shim::ToUtf8(Path).c_str(), RTLD_NOW | RTLD_LOCAL);
}

void FPlatformProcess::FreeDllHandle(void* Handle)
{
	dlclose(Handle);
}

void* FPlatformProcess::GetDllExport(void* Handle, const TCHAR* Name)
{
	return dlsym(Handle, ue_shim::ToUtf8(Name).c_str());
}

const TCHAR* FPlatformProcess::BaseDir()
{
	return *Folders.Program;
}

void FPlatformProcess::Sleep(float Seconds)
{
	UE_SHIM_CHECK(!IsInGameThread());
	std::this_thread::sleep_for(std::chrono::duration<float>(Seconds));
}

void ue_shim::RegisterModule(const TCHAR* Name, IModuleInterface* (*Make)())
{
	Modules()[Name] = {Make};
}

IModuleInterface* ue_shim::LoadModule(const FString& Name)
{
	const auto Found = Modules().find(std::u16string(Name.View()));
	if (Found == Modules().end())
	{
		return nullptr;
	}
	FModule& Module = Found->second;
	if (Module.Loaded == nullptr)
	{
		Module.Loaded = Module.Make();
		Module.Loaded->StartupModule();
	}
	return Module.Loaded;
}

void ue_shim::ShutdownModules()
{
	for (auto& [Name, Module] : Modules())
	{
		if (Module.Loaded != nullptr)
		{
			Module.Loaded->ShutdownModule();
			delete std::exchange(Module.Loaded, nullptr);
		}
	}
}

IPluginManager& IPluginManager::Get()
{
	static IPluginManager Manager;
	return Manager;
}

TSharedPtr<IPlugin> IPluginManager::FindPlugin(const FString&)
{
	return Folders.Plugin.IsEmpty() ? TSharedPtr<IPlugin>() : TSharedPtr<IPlugin>(MakeShared<IPlugin>(Folders.Plugin));
}

FTSTicker& FTSTicker::GetCoreTicker()
{
	static FTSTicker Ticker;
	return Ticker;
}

FTSTicker::FDelegateHandle FTSTicker::AddTicker(const FTickerDelegate& Delegate, float)
{
	Entries.Add({::FDelegateHandle::Next(), Delegate});
	return Entries.Last().Handle;
}

void FTSTicker::RemoveTicker(FDelegateHandle Handle)
{
	Entries.RemoveAll([Handle](const FEntry& Each) { return Each.Handle == Handle; });
}

void FTSTicker::Tick(float DeltaTime)
{
	const TArray<FEntry> Called = Entries;
	for (const FEntry& Each : Called)
	{
		const bool bIsThere =
			Entries.ContainsByPredicate([&Each](const FEntry& Other) { return Other.Handle == Each.Handle; });
		if (bIsThere && (!Each.Delegate.IsBound() || !Each.Delegate.Execute(DeltaTime)))
		{
			RemoveTicker(Each.Handle);
		}
	}
}

void ue_shim::TickFrame(float DeltaTime)
{
	FTSTicker::GetCoreTicker().Tick(DeltaTime);
	std::deque<TUniqueFunction<void()>> Called;
	{
		const std::lock_guard Lock(FrameMutex);
		Called.swap(FrameCalls);
	}
	for (const TUniqueFunction<void()>& Call : Called)
	{
		Call();
	}
}

void ue_shim::OnNextFrame(TUniqueFunction<void()> Call)
{
	const std::lock_guard Lock(FrameMutex);
	FrameCalls.push_back(std::move(Call));
}

void ue_shim::WriteLog(const FLogCategoryBase& Category, ELogVerbosity::Type Verbosity, const FString& Text)
{
	const std::lock_guard Lock(LogMutex);
	LogLines.Add({Category.Name, Verbosity, Text});
}

const TArray<ue_shim::FLogLine>& ue_shim::Log()
{
	return LogLines;
}

void ue_shim::ClearLog()
{
	const std::lock_guard Lock(LogMutex);
	LogLines.Empty();
}
