// Files, libraries, modules, plugins and the ticker.
#pragma once

#include "ue_shim/Delegates.h"

struct FPaths
{
	template <typename... PartTypes>
	static FString Combine(const FString& First, const PartTypes&... Others)
	{
		FString Path = First;
		((Path += (Path.EndsWith(TEXT("/")) ? FString() : FString(TEXT("/"))) + FString(Others)), ...);
		return Path;
	}
	static bool FileExists(const FString& Path);
	static bool DirectoryExists(const FString& Path);
	static bool IsRelative(const FString& Path) { return !Path.StartsWith(TEXT("/")); }
	static FString ConvertRelativePathToFull(const FString& Path);
	static FString ProjectDir();
	static FString ProjectContentDir() { return ProjectDir() + TEXT("Content/"); }
	static FString ProjectSavedDir() { return ProjectDir() + TEXT("Saved/"); }
};

struct FPlatformProcess
{
	static void* GetDllHandle(const TCHAR* Path);
	static void FreeDllHandle(void* Handle);
	static void* GetDllExport(void* Handle, const TCHAR* Name);
	static const TCHAR* BaseDir();
	/** Ends the program on the game thread: nothing may block that. */
	static void Sleep(float Seconds);
};

class IModuleInterface
{
public:
	virtual ~IModuleInterface() = default;
	virtual void StartupModule() {}
	virtual void ShutdownModule() {}
};
class FDefaultModuleImpl : public IModuleInterface
{
};

namespace ue_shim
{
	void RegisterModule(const TCHAR* Name, IModuleInterface* (*Make)());
	IModuleInterface* LoadModule(const FString& Name);
	struct FRegisterModule
	{
		FRegisterModule(const TCHAR* Name, IModuleInterface* (*Make)()) { RegisterModule(Name, Make); }
	};
} // namespace ue_shim

struct FModuleManager
{
	template <typename T>
	static T& LoadModuleChecked(const FName& Name)
	{
		IModuleInterface* const Module = ue_shim::LoadModule(Name.ToString());
		UE_SHIM_CHECK(Module != nullptr);
		return *static_cast<T*>(Module);
	}
};
#define UE_SHIM_MODULE_NAME(Literal) u##Literal
#define IMPLEMENT_MODULE(Class, Name)                       \
	static const ue_shim::FRegisterModule Name##Registered( \
		UE_SHIM_MODULE_NAME(#Name), []() -> IModuleInterface* { return new Class(); });

class IPlugin
{
public:
	explicit IPlugin(const FString& InBaseDir)
		: BaseDir(InBaseDir)
	{
	}
	const FString& GetBaseDir() const { return BaseDir; }

private:
	FString BaseDir;
};
class IPluginManager
{
public:
	static IPluginManager& Get();
	TSharedPtr<IPlugin> FindPlugin(const FString& Name);
};

using FTickerDelegate = TDelegate<bool(float)>;
class FTSTicker
{
public:
	using FDelegateHandle = ::FDelegateHandle;
	static FTSTicker& GetCoreTicker();
	FDelegateHandle AddTicker(const FTickerDelegate& Delegate, float Delay = 0.0f);
	void RemoveTicker(FDelegateHandle Handle);
	void Tick(float DeltaTime);

private:
	struct FEntry
	{
		FDelegateHandle Handle;
		FTickerDelegate Delegate;
	};
	TArray<FEntry> Entries;
};
