#include "Misc/Paths.h"

#include "HAL/PlatformProcess.h"
#include "Misc/FileHelper.h"
#include "Interfaces/IPluginManager.h"
#include "UObject/Object.h"
#include "ue_shim/Control.h"

#include <dlfcn.h>
#include <algorithm>
#include <filesystem>
#include <fstream>

namespace
{
	ue_shim::FFolders Folders;

	std::filesystem::path ToPath(const FString& Path)
	{
		return ue_shim::ToUtf8(Path.View());
	}

	FString FromPath(const std::filesystem::path& Path)
	{
		return FString(ue_shim::FromUtf8(Path.string()));
	}

	/** As the engine has its folders: by ../ from the folder of the program. */
	FString FromProgram(const FString& Folder)
	{
		return FromPath(ToPath(Folder).lexically_relative(ToPath(Folders.Program)));
	}

	std::filesystem::path FullPath(const FString& Path)
	{
		return (ToPath(Folders.Program) / ToPath(Path)).lexically_normal();
	}
} // namespace

void ue_shim::SetFolders(const FFolders& InFolders)
{
	Folders = InFolders;
}

FString FPaths::GetPath(const FString& Path)
{
	return FromPath(ToPath(Path).parent_path());
}

FString FPaths::GetCleanFilename(const FString& Path)
{
	return FromPath(ToPath(Path).filename());
}

bool FPaths::FileExists(const FString& Path)
{
	std::error_code Ignored;
	return std::filesystem::is_regular_file(FullPath(Path), Ignored);
}

bool FPaths::DirectoryExists(const FString& Path)
{
	std::error_code Ignored;
	return std::filesystem::is_directory(FullPath(Path), Ignored);
}

FString FPaths::ConvertRelativePathToFull(const FString& Path)
{
	return FromPath(FullPath(Path));
}

FString FPaths::ProjectDir()
{
	return FromProgram(Folders.Project);
}

bool FFileHelper::SaveStringToFile(const FString& String, const TCHAR* Filename)
{
	const std::filesystem::path Path = FullPath(Filename);
	std::error_code Ignored;
	std::filesystem::create_directories(Path.parent_path(), Ignored);
	std::ofstream File(Path, std::ios::binary);
	const std::string Written = ue_shim::ToUtf8(String.View());
	UE_SHIM_CHECK(std::ranges::all_of(Written, [](char Letter) { return Letter > 0; })); // others have another encoding
	File << Written;
	return static_cast<bool>(File.flush());
}

void* FPlatformProcess::GetDllHandle(const TCHAR* Path)
{
	UE_SHIM_CHECK(!ue_shim::IsBuildingDefaults());
	UE_SHIM_CHECK(!FPaths::IsRelative(Path));
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

IPluginManager& IPluginManager::Get()
{
	static IPluginManager Manager;
	return Manager;
}

TSharedPtr<IPlugin> IPluginManager::FindPlugin(const FString& Name)
{
	UE_SHIM_CHECK(Name == TEXT("Talefold"));
	return Folders.Plugin.IsEmpty() ? nullptr : TSharedPtr<IPlugin>(MakeShared<IPlugin>(FromProgram(Folders.Plugin)));
}
