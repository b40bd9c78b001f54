#pragma once

#include "Bridge/TalefoldJson.h"
#include "Dom/JsonObject.h"
#include "Generated/TalefoldParamFields.h"

/** Params as JSON, by the generated lists of their fields. */
namespace TalefoldParams
{
	/** Empty when each key is one of these, to the letter: the engine finds fields whatever their case. */
	inline FString FindUnknownKey(const FJsonObject& Object, const TArray<FString>& Allowed, const TCHAR* What)
	{
		for (const auto& Each : Object.Values)
		{
			const FString Key(Each.Key);
			if (!Allowed.ContainsByPredicate([&Key](const FString& Name) { return Name.Equals(Key, ESearchCase::CaseSensitive); }))
			{
				return FString::Printf(TEXT("unknown %s '%s'; allowed: %s"), What, *Key, *FString::Join(Allowed, TEXT(", ")));
			}
		}
		return FString();
	}

	/** Writes fields that are set and not the default. */
	class FWriter
	{
	public:
		explicit FWriter(FJsonObject& InObject, bool bInWithDefaults = false)
			: Object(InObject)
			, bWithDefaults(bInWithDefaults)
		{
		}

		template <typename T>
		void Field(const TCHAR* Name, T& Value, const T& Default)
		{
			const TSharedPtr<FJsonValue> Written = ToValue(Value);
			const TSharedPtr<FJsonObject> Inner = Written->Type == EJson::Object ? Written->AsObject() : nullptr;
			if (bWithDefaults || (Inner ? Inner->Values.Num() > 0 : !IsSame(Value, Default)))
			{
				Object.SetField(Name, Written);
			}
		}

		template <typename T>
		void Optional(const TCHAR* Name, bool& bIsSet, T& Value)
		{
			if (bIsSet)
			{
				Object.SetField(Name, ToValue(Value));
			}
			else if (bWithDefaults)
			{
				Object.SetField(Name, MakeShared<FJsonValueNull>());
			}
		}

	private:
		static bool IsSame(const FString& First, const FString& Second) { return First.Equals(Second, ESearchCase::CaseSensitive); }
		template <typename T>
		static bool IsSame(const T& First, const T& Second)
		{
			if constexpr (requires { First == Second; })
			{
				return First == Second;
			}
			return true; // a struct: it is left out when nothing in it is set
		}
		template <typename T>
		static bool IsSame(const TArray<T>& First, const TArray<T>& Second)
		{
			return First.IsEmpty() && Second.IsEmpty();
		}

		TSharedPtr<FJsonValue> ToValue(const FString& Value) const { return MakeShared<FJsonValueString>(Value); }
		TSharedPtr<FJsonValue> ToValue(bool bValue) const { return MakeShared<FJsonValueBoolean>(bValue); }
		template <typename T>
		TSharedPtr<FJsonValue> ToValue(const TArray<T>& Items) const
		{
			TArray<TSharedPtr<FJsonValue>> Values;
			for (const T& Item : Items)
			{
				Values.Add(ToValue(Item));
			}
			return MakeShared<FJsonValueArray>(Values);
		}
		template <typename T>
		TSharedPtr<FJsonValue> ToValue(const T& Value) const;

		FJsonObject& Object;
		const bool bWithDefaults; // null where nothing is set
	};

	template <typename StructType>
	TSharedRef<FJsonObject> ToJson(const StructType& Struct, bool bWithDefaults = false)
	{
		const TSharedRef<FJsonObject> Object = MakeShared<FJsonObject>();
		FWriter Writer(*Object, bWithDefaults);
		StructType Copy = Struct; // one list of fields serves reading too
		VisitFields(Writer, Copy, StructType());
		return Object;
	}

	/** The fields of After that are others in Before, also where they are the default. */
	template <typename StructType>
	TSharedRef<FJsonObject> WriteChanges(const StructType& Before, const StructType& After)
	{
		const auto ToText = [](const TSharedPtr<FJsonValue>& Value) {
			return TalefoldJson::WriteArray({Value});
		};
		const TSharedRef<FJsonObject> Old = ToJson(Before, true);
		const TSharedRef<FJsonObject> New = ToJson(After, true);
		const TSharedRef<FJsonObject> Changes = MakeShared<FJsonObject>();
		for (const auto& Field : New->Values)
		{
			const FString Name(Field.Key);
			if (!ToText(Field.Value).Equals(ToText(Old->TryGetField(Name)), ESearchCase::CaseSensitive))
			{
				Changes->SetField(Name, Field.Value);
			}
		}
		return Changes;
	}

	template <typename T>
	TSharedPtr<FJsonValue> FWriter::ToValue(const T& Value) const
	{
		if constexpr (std::is_enum_v<T>)
		{
			return MakeShared<FJsonValueString>(TTalefoldEnumNames<T>::Values[static_cast<int32>(Value)]);
		}
		else if constexpr (std::is_arithmetic_v<T>)
		{
			return MakeShared<FJsonValueNumber>(static_cast<double>(Value));
		}
		else
		{
			return MakeShared<FJsonValueObject>(ToJson(Value, bWithDefaults));
		}
	}

	/** Reads what an object has; says what does not fit. Ranges are the library's to check. */
	class FReader
	{
	public:
		explicit FReader(const FJsonObject& InObject)
			: Object(InObject)
		{
		}

