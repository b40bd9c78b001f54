// A reflected member that keeps its object. https://dev.epicgames.com/documentation/en-us/unreal-engine/API/Runtime/CoreUObject/TObjectPtr
#pragma once

#include "CoreTypes.h"

class UObject;

template <typename T>
class TObjectPtr
{
public:
	TObjectPtr() = default;
	TObjectPtr(std::nullptr_t) {}
	template <typename U>
		requires std::is_convertible_v<U*, T*>
	TObjectPtr(U* Object)
		: Held(const_cast<std::remove_const_t<U>*>(Object))
	{
	}
	T* Get() const { return static_cast<T*>(Held); }
	operator T*() const { return Get(); }
	T* operator->() const { return Get(); }
	T& operator*() const { return *Get(); }
	bool operator==(std::nullptr_t) const { return Held == nullptr; }
	UObject*& Untyped() { return Held; } // the shim's own: T need not be known

private:
	UObject* Held = nullptr;
};
