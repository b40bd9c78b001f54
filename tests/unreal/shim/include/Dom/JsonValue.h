// A value converts where it can, as documented: a number is a text too, a text of digits a number, a
// truth both. What asks for a value As something it cannot be logs an error. Numbers are doubles.
// https://dev.epicgames.com/documentation/en-us/unreal-engine/API/Runtime/Json/FJsonValue https://dev.epicgames.com/documentation/en-us/unreal-engine/API/Runtime/Json/TJsonValueString/TryGetNumber
#pragma once

#include "Containers/UnrealString.h"
#include "Templates/SharedPointer.h"

enum class EJson
{
	None,
	Null,
	String,
	Number,
	Boolean,
	Array,
	Object
};

class FJsonObject;

class FJsonValue
{
public:
	EJson Type = EJson::None;

	virtual ~FJsonValue() = default;
	bool IsNull() const { return Type == EJson::Null || Type == EJson::None; }
	virtual bool TryGetString(FString&) const { return false; }
	virtual bool TryGetNumber(double&) const { return false; }
	/** False when the number does not fit; rounds. */
	bool TryGetNumber(int32& Value) const;
	virtual bool TryGetBool(bool&) const { return false; }
	virtual bool TryGetArray(const TArray<TSharedPtr<FJsonValue>>*&) const { return false; }
	virtual bool TryGetObject(const TSharedPtr<FJsonObject>*&) const { return false; }
	FString AsString() const;
	double AsNumber() const;
	bool AsBool() const;
	const TArray<TSharedPtr<FJsonValue>>& AsArray() const;
	const TSharedPtr<FJsonObject>& AsObject() const;

protected:
	FJsonValue() = default;
};

class FJsonValueNull : public FJsonValue
{
public:
	FJsonValueNull() { Type = EJson::Null; }
};

class FJsonValueString : public FJsonValue
{
public:
	explicit FJsonValueString(const FString& InValue)
		: Value(InValue)
	{
		Type = EJson::String;
	}
	using FJsonValue::TryGetNumber;
	bool TryGetString(FString& Out) const override;
	bool TryGetNumber(double& Out) const override;
	bool TryGetBool(bool& Out) const override;

private:
	FString Value;
};

class FJsonValueNumber : public FJsonValue
{
public:
	explicit FJsonValueNumber(double InValue)
		: Value(InValue)
	{
		Type = EJson::Number;
	}
	using FJsonValue::TryGetNumber;
	bool TryGetString(FString& Out) const override;
	bool TryGetNumber(double& Out) const override;
	bool TryGetBool(bool& Out) const override;

private:
	double Value;
};

class FJsonValueBoolean : public FJsonValue
{
public:
	explicit FJsonValueBoolean(bool InValue)
		: Value(InValue)
	{
		Type = EJson::Boolean;
	}
	using FJsonValue::TryGetNumber;
	bool TryGetString(FString& Out) const override;
	bool TryGetNumber(double& Out) const override;
	bool TryGetBool(bool& Out) const override;

private:
	bool Value;
};

class FJsonValueArray : public FJsonValue
{
public:
	explicit FJsonValueArray(const TArray<TSharedPtr<FJsonValue>>& InValue)
		: Value(InValue)
	{
		Type = EJson::Array;
	}
	bool TryGetArray(const TArray<TSharedPtr<FJsonValue>>*& Out) const override;

private:
	TArray<TSharedPtr<FJsonValue>> Value;
};

class FJsonValueObject : public FJsonValue
{
public:
	explicit FJsonValueObject(TSharedPtr<FJsonObject> InValue)
		: Value(std::move(InValue))
	{
		Type = EJson::Object;
	}
	bool TryGetObject(const TSharedPtr<FJsonObject>*& Out) const override;

private:
	TSharedPtr<FJsonObject> Value;
};
