#include "Containers/StringConv.h"

#include <cstdarg>
#include <cstdio>
#include <cstring>

namespace
{
	char16_t Lower(char16_t Unit)
	{
		return Unit >= u'A' && Unit <= u'Z' ? static_cast<char16_t>(Unit + 32) : Unit;
	}

	void AppendUtf8(std::string& Utf8, char32_t Point)
	{
		const auto Add = [&Utf8](char32_t Byte) { Utf8 += static_cast<char>(Byte); };
		if (Point < 0x80)
		{
			Add(Point);
		}
		else if (Point < 0x800)
		{
			Add(0xC0 | (Point >> 6));
			Add(0x80 | (Point & 0x3F));
		}
		else if (Point < 0x10000)
		{
			Add(0xE0 | (Point >> 12));
			Add(0x80 | ((Point >> 6) & 0x3F));
			Add(0x80 | (Point & 0x3F));
		}
		else
		{
			Add(0xF0 | (Point >> 18));
			Add(0x80 | ((Point >> 12) & 0x3F));
			Add(0x80 | ((Point >> 6) & 0x3F));
			Add(0x80 | (Point & 0x3F));
		}
	}

	bool IsEqual(char16_t First, char16_t Second, ESearchCase::Type Case)
	{
		return First == Second || (Case == ESearchCase::IgnoreCase && Lower(First) == Lower(Second));
	}

	bool IsHigh(char16_t Unit)
	{
		return Unit >= 0xD800 && Unit < 0xDC00;
	}
	bool IsLow(char16_t Unit)
	{
		return Unit >= 0xDC00 && Unit < 0xE000;
	}
} // namespace

void ue_shim::Fail(const char* File, int Line, const char* What)
{
	std::fprintf(stderr, "%s:%d: %s\n", File, Line, What);
	std::abort();
}

bool FString::Equals(const FString& Other, ESearchCase::Type Case) const
{
	return Len() == Other.Len() && StartsWith(Other, Case);
}

bool FString::StartsWith(const FString& Part, ESearchCase::Type Case) const
{
	return Part.Len() <= Len() && std::equal(Part.Text_.begin(), Part.Text_.end(), Text_.begin(),
									  [Case](char16_t A, char16_t B) { return IsEqual(A, B, Case); });
}

bool FString::EndsWith(const FString& Part, ESearchCase::Type Case) const
{
	return Part.Len() <= Len() && FString(Text_.substr(Text_.size() - Part.Text_.size())).Equals(Part, Case);
}

bool FString::Contains(const FString& Part, ESearchCase::Type Case) const
{
	return Part.IsEmpty() || std::search(Text_.begin(), Text_.end(), Part.Text_.begin(), Part.Text_.end(),
								 [Case](char16_t A, char16_t B) { return IsEqual(A, B, Case); }) != Text_.end();
}

FString FString::Left(int32 Count) const
{
	return FString(Text_.substr(0, static_cast<std::size_t>(std::clamp(Count, 0, Len()))));
}

FString FString::Join(const TArray<FString>& Parts, const TCHAR* Separator)
{
	FString Joined;
	for (int32 Index = 0; Index < Parts.Num(); ++Index)
	{
		Joined += Index == 0 ? FString() : FString(Separator);
		Joined += Parts[Index];
	}
	return Joined;
}

int32 FCString::Atoi(const TCHAR* Text)
{
	return std::atoi(ue_shim::ToUtf8(Text).c_str());
}

std::string ue_shim::ToUtf8(std::u16string_view Text)
{
	std::string Utf8;
	for (std::size_t Index = 0; Index < Text.size(); ++Index)
	{
		const char16_t Unit = Text[Index];
		if (IsHigh(Unit) && Index + 1 < Text.size() && IsLow(Text[Index + 1]))
		{
			const char32_t High = static_cast<char32_t>(Unit - 0xD800) << 10;
			AppendUtf8(Utf8, 0x10000 + High + (Text[++Index] - 0xDC00));
		}
		else
		{
			AppendUtf8(Utf8, IsHigh(Unit) || IsLow(Unit) ? U'?' : Unit); // half a pair
		}
	}
	return Utf8;
}

std::u16string ue_shim::FromUtf8(std::string_view Utf8)
{
	std::u16string Text;
	for (std::size_t Index = 0; Index < Utf8.size();)
	{
		const unsigned char First = static_cast<unsigned char>(Utf8[Index]);
		const std::size_t Length = First < 0x80 ? 1 : First >= 0xF0 ? 4
												  : First >= 0xE0   ? 3
												  : First >= 0xC0   ? 2
																	: 0;
		if (Length == 0 || Index + Length > Utf8.size())
		{
			Text += u'?';
			++Index;
			continue;
		}
		char32_t Point = Length == 1 ? First : First & (0xFFu >> (Length + 1));
		for (std::size_t Next = 1; Next < Length; ++Next)
		{
			Point = (Point << 6) | (static_cast<unsigned char>(Utf8[Index + Next]) & 0x3Fu);
		}
		if (Point >= 0x10000)
		{
			Text += static_cast<char16_t>(0xD800 + ((Point - 0x10000) >> 10));
			Text += static_cast<char16_t>(0xDC00 + ((Point - 0x10000) & 0x3FF));
		}
		else
		{
			Text += static_cast<char16_t>(Point);
		}
		Index += Length;
	}
	return Text;
}

FString ue_shim::Format(const char16_t* Format, ...)
{
	std::u16string Made;
	va_list Arguments;
	va_start(Arguments, Format);
	for (const char16_t* At = Format; *At != 0; ++At)
	{
		if (*At != u'%' || *++At == u'%')
		{
			Made += *At;
			continue;
		}
		std::string Specifier = "%";
		for (; std::strchr("0123456789.+-lh", static_cast<char>(*At)) != nullptr; ++At)
		{
			Specifier += static_cast<char>(*At);
		}
		const bool bLong = Specifier.ends_with("ll");
		const bool bNarrow = Specifier.ends_with("h");
		Specifier += static_cast<char>(*At);
		char Buffer[512] = {};
		switch (*At)
		{
		case u's':
			Made += bNarrow ? FromUtf8(va_arg(Arguments, const char*)) : std::u16string(va_arg(Arguments, const char16_t*));
			break;
		case u'f':
		case u'g':
			std::snprintf(Buffer, sizeof Buffer, Specifier.c_str(), va_arg(Arguments, double));
			break;
		default:
			if (bLong)
			{
				std::snprintf(Buffer, sizeof Buffer, Specifier.c_str(), va_arg(Arguments, long long));
			}
			else
			{
				std::snprintf(Buffer, sizeof Buffer, Specifier.c_str(), va_arg(Arguments, int));
			}
			break;
		}
		Made += FromUtf8(Buffer);
	}
	va_end(Arguments);
	return FString(Made);
}
