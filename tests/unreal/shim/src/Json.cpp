#include "Serialization/JsonSerializer.h"

#include "Logging/LogMacros.h"

#include <charconv>
#include <cmath>
#include <cstdio>

namespace
{
	/** RFC 8259, of UTF-8. */
	class FReader
	{
	public:
		explicit FReader(std::string_view InText)
			: Text(InText)
		{
		}

		TSharedPtr<FJsonValue> Read()
		{
			const TSharedPtr<FJsonValue> Value = ReadValue(0);
			SkipSpace();
			return Value && At == Text.size() ? Value : nullptr;
		}

	private:
		using FValue = TSharedPtr<FJsonValue>;

		void SkipSpace()
		{
			while (At < Text.size() && std::string_view(" \t\r\n").find(Text[At]) != std::string_view::npos)
			{
				++At;
			}
		}
		bool Take(std::string_view Word)
		{
			SkipSpace();
			if (Text.substr(At, Word.size()) != Word)
			{
				return false;
			}
			At += Word.size();
			return true;
		}
		FValue ReadValue(int Depth)
		{
			SkipSpace();
			if (At >= Text.size() || Depth > 100)
			{
				return nullptr;
			}
			switch (Text[At])
			{
			case '{':
				return ReadObject(Depth);
			case '[':
				return ReadArray(Depth);
			case '"':
			{
				std::string Read;
				return ReadText(Read) ? FValue(MakeShared<FJsonValueString>(FString(ue_shim::FromUtf8(Read)))) : nullptr;
			}
			default:
				break;
			}
			if (Take("true"))
			{
				return MakeShared<FJsonValueBoolean>(true);
			}
			if (Take("false"))
			{
				return MakeShared<FJsonValueBoolean>(false);
			}
			if (Take("null"))
			{
				return MakeShared<FJsonValueNull>();
			}
			double Number = 0;
			const auto Result = std::from_chars(Text.data() + At, Text.data() + Text.size(), Number);
			if (Result.ec != std::errc())
			{
				return nullptr;
			}
			At = static_cast<std::size_t>(Result.ptr - Text.data());
			return MakeShared<FJsonValueNumber>(Number);
		}
		FValue ReadArray(int Depth)
		{
			TArray<FValue> Values;
			Take("[");
			if (Take("]"))
			{
				return MakeShared<FJsonValueArray>(Values);
			}
			do
			{
				const FValue Value = ReadValue(Depth + 1);
				if (!Value)
				{
					return nullptr;
				}
				Values.Add(Value);
			} while (Take(","));
			return Take("]") ? FValue(MakeShared<FJsonValueArray>(Values)) : nullptr;
		}
		FValue ReadObject(int Depth)
		{
			const TSharedRef<FJsonObject> Object = MakeShared<FJsonObject>();
			Take("{");
			if (Take("}"))
			{
				return MakeShared<FJsonValueObject>(Object);
			}
			do
			{
				std::string Key;
				SkipSpace();
				if (!ReadText(Key) || !Take(":"))
				{
					return nullptr;
				}
				const FValue Value = ReadValue(Depth + 1);
				if (!Value)
				{
					return nullptr;
				}
				Object->SetField(FString(ue_shim::FromUtf8(Key)), Value);
			} while (Take(","));
			return Take("}") ? FValue(MakeShared<FJsonValueObject>(Object)) : nullptr;
		}
		bool ReadText(std::string& Read)
		{
			if (At >= Text.size() || Text[At] != '"')
			{
				return false;
			}
			std::u16string Escaped; // units in a row, which may be halves of pairs
			const auto Flush = [&] {
				Read += ue_shim::ToUtf8(Escaped);
				Escaped.clear();
			};
			for (++At; At < Text.size() && Text[At] != '"'; ++At)
			{
				if (Text[At] != '\\')
				{
					Flush();
					Read += Text[At];
					continue;
				}
				if (++At >= Text.size())
				{
					return false;
				}
				static constexpr std::string_view Letters = "\"\\/bfnrt";
				static constexpr std::u16string_view Meant = u"\"\\/\b\f\n\r\t";
				const std::size_t Letter = Letters.find(Text[At]);
				if (Letter != std::string_view::npos)
				{
					Escaped += Meant[Letter];
				}
				else if (Text[At] == 'u' && At + 4 < Text.size())
				{
					unsigned Unit = 0;
					std::from_chars(Text.data() + At + 1, Text.data() + At + 5, Unit, 16);
					Escaped += static_cast<char16_t>(Unit);
					At += 4;
				}
				else
				{
					return false;
				}
			}
			Flush();
			return At < Text.size() && Text[At++] == '"';
		}

		std::string_view Text;
		std::size_t At = 0;
	};

	FString Quoted(const FString& Text)
	{
		std::u16string Made = u"\"";
		for (const char16_t Unit : Text.View())
		{
			if (Unit == u'"' || Unit == u'\\')
			{
				Made += u'\\';
				Made += Unit;
			}
			else if (Unit < 0x20)
			{
				char Buffer[8];
				std::snprintf(Buffer, sizeof Buffer, "\\u%04x", static_cast<unsigned>(Unit));
				Made += ue_shim::FromUtf8(Buffer);
			}
			else
			{
				Made += Unit;
			}
		}
		return FString(Made + u"\"");
	}

	FString NumberText(double Number)
	{
		return FString::Printf(TEXT("%.17g"), Number);
	}
} // namespace

