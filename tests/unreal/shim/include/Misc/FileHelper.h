// Makes the folders that a file needs. A text of ASCII is written as such.
// https://dev.epicgames.com/documentation/en-us/unreal-engine/API/Runtime/Core/FFileHelper
#pragma once

#include "Containers/UnrealString.h"

struct FFileHelper
{
	static bool SaveStringToFile(const FString& String, const TCHAR* Filename);
};
