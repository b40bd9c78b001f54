// FText. One of a string table is looked up when it is shown, in the language that is on then.
// https://dev.epicgames.com/documentation/en-us/unreal-engine/text-localization-in-unreal-engine
#pragma once

#include "UObject/NameTypes.h"

class FText
{
public:
	static FText FromString(const FString& Text);
	static FText FromStringTable(const FName& Table, const FString& Key);
	/** {0}, {1} ... */
	template <typename... ArgumentTypes>
	static FText Format(const FText& Pattern, ArgumentTypes... Arguments)
	{
		return FormatOrdered(Pattern, {FText(Arguments)...});
	}
	FString ToString() const;

private:
	static FText FormatOrdered(const FText& Pattern, const TArray<FText>& Arguments);
	FString Text;
	FName Table;
	FString Key;
};

#define UE_SHIM_WIDE(Literal) u##Literal
#define NSLOCTEXT(Namespace, Key, Literal) FText::FromString(UE_SHIM_WIDE(Literal))
#define LOCTEXT(Key, Literal) NSLOCTEXT(LOCTEXT_NAMESPACE, Key, Literal)
