// Relative paths are to FPlatformProcess::BaseDir, and folders of the project are such, as in a packaged
// game: what is given to a library must be made a full path first.
// https://dev.epicgames.com/documentation/en-us/unreal-engine/API/Runtime/Core/FPaths
#pragma once

#include "Containers/UnrealString.h"

struct FPaths
{
	template <typename... PartTypes>
	static FString Combine(const FString& First, const PartTypes&... Others)
	{
		FString Path = First;
		((Path += (Path.EndsWith(TEXT("/")) ? FString() : FString(TEXT("/"))) + FString(Others)), ...);
		return Path;
	}
	/** Without the last part, and the slash before it. */
	static FString GetPath(const FString& Path);
	/** The last part. */
	static FString GetCleanFilename(const FString& Path);
	static bool FileExists(const FString& Path);
	static bool DirectoryExists(const FString& Path);
	static bool IsRelative(const FString& Path) { return !Path.StartsWith(TEXT("/")); }
	static FString ConvertRelativePathToFull(const FString& Path);
	static FString ProjectDir();
	static FString ProjectContentDir() { return ProjectDir() + TEXT("Content/"); }
	static FString ProjectSavedDir() { return ProjectDir() + TEXT("Saved/"); }
};
