// https://dev.epicgames.com/documentation/en-us/unreal-engine/API/Runtime/Json/TJsonReader
#pragma once

#include "Containers/UnrealString.h"
#include "Templates/SharedPointer.h"

template <typename CharType>
class TJsonReader
{
public:
	explicit TJsonReader(const FString& InText)
		: Text(InText)
	{
	}
	const FString Text;
};
template <typename CharType = TCHAR>
struct TJsonReaderFactory
{
	static TSharedRef<TJsonReader<CharType>> Create(const FString& Text) { return MakeShared<TJsonReader<CharType>>(Text); }
};
