// FName: compared without case. https://dev.epicgames.com/documentation/en-us/unreal-engine/fname-in-unreal-engine
#pragma once

#include "Containers/UnrealString.h"

class FName
{
public:
	FName() = default;
	FName(const TCHAR* Text)
		: FName(FString(Text))
	{
	}
	explicit FName(const FString& Text)
		: Text_(Text)
	{
		UE_SHIM_CHECK(Text.Len() < 1024);
	}
	FString ToString() const { return Text_.IsEmpty() ? FString(TEXT("None")) : Text_; }
	friend bool operator==(const FName& First, const FName& Second) { return First.Text_ == Second.Text_; }

private:
	FString Text_;
};
