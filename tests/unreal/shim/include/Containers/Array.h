// TArray: int32 sizes. An index out of bounds, an element of the array as the argument of its own Add,
// and a change while a range-for runs all end the program.
// https://dev.epicgames.com/documentation/en-us/unreal-engine/array-containers-in-unreal-engine
#pragma once

#include "Templates/UnrealTemplate.h"

#include <algorithm>
#include <initializer_list>
#include <vector>

namespace ue_shim
{
	/** For range-for alone: sees that the array has the elements it had. */
	template <typename ArrayType, typename T>
	class TRangedForIterator
	{
	public:
		TRangedForIterator(ArrayType& InArray, T* InAt)
			: Array(InArray)
			, At(InAt)
			, Count(InArray.Num())
		{
		}
		T& operator*() const { return *At; }
		TRangedForIterator& operator++()
		{
			++At;
			return *this;
		}
		bool operator!=(const TRangedForIterator& Other) const
		{
			UE_SHIM_CHECK(Array.Num() == Count); // the array was changed while it is gone through
			return At != Other.At;
		}

	private:
		ArrayType& Array;
		T* At;
		int32 Count;
	};
} // namespace ue_shim

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
		UE_SHIM_CHECK(Count >= 0 && (Data != nullptr || Count == 0));
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
		CheckForeign(Item);
		Items_.push_back(Item);
		return Num() - 1;
	}
	int32 Add(T&& Item)
	{
		CheckForeign(Item);
		Items_.push_back(std::move(Item));
		return Num() - 1;
	}
	T& AddDefaulted_GetRef() { return Items_.emplace_back(); }
	int32 AddUnique(const T& Item)
	{
		const int32 Found = Find(Item);
		return Found == INDEX_NONE ? Add(Item) : Found;
	}
	void RemoveAt(int32 Index)
	{
		UE_SHIM_CHECK(IsValidIndex(Index));
		Items_.erase(Items_.begin() + Index);
	}
	int32 Remove(const T& Item)
	{
		CheckForeign(Item);
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
	auto begin() { return ue_shim::TRangedForIterator<TArray, T>(*this, Items_.data()); }
	auto end() { return ue_shim::TRangedForIterator<TArray, T>(*this, Items_.data() + Items_.size()); }
	auto begin() const { return ue_shim::TRangedForIterator<const TArray, const T>(*this, Items_.data()); }
	auto end() const
	{
		return ue_shim::TRangedForIterator<const TArray, const T>(*this, Items_.data() + Items_.size());
	}

private:
	/** The array may move while it grows, and the item with it. */
	void CheckForeign(const T& Item) const
	{
		UE_SHIM_CHECK(&Item < Items_.data() || &Item >= Items_.data() + Items_.size());
	}
	std::vector<T> Items_;
};
