// https://dev.epicgames.com/documentation/en-us/unreal-engine/API/Runtime/CoreUObject/TSubclassOf
#pragma once

#include "UObject/Object.h"

template <typename T>
class TSubclassOf
{
public:
	TSubclassOf(UClass* InClass = nullptr)
		: Class(InClass)
	{
		UE_SHIM_CHECK(InClass == nullptr || InClass->IsChildOf(T::StaticClass()));
	}

private:
	UClass* Class;
};
