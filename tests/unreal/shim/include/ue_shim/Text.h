// FText and string tables. A text of a table is looked up when it is shown.
// https://dev.epicgames.com/documentation/en-us/unreal-engine/using-string-tables-for-text-in-unreal-engine
#pragma once

#include "ue_shim/Object.h"

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
	bool IsEmpty() const { return ToString().IsEmpty(); }

private:
	static FText FormatOrdered(const FText& Pattern, const TArray<FText>& Arguments);
	FString Text;
	FName Table;
	FString Key;
};

#define UE_SHIM_WIDE(Literal) u##Literal
#define NSLOCTEXT(Namespace, Key, Literal) FText::FromString(UE_SHIM_WIDE(Literal))
#define LOCTEXT(Key, Literal) NSLOCTEXT(LOCTEXT_NAMESPACE, Key, Literal)

class FStringTable
{
public:
	bool GetSourceString(const FString& Key, FString& Source) const;
	void SetSourceString(const FString& Key, const FString& Source) { Entries.Add(Key, Source); }

private:
	TMap<FString, FString> Entries;
};

class UStringTable : public UObject
{
public:
	using Super = UObject;
	using ThisClass = UStringTable;
	static UClass* StaticClass();
	static void ShimVisit(void*, ue_shim::FPropertyVisitor&) {}

	void PostInitProperties() override;
	FName GetStringTableId() const { return FName(GetPathName()); }
	TSharedRef<const FStringTable> GetStringTable() const { return Table; }
	TSharedRef<FStringTable> GetMutableStringTable() { return Table; }

private:
	TSharedRef<FStringTable> Table = MakeShared<FStringTable>();
};

namespace ue_shim
{
	/** The text of a table's key in the language that is on. */
	void Translate(const FName& Table, const FString& Key, const FString& Translated);
} // namespace ue_shim
