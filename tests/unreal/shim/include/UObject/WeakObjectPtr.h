// https://dev.epicgames.com/documentation/en-us/unreal-engine/API/Runtime/CoreUObject/TWeakObjectPtr
#pragma once

#include "CoreTypes.h"

class UObject;

namespace ue_shim
{
	/** A number that no other object ever has; 0 of null. */
	uint64 SerialOf(const UObject* Object);
	/** Null when it is gone, or about to be. */
	UObject* FindObject(uint64 Serial, bool bEvenIfGarbage);
} // namespace ue_shim

template <typename T>
class TWeakObjectPtr
{
public:
	TWeakObjectPtr() = default;
	TWeakObjectPtr(std::nullptr_t) {}
	TWeakObjectPtr(const T* Object)
		: Serial(ue_shim::SerialOf(Object))
	{
	}
	T* Get(bool bEvenIfPendingKill = false) const
	{
		return static_cast<T*>(ue_shim::FindObject(Serial, bEvenIfPendingKill));
	}
	bool IsValid() const { return ue_shim::FindObject(Serial, false) != nullptr; }
	bool operator==(const TWeakObjectPtr& Other) const { return Serial == Other.Serial; }

private:
	uint64 Serial = 0;
};
