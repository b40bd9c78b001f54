#include "Internationalization/Text.h"

#include "Internationalization/StringTable.h"
#include "Internationalization/StringTableCore.h"

namespace
{
	TArray<TWeakObjectPtr<UStringTable>>& Tables()
	{
		static TArray<TWeakObjectPtr<UStringTable>> All;
		return All;
	}
} // namespace

FText FText::FromString(const FString& Text)
{
	FText Made;
	Made.Text = Text;
	return Made;
}

FText FText::FromStringTable(const FName& Table, const FString& Key)
{
	FText Made;
	Made.Table = Table;
	Made.Key = Key;
	return Made;
}

FString FText::ToString() const
{
	if (Table == FName())
	{
		return Text;
	}
	FString Found;
	for (const TWeakObjectPtr<UStringTable>& Each : Tables())
	{
		const UStringTable* const Known = Each.Get();
		if (Known != nullptr && Known->GetStringTableId() == Table && Known->GetStringTable()->GetSourceString(Key, Found))
		{
			return Found;
		}
	}
	return TEXT("<MISSING STRING TABLE ENTRY>");
}

FText FText::FormatOrdered(const FText& Pattern, const TArray<FText>& Arguments)
{
	const FString From = Pattern.ToString();
	FString Made;
	for (int32 Index = 0; Index < From.Len(); ++Index)
	{
		const TCHAR Unit = (*From)[Index];
		const bool bIsPlace = Unit == u'{' && Index + 2 < From.Len() && (*From)[Index + 2] == u'}';
		if (bIsPlace)
		{
			Made += Arguments[(*From)[Index + 1] - u'0'].ToString();
			Index += 2;
		}
		else
		{
			Made += FString::ConstructFromPtrSize(&Unit, 1);
		}
	}
	return FromString(Made);
}

bool FStringTable::GetSourceString(const FString& Key, FString& Source) const
{
	const TPair<FString, FString>* const Found =
		Entries.FindByPredicate([&Key](const TPair<FString, FString>& Each) { return Each.Key.Equals(Key); });
	Source = Found == nullptr ? FString() : Found->Value;
	return Found != nullptr;
}

void FStringTable::SetSourceString(const FString& Key, const FString& Source)
{
	Entries.RemoveAll([&Key](const TPair<FString, FString>& Each) { return Each.Key.Equals(Key); });
	Entries.Add({Key, Source});
}

UClass* UStringTable::StaticClass()
{
	static UClass* const Class = ue_shim::MakeClass<UStringTable>(TEXT("StringTable"), {});
	return Class;
}

UStringTable::UStringTable()
	: Table(MakeShared<FStringTable>())
{
}

void UStringTable::PostInitProperties()
{
	Tables().Add(this);
}

TSharedRef<const FStringTable> UStringTable::GetStringTable() const
{
	return Table;
}

TSharedRef<FStringTable> UStringTable::GetMutableStringTable()
{
	return Table;
}
