#include "Bridge/TalefoldJson.h"

#include "Policies/CondensedJsonPrintPolicy.h"
#include "Serialization/JsonReader.h"
#include "Serialization/JsonSerializer.h"
#include "Serialization/JsonWriter.h"

namespace
{
	using FCondensedWriterFactory = TJsonWriterFactory<TCHAR, TCondensedJsonPrintPolicy<TCHAR>>;

	TArray<TSharedPtr<FJsonValue>> ParseArray(const FString& Json)
	{
		TArray<TSharedPtr<FJsonValue>> Values;
		FJsonSerializer::Deserialize(TJsonReaderFactory<TCHAR>::Create(Json), Values);
		return Values;
	}

	FString ReadText(const FJsonObject& Object, const TCHAR* Name)
	{
		FString Text;
		Object.TryGetStringField(Name, Text); // null is no text
		return Text;
	}

	int32 ReadNumber(const FJsonObject& Object, const TCHAR* Name, int32 Default)
	{
		int32 Number = Default;
		Object.TryGetNumberField(Name, Number);
		return Number;
	}

	template <typename ItemType, typename ReadType>
	TArray<ItemType> ReadObjects(const TArray<TSharedPtr<FJsonValue>>& Values, ReadType&& Read)
	{
		TArray<ItemType> Items;
		for (const TSharedPtr<FJsonValue>& Value : Values)
		{
			const TSharedPtr<FJsonObject>* Object = nullptr;
			if (Value->TryGetObject(Object))
			{
				Items.Add(Read(**Object));
			}
		}
		return Items;
	}

	FTalefoldToolCall ReadToolCall(const FJsonObject& Object)
	{
		FTalefoldToolCall Call;
		Call.Id = ReadText(Object, TEXT("id"));
		Call.Node = ReadText(Object, TEXT("node"));
		Call.ToolName = ReadText(Object, TEXT("tool_name"));
		Call.ArgumentsJson = ReadText(Object, TEXT("arguments"));
		Call.ResultJson = ReadText(Object, TEXT("result"));
		return Call;
	}

	FTalefoldPin ReadPin(const FJsonObject& Object)
	{
		FTalefoldPin Pin;
		Pin.Key = ReadText(Object, TEXT("key"));
		Pin.Text = ReadText(Object, TEXT("text"));
		return Pin;
	}

	FTalefoldFoundRecord ReadFoundRecord(const FJsonObject& Object)
	{
		FTalefoldFoundRecord Record;
		Record.Id = ReadText(Object, TEXT("id"));
		Record.Text = ReadText(Object, TEXT("text"));
		Object.TryGetNumberField(TEXT("distance"), Record.Distance);
		const TSharedPtr<FJsonObject>* Metadata = nullptr;
		if (Object.TryGetObjectField(TEXT("metadata"), Metadata))
		{
			Record.MetadataJson = TalefoldJson::Write(Metadata->ToSharedRef());
		}
		return Record;
	}

	FTalefoldSummary ReadSummaryObject(const FJsonObject& Object)
	{
		FTalefoldSummary Summary;
		Summary.Text = ReadText(Object, TEXT("text"));
		Summary.CoveredThrough = ReadNumber(Object, TEXT("covered_through"), -1);
		Object.TryGetBoolField(TEXT("stale"), Summary.bIsStale);
		return Summary;
	}
} // namespace

TSharedPtr<FJsonObject> TalefoldJson::Parse(const FString& Json)
{
	TSharedPtr<FJsonObject> Object;
	FJsonSerializer::Deserialize(TJsonReaderFactory<TCHAR>::Create(Json), Object);
	return Object;
}

TArray<TSharedPtr<FJsonObject>> TalefoldJson::ParseObjects(const FString& Json)
{
	TArray<TSharedPtr<FJsonObject>> Objects;
	for (const TSharedPtr<FJsonValue>& Value : ParseArray(Json))
	{
		const TSharedPtr<FJsonObject>* Object = nullptr;
		if (Value->TryGetObject(Object))
		{
			Objects.Add(*Object);
		}
	}
	return Objects;
}

FString TalefoldJson::Write(const TSharedRef<FJsonObject>& Object)
{
	FString Json;
	FJsonSerializer::Serialize(Object, FCondensedWriterFactory::Create(&Json));
	return Json;
}

FString TalefoldJson::WriteArray(const TArray<TSharedPtr<FJsonValue>>& Values)
{
	FString Json;
	FJsonSerializer::Serialize(Values, FCondensedWriterFactory::Create(&Json));
	return Json;
}

FString TalefoldJson::ReadField(const FString& Json, const FString& Name)
{
	const TSharedPtr<FJsonObject> Object = Parse(Json);
	return Object ? ReadText(*Object, *Name) : FString();
}

TArray<FString> TalefoldJson::ReadTexts(const FString& Json)
{
	TArray<FString> Texts;
	for (const TSharedPtr<FJsonValue>& Value : ParseArray(Json))
	{
		FString Text;
		Value->TryGetString(Text);
		Texts.Add(Text);
	}
	return Texts;
}

TArray<FString> TalefoldJson::ReadNames(const FString& Json)
{
	return ReadObjects<FString>(
		ParseArray(Json), [](const FJsonObject& Object) { return ReadText(Object, TEXT("name")); });
}

TMap<FString, FString> TalefoldJson::ReadPairs(const FString& Json)
{
	TMap<FString, FString> Pairs;
	if (const TSharedPtr<FJsonObject> Object = Parse(Json))
	{
		for (const auto& Pair : Object->Values)
		{
			Pair.Value->TryGetString(Pairs.FindOrAdd(FString(Pair.Key)));
		}
	}
	return Pairs;
}

FTalefoldInteraction TalefoldJson::ReadInteraction(const FJsonObject& Object)
{
	FTalefoldInteraction Interaction;
	Interaction.Index = ReadNumber(Object, TEXT("index"), 0);
	Interaction.User = ReadText(Object, TEXT("user"));
	Interaction.Assistant = ReadText(Object, TEXT("assistant"));
	Interaction.Intent = ReadText(Object, TEXT("intent"));
	const TSharedPtr<FJsonObject>* Summary = nullptr;
	if (Object.TryGetObjectField(TEXT("summary"), Summary))
	{
		Interaction.Summary = ReadText(**Summary, TEXT("text"));
	}
	const TArray<TSharedPtr<FJsonValue>>* Calls = nullptr;
	if (Object.TryGetArrayField(TEXT("tool_calls"), Calls))
	{
		Interaction.ToolCalls = ReadObjects<FTalefoldToolCall>(*Calls, ReadToolCall);
	}
	return Interaction;
}

TArray<FTalefoldInteraction> TalefoldJson::ReadDialog(const FString& Json)
{
	return ReadObjects<FTalefoldInteraction>(ParseArray(Json), ReadInteraction);
}

FTalefoldSummary TalefoldJson::ReadSummary(const FString& Json)
{
	const TSharedPtr<FJsonObject> Object = Parse(Json); // null when nothing was folded
	return Object ? ReadSummaryObject(*Object) : FTalefoldSummary();
}

TArray<FTalefoldPin> TalefoldJson::ReadPins(const FString& Json)
{
	return ReadObjects<FTalefoldPin>(ParseArray(Json), ReadPin);
}

TArray<FTalefoldFoundRecord> TalefoldJson::ReadFoundRecords(const FString& Json)
{
	return ReadObjects<FTalefoldFoundRecord>(ParseArray(Json), ReadFoundRecord);
}