		template <typename T>
		void Field(const TCHAR* Name, T& Value, const T&)
		{
			const TSharedPtr<FJsonValue> Found = Take(Name);
			constexpr bool bIsStruct = requires { T::StaticStruct(); };
			const bool bIsUnset = bIsStruct && Found && Found->IsNull(); // null: nothing in it is set
			if (Found && !bIsUnset)
			{
				Read(Name, *Found, Value);
			}
		}

		template <typename T>
		void Optional(const TCHAR* Name, bool& bIsSet, T& Value)
		{
			const TSharedPtr<FJsonValue> Found = Take(Name);
			bIsSet = Found && !Found->IsNull();
			if (bIsSet)
			{
				Read(Name, *Found, Value);
			}
		}

		/** Empty when all fitted. */
		FString FindProblem() const { return Problem.IsEmpty() ? FindUnknownKey(Object, Known, TEXT("field")) : Problem; }

	private:
		TSharedPtr<FJsonValue> Take(const TCHAR* Name)
		{
			Known.Add(Name);
			return Object.TryGetField(Name);
		}
		void Fail(const TCHAR* Name, const FString& Why)
		{
			if (Problem.IsEmpty())
			{
				Problem = FString::Printf(TEXT("field '%s': %s"), Name, *Why);
			}
		}
		void Require(const TCHAR* Name, bool bHolds, const TCHAR* Expected)
		{
			if (!bHolds)
			{
				Fail(Name, FString::Printf(TEXT("%s expected"), Expected));
			}
		}

		void Read(const TCHAR* Name, const FJsonValue& From, FString& Value)
		{
			Require(Name, From.Type == EJson::String, TEXT("a text"));
			Value = From.Type == EJson::String ? From.AsString() : FString();
		}
		void Read(const TCHAR* Name, const FJsonValue& From, bool& bValue)
		{
			Require(Name, From.Type == EJson::Boolean, TEXT("true or false"));
			bValue = From.Type == EJson::Boolean && From.AsBool();
		}
		void Read(const TCHAR* Name, const FJsonValue& From, double& Value)
		{
			Require(Name, From.Type == EJson::Number, TEXT("a number"));
			Value = From.Type == EJson::Number ? From.AsNumber() : 0.0;
		}
		template <typename T>
		void ReadWhole(const TCHAR* Name, const FJsonValue& From, T& Value)
		{
			double Number = 0.0;
			Read(Name, From, Number);
			// From 2^53 on, a double may stand for another whole number than the file has.
			constexpr double Largest = sizeof(T) == 4 ? 2147483647.0 : 9007199254740991.0;
			constexpr double Least = sizeof(T) == 4 ? -2147483648.0 : -Largest;
			const bool bFits = Number >= Least && Number <= Largest;
			Value = bFits ? static_cast<T>(Number) : T(0);
			Require(Name, bFits && static_cast<double>(Value) == Number, TEXT("a whole number that fits"));
		}
		void Read(const TCHAR* Name, const FJsonValue& From, int32& Value) { ReadWhole(Name, From, Value); }
		void Read(const TCHAR* Name, const FJsonValue& From, int64& Value) { ReadWhole(Name, From, Value); }
		template <typename T>
		void Read(const TCHAR* Name, const FJsonValue& From, TArray<T>& Items)
		{
			const TArray<TSharedPtr<FJsonValue>>* Listed = nullptr;
			Require(Name, From.TryGetArray(Listed), TEXT("a list"));
			Items.Reset();
			if (Listed != nullptr)
			{
				for (const TSharedPtr<FJsonValue>& Each : *Listed)
				{
					const FString ItemName = FString::Printf(TEXT("%s[%d]"), Name, Items.Num());
					Read(*ItemName, *Each, Items.AddDefaulted_GetRef());
				}
			}
		}
		template <typename T>
		void Read(const TCHAR* Name, const FJsonValue& From, T& Value)
		{
			if constexpr (std::is_enum_v<T>)
			{
				ReadEnum(Name, From, Value);
			}
			else
			{
				// Of another value, the engine may make an empty object.
				const TSharedPtr<FJsonObject> Inner = From.Type == EJson::Object ? From.AsObject() : TSharedPtr<FJsonObject>();
				Require(Name, Inner.IsValid(), TEXT("an object"));
				if (Inner)
				{
					FReader Reader(*Inner);
					VisitFields(Reader, Value, T());
					const FString InnerProblem = Reader.FindProblem();
					if (!InnerProblem.IsEmpty())
					{
						Fail(Name, InnerProblem);
					}
				}
			}
		}
		template <typename T>
		void ReadEnum(const TCHAR* Name, const FJsonValue& From, T& Value)
		{
			FString Text;
			TArray<FString> Allowed;
			Read(Name, From, Text);
			for (const TCHAR* Each : TTalefoldEnumNames<T>::Values)
			{
				if (Text.Equals(Each, ESearchCase::CaseSensitive))
				{
					Value = static_cast<T>(Allowed.Num());
					return;
				}
				Allowed.Add(Each);
			}
			Fail(Name, FString::Printf(TEXT("'%s' is none of %s"), *Text, *FString::Join(Allowed, TEXT(", "))));
		}

		const FJsonObject& Object;
		TArray<FString> Known;
		FString Problem;
	};

	/** False and what is wrong; Struct is then not to be used. */
	template <typename StructType>
	bool FromJson(const FJsonObject& Object, StructType& Struct, FString& Problem)
	{
		FReader Reader(Object);
		VisitFields(Reader, Struct, StructType());
		Problem = Reader.FindProblem();
		return Problem.IsEmpty();
	}
} // namespace TalefoldParams
