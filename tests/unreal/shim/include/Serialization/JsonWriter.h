// https://dev.epicgames.com/documentation/en-us/unreal-engine/API/Runtime/Json/TJsonWriter
#pragma once

#include "Containers/UnrealString.h"
#include "Templates/SharedPointer.h"

template <typename CharType, typename PrintPolicy>
class TJsonWriter
{
public:
	explicit TJsonWriter(FString* InOutput)
		: Output(InOutput)
	{
	}
	FString* const Output;
};
template <typename CharType, typename PrintPolicy>
struct TJsonWriterFactory
{
	static TSharedRef<TJsonWriter<CharType, PrintPolicy>> Create(FString* Output)
	{
		return MakeShared<TJsonWriter<CharType, PrintPolicy>>(Output);
	}
};
