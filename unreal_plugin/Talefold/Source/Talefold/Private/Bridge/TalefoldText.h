#pragma once

#include "Containers/StringConv.h"
#include "Containers/UnrealString.h"
#include "Bridge/TalefoldLibrary.h"

/** Texts at the border: the library has UTF-8 with a length, the engine has FString. */
namespace TalefoldText
{
	inline FString ToString(const talefold_text& Text)
	{
		if (Text.size == 0)
		{
			return FString();
		}
		const FUTF8ToTCHAR Converted(Text.data, static_cast<int32>(Text.size));
		return FString::ConstructFromPtrSize(Converted.Get(), Converted.Length());
	}
} // namespace TalefoldText

/** An FString as the library takes it, for as long as this object lives. */
class FTalefoldUtf8
{
public:
	explicit FTalefoldUtf8(const FString& Text)
		: Converted(*Text, Text.Len())
	{
	}

	/** An empty FString is an empty text, never "no text". */
	operator talefold_text() const
	{
		return {reinterpret_cast<const char*>(Converted.Get()), static_cast<size_t>(Converted.Length())};
	}

private:
	FTCHARToUTF8 Converted;
};
