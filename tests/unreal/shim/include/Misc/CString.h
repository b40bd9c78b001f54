// https://dev.epicgames.com/documentation/en-us/unreal-engine/API/Runtime/Core/TCString
#pragma once

#include "CoreTypes.h"

struct FCString
{
	static int32 Atoi(const TCHAR* Text);
};

namespace ESearchCase
{
	enum Type
	{
		CaseSensitive,
		IgnoreCase
	};
} // namespace ESearchCase
