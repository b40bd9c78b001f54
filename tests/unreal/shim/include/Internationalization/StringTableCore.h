// https://dev.epicgames.com/documentation/en-us/unreal-engine/API/Runtime/Core/FStringTable
#pragma once

#include "Containers/Map.h"
#include "Containers/UnrealString.h"
#include "Templates/SharedPointer.h"

/** Keys differ by case, unlike those of a TMap of FString. */
class FStringTable
{
public:
	bool GetSourceString(const FString& Key, FString& Source) const;
	void SetSourceString(const FString& Key, const FString& Source);

private:
	TArray<TPair<FString, FString>> Entries;
};
