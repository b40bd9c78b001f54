// What Printf and UE_LOG check: with the engine from 5.5 on, a format that its arguments do not fit is an
// error of the compiler; here it ends the program, when it is reached.
// https://dev.epicgames.com/documentation/en-us/unreal-engine/API/Runtime/Core/TCheckFormatString
#pragma once

#include "Misc/AssertionMacros.h"

#include <initializer_list>
#include <string>
#include <string_view>

class FString;

namespace ue_shim
{
	std::string ToUtf8(std::u16string_view Text);
	std::u16string FromUtf8(std::string_view Text);

	/** An argument of a format: a text is a TCHAR*, never an FString. */
	struct FFormatArgument
	{
		enum class EKind
		{
			Text,
			Narrow,
			Signed,
			Unsigned,
			Float
		} Kind;
		std::size_t Size = 0;
		const char16_t* Text = nullptr;
		const char* Narrow = nullptr;
		long long Signed = 0;
		unsigned long long Unsigned = 0;
		double Float = 0;

		FFormatArgument(const char16_t* Value)
			: Kind(EKind::Text)
			, Text(Value)
		{
		}
		FFormatArgument(const char* Value)
			: Kind(EKind::Narrow)
			, Narrow(Value)
		{
		}
		template <typename T>
			requires(std::is_integral_v<T> && std::is_signed_v<T>)
		FFormatArgument(T Value)
			: Kind(EKind::Signed)
			, Size(sizeof(T))
			, Signed(Value)
		{
		}
		template <typename T>
			requires(std::is_integral_v<T> && !std::is_signed_v<T>)
		FFormatArgument(T Value)
			: Kind(EKind::Unsigned)
			, Size(sizeof(T))
			, Unsigned(Value)
		{
		}
		template <typename T>
			requires std::is_floating_point_v<T>
		FFormatArgument(T Value)
			: Kind(EKind::Float)
			, Float(Value)
		{
		}
	};
	/** Ends the program where a format and its arguments do not agree. */
	FString Format(const char16_t* Format, std::initializer_list<FFormatArgument> Arguments);
} // namespace ue_shim
