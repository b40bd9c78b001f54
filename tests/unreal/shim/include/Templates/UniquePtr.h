// https://dev.epicgames.com/documentation/en-us/unreal-engine/API/Runtime/Core/TUniquePtr
#pragma once

#include "Templates/UnrealTemplate.h"

#include <memory>

template <typename T>
class TUniquePtr
{
public:
	TUniquePtr() = default;
	explicit TUniquePtr(T* Raw)
		: Held(Raw)
	{
	}
	explicit operator bool() const { return Held != nullptr; }
	T* Get() const { return Held.get(); }
	T* operator->() const
	{
		UE_SHIM_CHECK(Held);
		return Held.get();
	}

private:
	std::unique_ptr<T> Held;
};
