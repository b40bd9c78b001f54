// FString: UTF-16 units. == and what looks for a part are without case unless told otherwise; Equals is
// with case unless told otherwise. Lengths and positions are units, so that a pair can be cut in two.
// https://dev.epicgames.com/documentation/en-us/unreal-engine/fstring-in-unreal-engine https://dev.epicgames.com/documentation/en-us/unreal-engine/API/Runtime/Core/FString/Contains
#pragma once

#include "Containers/Array.h"
#include "Misc/CString.h"
#include "ue_shim/Format.h"

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
	} // the shim's own
	static FString ConstructFromPtrSize(const TCHAR* Data, int32 Size)
	{
		return FString(std::u16string(Data, static_cast<std::size_t>(Size)));
	}
	template <typename... ArgumentTypes>
	static FString Printf(ue_shim::TFormat<std::type_identity_t<ArgumentTypes>...> Format, ArgumentTypes... Arguments)
	{
		return ue_shim::Format(Format.Text, Arguments...);
	}
	static FString Join(const TArray<FString>& Parts, const TCHAR* Separator);

	const TCHAR* operator*() const { return Text_.c_str(); }
	int32 Len() const { return static_cast<int32>(Text_.size()); }
	bool IsEmpty() const { return Text_.empty(); }
	bool Equals(const FString& Other, ESearchCase::Type Case = ESearchCase::CaseSensitive) const;
	bool Contains(const FString& Part, ESearchCase::Type Case = ESearchCase::IgnoreCase) const;
	bool StartsWith(const FString& Part, ESearchCase::Type Case = ESearchCase::IgnoreCase) const;
	bool EndsWith(const FString& Part, ESearchCase::Type Case = ESearchCase::IgnoreCase) const;
	FString Left(int32 Count) const;
	FString& operator+=(const FString& Other)
	{
		Text_ += Other.Text_;
		return *this;
	}
	friend FString operator+(const FString& First, const FString& Second) { return FString(First.Text_ + Second.Text_); }
	friend bool operator==(const FString& First, const FString& Second)
	{
		return First.Equals(Second, ESearchCase::IgnoreCase);
	}
	friend bool operator==(const FString& First, const TCHAR* Second) { return First == FString(Second); }

	std::u16string_view View() const { return Text_; } // the shim's own

private:
	std::u16string Text_;
};
