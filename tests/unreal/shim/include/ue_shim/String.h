// FString: UTF-16, compared without case unless told otherwise.
// https://dev.epicgames.com/documentation/en-us/unreal-engine/fstring-in-unreal-engine
#pragma once

#include "ue_shim/Array.h"

#include <string>
#include <string_view>

namespace ESearchCase
{
	enum Type
	{
		CaseSensitive,
		IgnoreCase
	};
} // namespace ESearchCase

class FString;

namespace ue_shim
{
	bool EqualsWithoutCase(std::u16string_view First, std::u16string_view Second);
	std::string ToUtf8(std::u16string_view Text);
	std::u16string FromUtf8(std::string_view Text);

	/** An argument of a format: as with the engine, a text is a TCHAR*, never an FString or a char*. */
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
			, Signed(Value)
		{
		}
		template <typename T>
			requires(std::is_integral_v<T> && !std::is_signed_v<T>)
		FFormatArgument(T Value)
			: Kind(EKind::Unsigned)
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

class FString
{
public:
	FString() = default;
	FString(const TCHAR* Text)
		: Text_(Text == nullptr ? u"" : Text)
	{
	}
	explicit FString(std::u16string Text)
		: Text_(std::move(Text))
	{
	}
	static FString ConstructFromPtrSize(const TCHAR* Data, int32 Size)
	{
		return FString(std::u16string(Data, static_cast<std::size_t>(Size)));
	}
	template <typename... ArgumentTypes>
	static FString Printf(const TCHAR* Format, ArgumentTypes... Arguments)
	{
		return ue_shim::Format(Format, {ue_shim::FFormatArgument(Arguments)...});
	}
	static FString FromInt(int32 Number) { return Printf(TEXT("%d"), Number); }
	static FString Join(const TArray<FString>& Parts, const TCHAR* Separator)
	{
		FString Joined;
		for (int32 Index = 0; Index < Parts.Num(); ++Index)
		{
			Joined += Index == 0 ? FString() : FString(Separator);
			Joined += Parts[Index];
		}
		return Joined;
	}

	const TCHAR* operator*() const { return Text_.c_str(); }
	int32 Len() const { return static_cast<int32>(Text_.size()); }
	bool IsEmpty() const { return Text_.empty(); }
	void Empty() { Text_.clear(); }
	bool Equals(const FString& Other, ESearchCase::Type Case = ESearchCase::CaseSensitive) const
	{
		return Case == ESearchCase::CaseSensitive ? Text_ == Other.Text_ : ue_shim::EqualsWithoutCase(Text_, Other.Text_);
	}
	bool Contains(const FString& Part) const { return Text_.find(Part.Text_) != std::u16string::npos; }
	bool StartsWith(const FString& Part) const { return Text_.starts_with(Part.Text_); }
	bool EndsWith(const FString& Part) const { return Text_.ends_with(Part.Text_); }
	FString Left(int32 Count) const { return FString(Text_.substr(0, static_cast<std::size_t>(Count))); }
	FString RightChop(int32 Count) const
	{
		return Count >= Len() ? FString() : FString(Text_.substr(static_cast<std::size_t>(Count)));
	}
	FString& operator+=(const FString& Other)
	{
		Text_ += Other.Text_;
		return *this;
	}
	friend FString operator+(const FString& First, const FString& Second) { return FString(First.Text_ + Second.Text_); }
	friend bool operator==(const FString& First, const FString& Second)
	{
		return ue_shim::EqualsWithoutCase(First.Text_, Second.Text_);
	}
	friend bool operator==(const FString& First, const TCHAR* Second) { return First == FString(Second); }

	std::u16string_view View() const { return Text_; } // the shim's own

private:
	std::u16string Text_;
};

struct FCString
{
	static int32 Atoi(const TCHAR* Text) { return std::atoi(ue_shim::ToUtf8(Text).c_str()); }
};

/** Conversions are temporaries: the text is gone with the object. */
class FTCHARToUTF8
{
public:
	explicit FTCHARToUTF8(const TCHAR* Text)
		: Utf8(ue_shim::ToUtf8(Text))
	{
	}
	FTCHARToUTF8(const TCHAR* Text, int32 Length)
		: Utf8(ue_shim::ToUtf8(std::u16string_view(Text, static_cast<std::size_t>(Length))))
	{
	}
	FTCHARToUTF8(const FTCHARToUTF8&) = delete;
	FTCHARToUTF8& operator=(const FTCHARToUTF8&) = delete;
	const ANSICHAR* Get() const { return Utf8.c_str(); }
	int32 Length() const { return static_cast<int32>(Utf8.size()); }

private:
	std::string Utf8;
};

class FUTF8ToTCHAR
{
public:
	explicit FUTF8ToTCHAR(const ANSICHAR* Text)
		: Wide(ue_shim::FromUtf8(Text))
	{
	}
	FUTF8ToTCHAR(const ANSICHAR* Text, int32 Length)
		: Wide(ue_shim::FromUtf8(std::string_view(Text, static_cast<std::size_t>(Length))))
	{
	}
	FUTF8ToTCHAR(const FUTF8ToTCHAR&) = delete;
	FUTF8ToTCHAR& operator=(const FUTF8ToTCHAR&) = delete;
	const TCHAR* Get() const { return Wide.c_str(); }
	int32 Length() const { return static_cast<int32>(Wide.size()); }

private:
	std::u16string Wide;
};

#define TCHAR_TO_UTF8(Text) (FTCHARToUTF8(Text).Get())
#define UTF8_TO_TCHAR(Text) (FUTF8ToTCHAR(Text).Get())

/** Compared without case, as FString. */
class FName
{
public:
	FName() = default;
	FName(const TCHAR* Text)
		: Text_(Text)
	{
	}
	explicit FName(const FString& Text)
		: Text_(Text)
	{
	}
	FString ToString() const { return Text_.IsEmpty() ? FString(TEXT("None")) : Text_; }
	bool IsNone() const { return Text_.IsEmpty(); }
	friend bool operator==(const FName& First, const FName& Second) { return First.Text_ == Second.Text_; }

private:
	FString Text_;
};
#define NAME_None FName()
