// The frame loop, modules, and the log.
#include "Containers/Ticker.h"
#include "Modules/ModuleManager.h"
#include "ue_shim/Control.h"

#include <deque>
#include <map>
#include <thread>

namespace
{
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
	std::vector<FModule*> LoadedModules; // in their order

	std::mutex FrameMutex;
	std::deque<TUniqueFunction<void()>> FrameCalls;
	std::vector<std::thread> Threads; // the game thread's
	TArray<ue_shim::FLogLine> LogLines;
	std::mutex LogMutex;
} // namespace

ue_shim::FRegisterModule::FRegisterModule(const TCHAR* Name, IModuleInterface* (*Make)())
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
		UE_SHIM_CHECK(!IsBuildingDefaults());
		Module.Loaded = Module.Make();
		LoadedModules.push_back(&Module);
		Module.Loaded->StartupModule();
	}
	return Module.Loaded;
}

int32 ue_shim::Shutdown()
{
	for (std::thread& Each : Threads)
	{
		Each.join();
	}
	Threads.clear();
	TickFrame();
	CollectGarbage(RF_NoFlags);
	for (; !LoadedModules.empty(); LoadedModules.pop_back())
	{
		LoadedModules.back()->Loaded->ShutdownModule();
		delete std::exchange(LoadedModules.back()->Loaded, nullptr);
	}
	return CountObjects();
}

FTSTicker& FTSTicker::GetCoreTicker()
{
	static FTSTicker Ticker;
	return Ticker;
}

FTSTicker::FDelegateHandle FTSTicker::AddTicker(const FTickerDelegate& Delegate, float Delay)
{
	UE_SHIM_CHECK(!ue_shim::IsBuildingDefaults());
	const std::lock_guard Lock(Mutex);
	const TSharedRef<FElement> Element = MakeShared<FElement>(FElement{Delegate, Delay, Now + static_cast<double>(Delay)});
	Elements.Add(Element);
	return Element;
}

void FTSTicker::RemoveTicker(FDelegateHandle Handle)
{
	FTSTicker& Ticker = GetCoreTicker();
	const std::lock_guard Lock(Ticker.Mutex);
	Ticker.Elements.RemoveAll([&Handle](const TSharedRef<FElement>& Each) { return TSharedPtr<FElement>(Each) == Handle.Pin(); });
}

void FTSTicker::Tick(float DeltaTime)
{
	TArray<TSharedRef<FElement>> Called;
	{
		const std::lock_guard Lock(Mutex);
		Now += static_cast<double>(DeltaTime);
		Called = Elements; // what is added meanwhile is called from the next frame on
	}
	for (const TSharedRef<FElement>& Each : Called)
	{
		{
			const std::lock_guard Lock(Mutex);
			if (!Elements.Contains(Each) || Each->FireTime > Now)
			{
				continue;
			}
		}
		if (Each->Delegate.IsBound() && Each->Delegate.Execute(DeltaTime))
		{
			Each->FireTime = Now + static_cast<double>(Each->Delay);
			continue;
		}
		const std::lock_guard Lock(Mutex);
		Elements.Remove(TSharedRef<FElement>(Each));
	}
}

void ue_shim::TickFrame(float DeltaTime)
{
	UE_SHIM_CHECK(IsInGameThread());
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

void ue_shim::InThread(TUniqueFunction<TUniqueFunction<void()>()> Work)
{
	Threads.emplace_back([Work = std::move(Work)] {
		TUniqueFunction<void()> Then = Work();
		const std::lock_guard Lock(FrameMutex);
		FrameCalls.push_back(std::move(Then));
	});
}

void ue_shim::WriteLog(const FLogCategoryBase& Category, ELogVerbosity::Type Verbosity, const FString& Text)
{
	if (Verbosity == ELogVerbosity::Fatal)
	{
		Fail("log", 0, ToUtf8(Text.View()).c_str());
	}
	const std::lock_guard Lock(LogMutex);
	LogLines.Add({Category.Name, Verbosity, Text});
}

TArray<ue_shim::FLogLine> ue_shim::Log()
{
	const std::lock_guard Lock(LogMutex);
	return LogLines;
}

void ue_shim::ClearLog()
{
	const std::lock_guard Lock(LogMutex);
	LogLines.Empty();
}
