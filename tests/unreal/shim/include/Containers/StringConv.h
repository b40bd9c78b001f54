// Conversions are temporaries: the text is gone with the object. Of a text with a length, no NUL follows.
// https://dev.epicgames.com/documentation/en-us/unreal-engine/character-encoding-in-unreal-engine
#pragma once

#include "Containers/UnrealString.h"

namespace ue_shim
{
	/** Memory that has exactly the text: a read behind its end is seen by the sanitizers. */
	template <typename UnitType>
	class TConverted
	{
	public:
		TConverted(const std::basic_string<UnitType>& Text, bool bTerminate)
			: Units(Text.begin(), Text.end())
		{
			Count = static_cast<int32>(Units.size());
			if (bTerminate)
			{
				Units.push_back(UnitType(0));
			}
			Units.shrink_to_fit();
			Units.reserve(1); // an empty text is not no text
		}
		TConverted(const TConverted&) = delete;
		TConverted& operator=(const TConverted&) = delete;
		const UnitType* Get() const { return Units.data(); }
		int32 Length() const { return Count; }

	private:
		std::vector<UnitType> Units;
		int32 Count = 0;
	};
} // namespace ue_shim

class FTCHARToUTF8 : public ue_shim::TConverted<ANSICHAR>
{
public:
	explicit FTCHARToUTF8(const TCHAR* Text)
		: TConverted(ue_shim::ToUtf8(Text), true)
	{
	}
	FTCHARToUTF8(const TCHAR* Text, int32 Length)
		: TConverted(ue_shim::ToUtf8(std::u16string_view(Text, static_cast<std::size_t>(Length))), false)
	{
	}
};

class FUTF8ToTCHAR : public ue_shim::TConverted<TCHAR>
{
public:
	explicit FUTF8ToTCHAR(const ANSICHAR* Text)
		: TConverted(ue_shim::FromUtf8(Text), true)
	{
	}
	FUTF8ToTCHAR(const ANSICHAR* Text, int32 Length)
		: TConverted(ue_shim::FromUtf8(std::string_view(Text, static_cast<std::size_t>(Length))), false)
	{
	}
};
