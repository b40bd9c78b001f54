#include "ue_shim/Text.h"

namespace
{
	TArray<TWeakObjectPtr<UStringTable>>& Tables()
	{
		static TArray<TWeakObjectPtr<UStringTable>> All;
		return All;
	}
	TMap<FString, FString>& Translations()
	{
		static TMap<FString, FString> All;
		return All;
	}
	FString TranslationKey(const FName& Table, const FString& Key)
	{
		return Table.ToString() + TEXT("/") + Key;
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
	if (const FString* Translated = Translations().Find(TranslationKey(Table, Key)))
	{
		Made.Text = *Translated;
		return Made;
	}
	for (const TWeakObjectPtr<UStringTable>& Each : Tables())
	{
		if (const UStringTable* Found = Each.Get(); Found != nullptr && Found->GetStringTableId() == Table)
		{
			Found->GetStringTable()->GetSourceString(Key, Made.Text);
		}
	}
	return Made;
}

FString FText::ToString() const
{
	return Text;
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
	const FString* const Found = Entries.Find(Key);
	Source = Found == nullptr ? FString() : *Found;
	return Found != nullptr;
}

UClass* UStringTable::StaticClass()
{
	static UClass* const Class = ue_shim::MakeClass<UStringTable>(TEXT("StringTable"), {});
	return Class;
}

void UStringTable::PostInitProperties()
{
	Tables().Add(this);
}

void ue_shim::Translate(const FName& Table, const FString& Key, const FString& Translated)
{
	Translations().Add(TranslationKey(Table, Key), Translated);
}
