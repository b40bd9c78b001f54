// https://dev.epicgames.com/documentation/en-us/unreal-engine/API/Runtime/Json/FJsonSerializer
#pragma once

#include "Dom/JsonObject.h"
#include "Serialization/JsonReader.h"
#include "Serialization/JsonWriter.h"

namespace ue_shim
{
	TSharedPtr<FJsonValue> ReadJson(const FString& Text); // null when it is none
	FString WriteJson(const FJsonValue& Value);
} // namespace ue_shim

struct FJsonSerializer
{
	template <typename CharType>
	static bool Deserialize(const TSharedRef<TJsonReader<CharType>>& Reader, TSharedPtr<FJsonObject>& Object)
	{
		const TSharedPtr<FJsonValue> Value = ue_shim::ReadJson(Reader->Text);
		Object = Value && Value->Type == EJson::Object ? Value->AsObject() : nullptr;
		return Object.IsValid();
	}
	template <typename CharType>
	static bool Deserialize(const TSharedRef<TJsonReader<CharType>>& Reader, TArray<TSharedPtr<FJsonValue>>& Values)
	{
		const TSharedPtr<FJsonValue> Value = ue_shim::ReadJson(Reader->Text);
		if (!Value || Value->Type != EJson::Array)
		{
			return false;
		}
		Values = Value->AsArray();
		return true;
	}
	template <typename WriterType>
	static bool Serialize(const TSharedRef<FJsonObject>& Object, const TSharedRef<WriterType>& Writer)
	{
		*Writer->Output = ue_shim::WriteJson(FJsonValueObject(Object));
		return true;
	}
	template <typename WriterType>
	static bool Serialize(const TArray<TSharedPtr<FJsonValue>>& Values, const TSharedRef<WriterType>& Writer)
	{
		*Writer->Output = ue_shim::WriteJson(FJsonValueArray(Values));
		return true;
	}
};
