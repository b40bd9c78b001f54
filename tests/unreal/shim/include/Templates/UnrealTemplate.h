// MoveTemp. https://dev.epicgames.com/documentation/en-us/unreal-engine/API/Runtime/Core/MoveTemp
#pragma once

#include "Misc/AssertionMacros.h"

template <typename T>
constexpr std::remove_reference_t<T>&& MoveTemp(T&& Value) noexcept
{
	static_assert(std::is_lvalue_reference_v<T&&>, "MoveTemp of a temporary");
	static_assert(!std::is_const_v<std::remove_reference_t<T>>, "MoveTemp of a const");
	return static_cast<std::remove_reference_t<T>&&>(Value);
}
