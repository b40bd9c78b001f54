// https://dev.epicgames.com/documentation/en-us/unreal-engine/API/Runtime/Engine/EEndPlayReason__Type
#pragma once

#include "UObject/ObjectMacros.h"

namespace EEndPlayReason
{
	enum Type : int
	{
		Destroyed,
		LevelTransition,
		EndPlayInEditor,
		RemovedFromWorld,
		Quit
	};
} // namespace EEndPlayReason

struct FFilePath
{
	FString FilePath;
	static void ShimVisit(void* Object, ue_shim::FPropertyVisitor& Visitor)
	{
		Visitor.Visit({TEXT("FilePath"), true}, static_cast<FFilePath*>(Object)->FilePath);
	}
};
struct FDirectoryPath
{
	FString Path;
	static void ShimVisit(void* Object, ue_shim::FPropertyVisitor& Visitor)
	{
		Visitor.Visit({TEXT("Path"), true}, static_cast<FDirectoryPath*>(Object)->Path);
	}
};
