// A struct of any reflected type; in CoreUObject from 5.5 on.
// https://dev.epicgames.com/documentation/en-us/unreal-engine/API/Runtime/CoreUObject/FInstancedStruct
#pragma once

#include "UObject/ObjectMacros.h"

struct FInstancedStruct
{
	FInstancedStruct() = default;
	FInstancedStruct(const FInstancedStruct& Other)
		: Struct(Other.Struct)
		, Memory(Other.CopyMemory())
	{
	}
	FInstancedStruct(FInstancedStruct&& Other) noexcept { Swap(Other); }
	FInstancedStruct& operator=(FInstancedStruct Other) noexcept
	{
		Swap(Other);
		return *this;
	}
	~FInstancedStruct() { Reset(); }

	template <typename T>
	static FInstancedStruct Make(const T& Value)
	{
		FInstancedStruct Made;
		Made.Struct = T::StaticStruct();
		Made.Memory = Made.Struct->Copy(&Value);
		return Made;
	}
	bool IsValid() const { return Memory != nullptr; }
	const UScriptStruct* GetScriptStruct() const { return Struct; }
	void Reset()
	{
		if (Memory != nullptr)
		{
			Struct->Destroy(Memory);
		}
		Memory = nullptr;
		Struct = nullptr;
	}
	template <typename T>
	const T* GetPtr() const
	{
		return Memory != nullptr && Struct->IsChildOf(T::StaticStruct()) ? static_cast<const T*>(Memory) : nullptr;
	}
	template <typename T>
	T* GetMutablePtr()
	{
		return const_cast<T*>(GetPtr<T>());
	}

	static void ShimVisit(void* Object, ue_shim::FPropertyVisitor& Visitor)
	{
		const FInstancedStruct& Self = *static_cast<FInstancedStruct*>(Object);
		Visitor.Other("FInstancedStruct");
		if (Self.IsValid())
		{
			Self.Struct->Visit(Self.Memory, Visitor);
		}
	}

private:
	void* CopyMemory() const { return Memory == nullptr ? nullptr : Struct->Copy(Memory); }
	void Swap(FInstancedStruct& Other) noexcept
	{
		std::swap(Struct, Other.Struct);
		std::swap(Memory, Other.Memory);
	}
	const UScriptStruct* Struct = nullptr;
	void* Memory = nullptr;
};
