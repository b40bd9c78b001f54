// Keys are FStrings: alike but for case is the same.
// https://dev.epicgames.com/documentation/en-us/unreal-engine/API/Runtime/Json/FJsonObject
#pragma once

#include "Containers/Map.h"
#include "Dom/JsonValue.h"

class FJsonObject
{
public:
	TMap<FString, TSharedPtr<FJsonValue>> Values;

	void SetField(const FString& Name, const TSharedPtr<FJsonValue>& Value) { Values.Add(Name, Value); }
	void SetStringField(const FString& Name, const FString& Value) { SetField(Name, MakeShared<FJsonValueString>(Value)); }
	void SetNumberField(const FString& Name, double Value) { SetField(Name, MakeShared<FJsonValueNumber>(Value)); }
	void SetBoolField(const FString& Name, bool Value) { SetField(Name, MakeShared<FJsonValueBoolean>(Value)); }
	void SetArrayField(const FString& Name, const TArray<TSharedPtr<FJsonValue>>& Value)
	{
		SetField(Name, MakeShared<FJsonValueArray>(Value));
	}
	void SetObjectField(const FString& Name, const TSharedPtr<FJsonObject>& Value)
	{
		SetField(Name, MakeShared<FJsonValueObject>(Value));
	}
	bool HasField(const FString& Name) const { return Values.Contains(Name); }
	TSharedPtr<FJsonValue> TryGetField(const FString& Name) const { return Values.FindRef(Name); }
	bool TryGetStringField(const FString& Name, FString& Value) const
	{
		const TSharedPtr<FJsonValue> Field = TryGetField(Name);
		return Field && Field->TryGetString(Value);
	}
	template <typename NumberType>
	bool TryGetNumberField(const FString& Name, NumberType& Value) const
	{
		const TSharedPtr<FJsonValue> Field = TryGetField(Name);
		return Field && Field->TryGetNumber(Value);
	}
	bool TryGetBoolField(const FString& Name, bool& Value) const
	{
		const TSharedPtr<FJsonValue> Field = TryGetField(Name);
		return Field && Field->TryGetBool(Value);
	}
	bool TryGetArrayField(const FString& Name, const TArray<TSharedPtr<FJsonValue>>*& Value) const
	{
		const TSharedPtr<FJsonValue> Field = TryGetField(Name);
		return Field && Field->TryGetArray(Value);
	}
	bool TryGetObjectField(const FString& Name, const TSharedPtr<FJsonObject>*& Value) const
	{
		const TSharedPtr<FJsonValue> Field = TryGetField(Name);
		return Field && Field->TryGetObject(Value);
	}
	/** Of a field that is there: a missing one ends the program here. */
	const TArray<TSharedPtr<FJsonValue>>& GetArrayField(const FString& Name) const { return TryGetField(Name)->AsArray(); }
};
