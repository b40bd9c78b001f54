#include "ue_shim/String.h"

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

bool ue_shim::EqualsWithoutCase(std::u16string_view First, std::u16string_view Second)
{
	return First.size() == Second.size() && std::equal(First.begin(), First.end(), Second.begin(),
												[](char16_t A, char16_t B) { return Lower(A) == Lower(B); });
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

FString ue_shim::Format(const char16_t* Format, std::initializer_list<FFormatArgument> Arguments)
{
	std::u16string Made;
	const FFormatArgument* Next = Arguments.begin();
	for (const char16_t* At = Format; *At != 0; ++At)
	{
		if (*At != u'%')
		{
			Made += *At;
			continue;
		}
		std::string Specifier = "%";
		for (++At; *At != 0 && std::strchr("0123456789.+-#lhz", static_cast<char>(*At)) != nullptr; ++At)
		{
			Specifier += static_cast<char>(*At);
		}
		if (*At == u'%')
		{
			Made += u'%';
			continue;
		}
		UE_SHIM_CHECK(Next != Arguments.end()); // an argument is missing
		const bool bNarrow = Specifier.find('h') != std::string::npos;
		std::erase_if(Specifier, [](char Letter) { return Letter == 'l' || Letter == 'h' || Letter == 'z'; });
		char Buffer[512] = {};
		using EKind = FFormatArgument::EKind;
		switch (*At)
		{
		case u's':
			UE_SHIM_CHECK(Next->Kind == (bNarrow ? EKind::Narrow : EKind::Text)); // %s is a TCHAR*, %hs a char*
			Made += bNarrow ? FromUtf8(Next->Narrow) : std::u16string(Next->Text);
			break;
		case u'd':
		case u'i':
			UE_SHIM_CHECK(Next->Kind == EKind::Signed);
			std::snprintf(Buffer, sizeof Buffer, (Specifier + "lld").c_str(), Next->Signed);
			break;
		case u'u':
		case u'x':
			UE_SHIM_CHECK(Next->Kind == EKind::Unsigned);
			std::snprintf(Buffer, sizeof Buffer, (Specifier + "ll" + static_cast<char>(*At)).c_str(), Next->Unsigned);
			break;
		case u'f':
		case u'g':
			UE_SHIM_CHECK(Next->Kind == EKind::Float);
			std::snprintf(Buffer, sizeof Buffer, (Specifier + static_cast<char>(*At)).c_str(), Next->Float);
			break;
		default:
			Fail(__FILE__, __LINE__, "an unknown format");
		}
		Made += FromUtf8(Buffer);
		++Next;
	}
	UE_SHIM_CHECK(Next == Arguments.end()); // an argument too many
	return FString(Made);
}