namespace
{
	const FLogCategoryBase LogJson{TEXT("LogJson")};

	template <typename T, typename TryType>
	T As(const FJsonValue& Value, const TCHAR* Wanted, TryType Try)
	{
		static const TCHAR* const Types[] = {
			TEXT("None"), TEXT("Null"), TEXT("String"), TEXT("Number"), TEXT("Boolean"), TEXT("Array"), TEXT("Object")};
		T Found{};
		if (!Try(Found))
		{
			ue_shim::WriteLog(LogJson, ELogVerbosity::Error,
				FString::Printf(
					TEXT("Json Value of type '%s' used as a '%s'."), Types[static_cast<int32>(Value.Type)], Wanted));
		}
		return Found;
	}
} // namespace

bool FJsonValue::TryGetNumber(int32& Value) const
{
	double Number = 0;
	if (!TryGetNumber(Number) || std::round(Number) < INT32_MIN || std::round(Number) > INT32_MAX)
	{
		return false;
	}
	Value = static_cast<int32>(std::round(Number));
	return true;
}

FString FJsonValue::AsString() const
{
	return As<FString>(*this, TEXT("String"), [this](FString& Found) { return TryGetString(Found); });
}

double FJsonValue::AsNumber() const
{
	return As<double>(*this, TEXT("Number"), [this](double& Found) { return TryGetNumber(Found); });
}

bool FJsonValue::AsBool() const
{
	return As<bool>(*this, TEXT("Boolean"), [this](bool& Found) { return TryGetBool(Found); });
}

const TArray<TSharedPtr<FJsonValue>>& FJsonValue::AsArray() const
{
	static const TArray<TSharedPtr<FJsonValue>> Empty;
	using FArray = const TArray<TSharedPtr<FJsonValue>>*;
	const FArray Array = As<FArray>(*this, TEXT("Array"), [this](FArray& Found) { return TryGetArray(Found); });
	return Array == nullptr ? Empty : *Array;
}

const TSharedPtr<FJsonObject>& FJsonValue::AsObject() const
{
	static const TSharedPtr<FJsonObject> Empty;
	using FObject = const TSharedPtr<FJsonObject>*;
	const FObject Object = As<FObject>(*this, TEXT("Object"), [this](FObject& Found) { return TryGetObject(Found); });
	return Object == nullptr ? Empty : *Object;
}

bool FJsonValueString::TryGetString(FString& Out) const
{
	Out = Value;
	return true;
}

bool FJsonValueString::TryGetNumber(double& Out) const
{
	const std::string Text = ue_shim::ToUtf8(Value.View());
	double Number = 0;
	const auto Result = std::from_chars(Text.data(), Text.data() + Text.size(), Number, std::chars_format::fixed);
	const bool bIsNumber = !Text.empty() && Result.ec == std::errc() && Result.ptr == Text.data() + Text.size();
	Out = bIsNumber ? Number : Out;
	return bIsNumber;
}

bool FJsonValueString::TryGetBool(bool& Out) const
{
	Out = Value == TEXT("true") || Value == TEXT("yes") || Value == TEXT("on") || FCString::Atoi(*Value) != 0;
	return true;
}

bool FJsonValueNumber::TryGetString(FString& Out) const
{
	Out = NumberText(Value);
	return true;
}

bool FJsonValueNumber::TryGetNumber(double& Out) const
{
	Out = Value;
	return true;
}

bool FJsonValueNumber::TryGetBool(bool& Out) const
{
	Out = Value != 0.0;
	return true;
}

bool FJsonValueBoolean::TryGetString(FString& Out) const
{
	Out = Value ? TEXT("true") : TEXT("false");
	return true;
}

bool FJsonValueBoolean::TryGetNumber(double& Out) const
{
	Out = Value ? 1.0 : 0.0;
	return true;
}

bool FJsonValueBoolean::TryGetBool(bool& Out) const
{
	Out = Value;
	return true;
}

bool FJsonValueArray::TryGetArray(const TArray<TSharedPtr<FJsonValue>>*& Out) const
{
	Out = &Value;
	return true;
}

bool FJsonValueObject::TryGetObject(const TSharedPtr<FJsonObject>*& Out) const
{
	Out = &Value;
	return true;
}

TSharedPtr<FJsonValue> ue_shim::ReadJson(const FString& Text)
{
	const std::string Utf8 = ToUtf8(Text.View());
	return FReader(Utf8).Read();
}

FString ue_shim::WriteJson(const FJsonValue& Value)
{
	switch (Value.Type)
	{
	case EJson::String:
		return Quoted(Value.AsString());
	case EJson::Number:
		return NumberText(Value.AsNumber());
	case EJson::Boolean:
		return Value.AsBool() ? TEXT("true") : TEXT("false");
	case EJson::Array:
	{
		TArray<FString> Parts;
		for (const TSharedPtr<FJsonValue>& Each : Value.AsArray())
		{
			Parts.Add(WriteJson(*Each));
		}
		return TEXT("[") + FString::Join(Parts, TEXT(",")) + TEXT("]");
	}
	case EJson::Object:
	{
		TArray<FString> Parts;
		for (const auto& Each : Value.AsObject()->Values)
		{
			Parts.Add(Quoted(Each.Key) + TEXT(":") + WriteJson(*Each.Value));
		}
		return TEXT("{") + FString::Join(Parts, TEXT(",")) + TEXT("}");
	}
	default:
		return TEXT("null");
	}
}
