#include "Bridge/TalefoldLibrary.h"

#include "Bridge/TalefoldText.h"
#include "HAL/PlatformProcess.h"
#include "Misc/Paths.h"

namespace
{
#if PLATFORM_WINDOWS
	const TCHAR* const PlatformFolder = TEXT("Win64");
	const TCHAR* const FileName = TEXT("talefold_rt.dll");
#elif PLATFORM_MAC
	const TCHAR* const PlatformFolder = TEXT("Mac");
	const TCHAR* const FileName = TEXT("libtalefold_rt.dylib");
#elif PLATFORM_CPU_ARM_FAMILY
	const TCHAR* const PlatformFolder = TEXT("LinuxArm64");
	const TCHAR* const FileName = TEXT("libtalefold_rt.so");
#else
	const TCHAR* const PlatformFolder = TEXT("Linux");
	const TCHAR* const FileName = TEXT("libtalefold_rt.so");
#endif

	// The last function that the plugin needs: tables grow at their end.
	bool HasAllFunctions(const talefold_api& Functions)
	{
		return Functions.task_release != nullptr;
	}
} // namespace

TArray<FString> FTalefoldLibrary::CandidatePaths(const FString& PluginDir, const FString& ProgramDir)
{
	const FString InPlugin = FPaths::Combine(PluginDir, TEXT("Binaries/ThirdParty/TalefoldLibrary"), PlatformFolder, FileName);
	const FString BesideProgram = FPaths::Combine(ProgramDir, FileName);
	return {FPaths::ConvertRelativePathToFull(InPlugin), FPaths::ConvertRelativePathToFull(BesideProgram)};
}

TSharedPtr<const FTalefoldLibrary> FTalefoldLibrary::Open(const TArray<FString>& Paths, FTalefoldError& Error)
{
	for (const FString& Path : Paths)
	{
		if (!FPaths::FileExists(Path))
		{
			continue;
		}
		void* Handle = FPlatformProcess::GetDllHandle(*Path);
		if (Handle == nullptr)
		{
			Error = FTalefoldError::Make(
				ETalefoldErrorCode::LibraryIncompatible,
				FString::Printf(TEXT("The system could not load %s"), *Path),
				TEXT("Check that it is the build for this platform and that everything it needs is there"));
			return nullptr;
		}
		const TSharedRef<FTalefoldLibrary> Library = MakeShareable(new FTalefoldLibrary(Handle, Path));
		if (!Library->FillTable(Error))
		{
			return nullptr;
		}
		return Library;
	}
	Error = FTalefoldError::Make(
		ETalefoldErrorCode::LibraryNotFound,
		FString::Printf(TEXT("The native library is in none of these places: %s"), *FString::Join(Paths, TEXT(", "))),
		TEXT("Use a plugin folder that `talefold stage-unreal` wrote"));
	return nullptr;
}

FTalefoldLibrary::FTalefoldLibrary(void* InHandle, const FString& InPath)
	: Handle(InHandle)
	, FilePath(InPath)
	, Functions()
{
}

FTalefoldLibrary::~FTalefoldLibrary()
{
	FPlatformProcess::FreeDllHandle(Handle);
}

bool FTalefoldLibrary::FillTable(FTalefoldError& Error)
{
	using FGetApi = int32_t (*)(uint32_t, talefold_api*, size_t);
	const FGetApi GetApi = reinterpret_cast<FGetApi>(FPlatformProcess::GetDllExport(Handle, TEXT("talefold_get_api")));
	if (GetApi != nullptr && GetApi(TALEFOLD_ABI_VERSION, &Functions, sizeof Functions) == TALEFOLD_OK && HasAllFunctions(Functions))
	{
		return true;
	}
	Error = FTalefoldError::Make(
		ETalefoldErrorCode::LibraryIncompatible,
		FString::Printf(TEXT("%s is not the library that this plugin was made for: it needs interface version %u"),
			*FilePath, TALEFOLD_ABI_VERSION),
		TEXT("Plugin and library must come from the same `talefold stage-unreal`"));
	return false;
}

bool FTalefoldLibrary::Check(int32 Status, FTalefoldError& Error) const
{
	if (Status == TALEFOLD_OK)
	{
		return true;
	}
	Error = LastError();
	return false;
}

FTalefoldError FTalefoldLibrary::LastError() const
{
	talefold_error Failure = {};
	Failure.size = sizeof Failure;
	Functions.last_error(&Failure);
	return FTalefoldError::Make(Failure.code, TalefoldText::ToString(Failure.message), TalefoldText::ToString(Failure.hint));
}
