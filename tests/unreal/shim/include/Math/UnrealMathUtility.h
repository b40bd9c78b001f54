// https://dev.epicgames.com/documentation/en-us/unreal-engine/API/Runtime/Core/FMath
#pragma once

#include "CoreTypes.h"

struct FMath
{
	template <typename T>
	static constexpr T Max(T First, T Second)
	{
		return First < Second ? Second : First;
	}
};
