// TArray: int32 sizes, and an index out of bounds ends the program.
// https://dev.epicgames.com/documentation/en-us/unreal-engine/array-containers-in-unreal-engine
#pragma once

#include "ue_shim/Platform.h"

#include <algorithm>
#include <initializer_list>
#include <vector>

template <typename T>
class TArray
{
public:
	using ElementType = T;

	TArray() = default;
	TArray(std::initializer_list<T> Items)
		: Items_(Items)
	{
	}
	TArray(const T* Data, int32 Count)
	{
		if (Count > 0)
		{
			Items_.assign(Data, Data + Count);
		}
	}

	int32 Num() const { return static_cast<int32>(Items_.size()); }
	bool IsEmpty() const { return Items_.empty(); }
	bool IsValidIndex(int32 Index) const { return Index >= 0 && Index < Num(); }
	T* GetData() { return Items_.data(); }
	const T* GetData() const { return Items_.data(); }
	T& operator[](int32 Index)
	{
		UE_SHIM_CHECK(IsValidIndex(Index));
		return Items_[static_cast<std::size_t>(Index)];
	}
	const T& operator[](int32 Index) const
	{
		UE_SHIM_CHECK(IsValidIndex(Index));
		return Items_[static_cast<std::size_t>(Index)];
	}
	T& Last() { return (*this)[Num() - 1]; }
	const T& Last() const { return (*this)[Num() - 1]; }

	int32 Add(const T& Item)
	{
		Items_.push_back(Item);
		return Num() - 1;
	}
	int32 Add(T&& Item)
	{
		Items_.push_back(std::move(Item));
		return Num() - 1;
	}
	T& AddDefaulted_GetRef() { return Items_.emplace_back(); }
	int32 AddUnique(const T& Item)
	{
		const int32 Found = Find(Item);
		return Found == INDEX_NONE ? Add(Item) : Found;
	}
	void Append(const TArray& Other) { Items_.insert(Items_.end(), Other.begin(), Other.end()); }
	void RemoveAt(int32 Index)
	{
		UE_SHIM_CHECK(IsValidIndex(Index));
		Items_.erase(Items_.begin() + Index);
	}
	int32 Remove(const T& Item)
	{
		return RemoveAll([&Item](const T& Each) { return Each == Item; });
	}
	template <typename PredicateType>
	int32 RemoveAll(PredicateType Predicate)
	{
		return static_cast<int32>(std::erase_if(Items_, Predicate));
	}
	void Empty() { Items_.clear(); }
	void Reset() { Items_.clear(); }
	void SetNum(int32 Count) { Items_.resize(static_cast<std::size_t>(Count)); }
	void Reserve(int32 Count) { Items_.reserve(static_cast<std::size_t>(Count)); }

	int32 Find(const T& Item) const
	{
		return IndexOfByPredicate([&Item](const T& Each) { return Each == Item; });
	}
	bool Contains(const T& Item) const { return Find(Item) != INDEX_NONE; }
	template <typename PredicateType>
	int32 IndexOfByPredicate(PredicateType Predicate) const
	{
		const auto Found = std::find_if(Items_.begin(), Items_.end(), Predicate);
		return Found == Items_.end() ? INDEX_NONE : static_cast<int32>(Found - Items_.begin());
	}
	template <typename PredicateType>
	bool ContainsByPredicate(PredicateType Predicate) const
	{
		return IndexOfByPredicate(Predicate) != INDEX_NONE;
	}
	template <typename PredicateType>
	const T* FindByPredicate(PredicateType Predicate) const
	{
		const int32 Index = IndexOfByPredicate(Predicate);
		return Index == INDEX_NONE ? nullptr : &(*this)[Index];
	}
	template <typename PredicateType>
	T* FindByPredicate(PredicateType Predicate)
	{
		const int32 Index = IndexOfByPredicate(Predicate);
		return Index == INDEX_NONE ? nullptr : &(*this)[Index];
	}

	bool operator==(const TArray& Other) const { return Items_ == Other.Items_; }
	auto begin() { return Items_.begin(); }
	auto end() { return Items_.end(); }
	auto begin() const { return Items_.begin(); }
	auto end() const { return Items_.end(); }

private:
	std::vector<T> Items_;
};
