// TMap and TPair: keys are compared with ==, so texts without case. Iterates in the order of adding; the
// engine promises none.
// https://dev.epicgames.com/documentation/en-us/unreal-engine/map-containers-in-unreal-engine
#pragma once

#include "Containers/Array.h"

template <typename KeyType, typename ValueType>
struct TPair
{
	KeyType Key;
	ValueType Value;
};

template <typename KeyType, typename ValueType>
class TMap
{
public:
	int32 Num() const { return Pairs.Num(); }
	bool IsEmpty() const { return Pairs.IsEmpty(); }
	void Empty() { Pairs.Empty(); }
	ValueType& Add(const KeyType& Key, ValueType Value)
	{
		ValueType* const Found = Find(Key);
		if (Found != nullptr)
		{
			*Found = std::move(Value);
			return *Found;
		}
		Pairs.Add({Key, std::move(Value)});
		return Pairs.Last().Value;
	}
	ValueType& FindOrAdd(const KeyType& Key)
	{
		ValueType* const Found = Find(Key);
		return Found != nullptr ? *Found : Add(Key, ValueType());
	}
	ValueType* Find(const KeyType& Key)
	{
		TPair<KeyType, ValueType>* const Found =
			Pairs.FindByPredicate([&Key](const TPair<KeyType, ValueType>& Each) { return Each.Key == Key; });
		return Found == nullptr ? nullptr : &Found->Value;
	}
	const ValueType* Find(const KeyType& Key) const { return const_cast<TMap*>(this)->Find(Key); }
	ValueType FindRef(const KeyType& Key) const
	{
		const ValueType* const Found = Find(Key);
		return Found == nullptr ? ValueType() : *Found;
	}
	bool Contains(const KeyType& Key) const { return Find(Key) != nullptr; }
	auto begin() { return Pairs.begin(); }
	auto end() { return Pairs.end(); }
	auto begin() const { return Pairs.begin(); }
	auto end() const { return Pairs.end(); }

private:
	TArray<TPair<KeyType, ValueType>> Pairs;
};
