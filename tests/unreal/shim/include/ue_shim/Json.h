// Numbers are doubles, and keys are FStrings: alike but for case is the same.
// https://dev.epicgames.com/documentation/en-us/unreal-engine/API/Runtime/Json
#pragma once

#include "ue_shim/Map.h"
#include "ue_shim/Pointers.h"

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
	EJson Type = EJson::Null;

	virtual ~FJsonValue() = default;
	bool IsNull() const { return Type == EJson::Null; }
	virtual bool TryGetString(FString&) const { return false; }
	virtual bool TryGetNumber(double&) const { return false; }
	virtual bool TryGetBool(bool&) const { return false; }
	virtual bool TryGetArray(const TArray<TSharedPtr<FJsonValue>>*&) const { return false; }
	virtual bool TryGetObject(const TSharedPtr<FJsonObject>*&) const { return false; }
	FString AsString() const
	{
		FString Value;
		TryGetString(Value);
		return Value;
	}
	double AsNumber() const
	{
		double Value = 0;
		TryGetNumber(Value);
		return Value;
	}
	bool AsBool() const
	{
		bool Value = false;
		TryGetBool(Value);
		return Value;
	}
	const TArray<TSharedPtr<FJsonValue>>& AsArray() const
	{
		static const TArray<TSharedPtr<FJsonValue>> Empty;
		const TArray<TSharedPtr<FJsonValue>>* Value = &Empty;
		return TryGetArray(Value) ? *Value : Empty;
	}
	TSharedPtr<FJsonObject> AsObject() const
	{
		const TSharedPtr<FJsonObject>* Value = nullptr;
		return TryGetObject(Value) ? *Value : nullptr;
	}
};

class FJsonValueNull : public FJsonValue
{
};

class FJsonValueString : public FJsonValue
{
public:
	explicit FJsonValueString(const FString& InValue)
		: Value(InValue)
	{
		Type = EJson::String;
	}
	bool TryGetString(FString& Out) const override
	{
		Out = Value;
		return true;
	}

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
	bool TryGetNumber(double& Out) const override
	{
		Out = Value;
		return true;
	}
	bool TryGetString(FString& Out) const override;

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
	bool TryGetBool(bool& Out) const override
	{
		Out = Value;
		return true;
	}

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
	bool TryGetArray(const TArray<TSharedPtr<FJsonValue>>*& Out) const override
	{
		Out = &Value;
		return true;
	}

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
	bool TryGetObject(const TSharedPtr<FJsonObject>*& Out) const override
	{
		Out = &Value;
		return true;
	}

private:
	TSharedPtr<FJsonObject> Value;
};

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
	bool TryGetNumberField(const FString& Name, double& Value) const
	{
		const TSharedPtr<FJsonValue> Field = TryGetField(Name);
		return Field && Field->TryGetNumber(Value);
	}
	bool TryGetNumberField(const FString& Name, int32& Value) const
	{
		double Number = 0;
		const bool bFound = TryGetNumberField(Name, Number);
		Value = bFound ? static_cast<int32>(Number) : Value;
		return bFound;
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
	const TArray<TSharedPtr<FJsonValue>>& GetArrayField(const FString& Name) const { return TryGetField(Name)->AsArray(); }
};

template <typename CharType>
struct TCondensedJsonPrintPolicy
{
};

template <typename CharType>
class TJsonReader
{
public:
	explicit TJsonReader(const FString& InText)
		: Text(InText)
	{
	}
	const FString Text;
};
template <typename CharType = TCHAR>
struct TJsonReaderFactory
{
	static TSharedRef<TJsonReader<CharType>> Create(const FString& Text) { return MakeShared<TJsonReader<CharType>>(Text); }
};

template <typename CharType, typename PrintPolicy>
class TJsonWriter
{
public:
	explicit TJsonWriter(FString* InOutput)
		: Output(InOutput)
	{
	}
	FString* const Output;
};
template <typename CharType, typename PrintPolicy>
struct TJsonWriterFactory
{
	static TSharedRef<TJsonWriter<CharType, PrintPolicy>> Create(FString* Output)
	{
		return MakeShared<TJsonWriter<CharType, PrintPolicy>>(Output);
	}
};

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
		Object = Value ? Value->AsObject() : nullptr;
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
