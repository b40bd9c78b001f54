// https://dev.epicgames.com/documentation/en-us/unreal-engine/API/Runtime/Core/FGenericPlatformProcess
#pragma once

#include "CoreTypes.h"

struct FPlatformProcess
{
	/** The path must be absolute: a name is looked for in other places on every platform. */
	static void* GetDllHandle(const TCHAR* Path);
	static void FreeDllHandle(void* Handle);
	static void* GetDllExport(void* Handle, const TCHAR* Name);
	/** The folder of the program, to which relative paths are. */
	static const TCHAR* BaseDir();
};
