// A format is a literal, and one that its arguments do not fit does not compile.
// https://dev.epicgames.com/documentation/en-us/unreal-engine/API/Runtime/Core/FString/Printf
// https://dev.epicgames.com/documentation/en-us/unreal-engine/API/Runtime/Core/TCheckFormatString
#pragma once

#include "Misc/AssertionMacros.h"

#include <string>
#include <string_view>

class FString;

namespace ue_shim
{
	std::string ToUtf8(std::u16string_view Text);
	std::u16string FromUtf8(std::string_view Text);

	enum class EArgument
	{
		Text,
		Narrow,
		Whole,
		LongWhole,
		Real
	};

	template <typename T>
	consteval EArgument KindOf()
	{
		if constexpr (std::is_convertible_v<T, const char16_t*>)
		{
			return EArgument::Text;
		}
		else if constexpr (std::is_convertible_v<T, const char*>)
		{
			return EArgument::Narrow;
		}
		else if constexpr (std::is_integral_v<T>)
		{
			return sizeof(T) == 8 ? EArgument::LongWhole : EArgument::Whole;
		}
		else
		{
			static_assert(std::is_floating_point_v<T>, "an argument of a format is a TCHAR*, a char* or a number");
			return EArgument::Real;
		}
	}

	// Not for compile time: that the compiler comes to call one of these is what it complains of.
	void FormatHasTooFewArguments();
	void FormatHasTooManyArguments();
	void FormatDoesNotFitItsArgument();
	void FormatIsUnknown();

	/** %s is a TCHAR*, %hs a char*, %d 32 bits, %lld 64. */
	consteval void CheckFormat(const char16_t* At, const EArgument* Argument, const EArgument* End)
	{
		for (; *At != 0; ++At)
		{
			if (*At != u'%' || *++At == u'%')
			{
				continue;
			}
			int32 Longs = 0;
			bool bNarrow = false;
			for (; (*At >= u'0' && *At <= u'9') || *At == u'.' || *At == u'+' || *At == u'-' || *At == u'l' || *At == u'h'; ++At)
			{
				Longs += *At == u'l' ? 1 : 0;
				bNarrow = bNarrow || *At == u'h';
			}
			if (Argument == End)
			{
				FormatHasTooFewArguments();
			}
			EArgument Wanted = bNarrow ? EArgument::Narrow : EArgument::Text;
			if (*At == u'd' || *At == u'i' || *At == u'u' || *At == u'x')
			{
				Wanted = Longs == 2 ? EArgument::LongWhole : EArgument::Whole;
			}
			else if (*At == u'f' || *At == u'g')
			{
				Wanted = EArgument::Real;
			}
			else if (*At != u's')
			{
				FormatIsUnknown();
			}
			if (*Argument++ != Wanted)
			{
				FormatDoesNotFitItsArgument();
			}
		}
		if (Argument != End)
		{
			FormatHasTooManyArguments();
		}
	}

	/** A literal that fits arguments of these types. */
	template <typename... ArgumentTypes>
	struct TFormat
	{
		template <std::size_t Size>
		consteval TFormat(const char16_t (&Literal)[Size])
			: Text(Literal)
		{
			const EArgument Kinds[] = {KindOf<ArgumentTypes>()..., EArgument::Text};
			CheckFormat(Literal, Kinds, Kinds + sizeof...(ArgumentTypes));
		}
		const char16_t* Text;
	};

	FString Format(const char16_t* Format, ...);
} // namespace ue_shim
