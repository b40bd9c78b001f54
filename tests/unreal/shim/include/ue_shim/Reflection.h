// The tables that the mini-UHT writes, and who reads them: the garbage collector, and save archives.
#pragma once

#include "Containers/Map.h"
#include "Delegates/Delegate.h"
#include "UObject/Class.h"
#include "UObject/NameTypes.h"
#include "UObject/ObjectPtr.h"

class FText;

namespace ue_shim
{
	struct FPropertyTable
	{
		const TCHAR* Name;
		bool bSaveGame = false;
		bool bTransient = false;
	};

	/** Sees each reflected member of an object or struct. A type that is not reflected does not compile. */
	class FPropertyVisitor
	{
	public:
		virtual ~FPropertyVisitor() = default;

		template <typename T>
		void Visit(const FPropertyTable& Table, T& Value)
		{
			if (Enter(Table))
			{
				VisitValue(Value);
				Leave();
			}
		}

		virtual void Reference(UObject*&) {}
		/** Of a kind that only some archives know: a weak reference, a delegate, an instanced struct... */
		virtual void Other(const char*) {}

	protected:
		/** False: this member is of no interest. */
		virtual bool Enter(const FPropertyTable&) { return true; }
		virtual void Leave() {}
		virtual void Text(FString&) {}
		virtual void Whole(int64&) {}
		virtual void Real(double&) {}
		virtual void Bytes(TArray<uint8>&) {}
		/** How many elements there shall be, of the Number there are. */
		virtual int32 Count(int32 Number) { return Number; }

	private:
		void VisitValue(FString& Value) { Text(Value); }
		void VisitValue(FName& Value)
		{
			FString Name = Value.ToString();
			Text(Name);
			Value = FName(Name);
		}
		void VisitValue(FText&) { Other("FText"); }
		template <typename T>
		void VisitValue(TObjectPtr<T>& Value)
		{
			Reference(Value.Untyped());
		}
		template <typename T>
		void VisitValue(T*& Value) // a raw member is seen as well
		{
			UObject* Object = Value;
			Reference(Object);
			Value = static_cast<T*>(Object);
		}
		template <typename T>
		void VisitValue(TWeakObjectPtr<T>&)
		{
			Other("TWeakObjectPtr");
		}
		void VisitValue(TArray<uint8>& Value) { Bytes(Value); }
		template <typename T>
		void VisitValue(TArray<T>& Values)
		{
			Values.SetNum(Count(Values.Num()));
			for (int32 Index = 0; Index < Values.Num(); ++Index)
			{
				Visit({*FString::Printf(TEXT("%d"), Index), true}, Values[Index]);
			}
		}
		template <typename K, typename V>
		void VisitValue(TMap<K, V>& Values)
		{
			TArray<TPair<K, V>> Pairs;
			for (const TPair<K, V>& Each : Values)
			{
				Pairs.Add(Each);
			}
			Pairs.SetNum(Count(Pairs.Num()));
			Values.Empty();
			for (int32 Index = 0; Index < Pairs.Num(); ++Index)
			{
				Visit({*FString::Printf(TEXT("%d.key"), Index), true}, Pairs[Index].Key);
				Visit({*FString::Printf(TEXT("%d.value"), Index), true}, Pairs[Index].Value);
				Values.Add(Pairs[Index].Key, Pairs[Index].Value);
			}
		}
		template <typename T>
			requires(std::is_integral_v<T> || std::is_enum_v<T>)
		void VisitValue(T& Value)
		{
			int64 Number = static_cast<int64>(Value);
			Whole(Number);
			Value = static_cast<T>(Number);
		}
		template <typename T>
			requires std::is_floating_point_v<T>
		void VisitValue(T& Value)
		{
			double Number = static_cast<double>(Value);
			Real(Number);
			Value = static_cast<T>(Number);
		}
		template <typename T>
			requires std::is_base_of_v<FDynamicDelegate, T>
		void VisitValue(T&)
		{
			Other("a dynamic delegate");
		}
		template <typename T>
			requires requires(T& Value, FPropertyVisitor& Visitor) { T::ShimVisit(&Value, Visitor); }
		void VisitValue(T& Value)
		{
			T::ShimVisit(&Value, *this);
		}
	};

	template <typename T>
	UScriptStruct* MakeStruct(const TCHAR* Name, UScriptStruct* Super)
	{
		UScriptStruct* const Struct = new UScriptStruct;
		Struct->Name = Name;
		Struct->Super = Super;
		Struct->Copy = [](const void* Other) -> void* { return new T(*static_cast<const T*>(Other)); };
		Struct->Destroy = [](void* Memory) { delete static_cast<T*>(Memory); };
		Struct->Visit = [](void* Memory, FPropertyVisitor& Visitor) { T::ShimVisit(Memory, Visitor); };
		return Struct;
	}
} // namespace ue_shim
