// https://dev.epicgames.com/documentation/en-us/unreal-engine/API/Runtime/Core/TOptional
#pragma once

#include "Templates/UnrealTemplate.h"

#include <optional>

template <typename T>
class TOptional
{
public:
	TOptional() = default;
	TOptional(const T& Value)
		: Held(Value)
	{
	}
	bool IsSet() const { return Held.has_value(); }
	void Reset() { Held.reset(); }
	T& GetValue()
	{
		UE_SHIM_CHECK(IsSet());
		return *Held;
	}
	const T& GetValue() const
	{
		UE_SHIM_CHECK(IsSet());
		return *Held;
	}
	T* operator->() { return &GetValue(); }
	const T* operator->() const { return &GetValue(); }

private:
	std::optional<T> Held;
};
