// The tables that the mini-UHT writes: what classes and structs are made of.
#pragma once

#include "ue_shim/Map.h"
#include "ue_shim/Pointers.h"

#define UCLASS(...)
#define USTRUCT(...)
#define UENUM(...)
#define UPROPERTY(...)
#define UFUNCTION(...)
#define UMETA(...)
#define UPARAM(...)

// As with the engine, the text depends on the file and the line.
#define UE_SHIM_JOIN_INNER(A, B, C, D) A##B##C##D
#define UE_SHIM_JOIN(A, B, C, D) UE_SHIM_JOIN_INNER(A, B, C, D)
#define GENERATED_BODY(...) UE_SHIM_JOIN(CURRENT_FILE_ID, _, __LINE__, _GENERATED_BODY)

class UObject;
class FArchive;
struct FInstancedStruct;
template <typename T>
class TObjectPtr;

namespace ue_shim
{
	class FPropertyVisitor;
}

class UStruct
{
public:
	FString Name;
	FString GetName() const { return Name; }
};

class UScriptStruct : public UStruct
{
public:
	UScriptStruct* Super = nullptr;
	std::size_t Size = 0;
	void* (*Create)() = nullptr;
	void* (*Copy)(const void*) = nullptr;
	void (*Destroy)(void*) = nullptr;
	bool IsChildOf(const UScriptStruct* Other) const;
};

class UClass : public UStruct
{
public:
	UClass* Super = nullptr;
	UObject* (*Construct)() = nullptr;
	void (*Visit)(UObject*, ue_shim::FPropertyVisitor&) = nullptr;
	TArray<FString> Functions;
	UObject* DefaultObject = nullptr;
	bool IsChildOf(const UClass* Other) const;
	bool HasFunction(const FString& FunctionName) const;
	UObject* GetDefaultObject() const { return DefaultObject; }
};

namespace ue_shim
{
	struct FPropertyTable
	{
		const TCHAR* Name;
		bool bSaveGame;
	};

	/** Sees each reflected member of an object or struct: the garbage collector, or a save archive. */
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
				Leave(Table);
			}
		}

	protected:
		/** False: this member is of no interest. */
		virtual bool Enter(const FPropertyTable&) { return true; }
		virtual void Leave(const FPropertyTable&) {}
		virtual void Reference(UObject*) {}
		virtual void Text(FString&) {}
		virtual void Number(int32&) {}
		virtual void Bytes(TArray<uint8>&) {}

	private:
		template <typename T>
		void VisitValue(TObjectPtr<T>& Value);
		template <typename T>
		void VisitValue(TArray<T>& Values)
		{
			if constexpr (std::is_same_v<T, uint8>)
			{
				Bytes(Values);
			}
			else
			{
				for (T& Each : Values)
				{
					VisitValue(Each);
				}
			}
		}
		template <typename K, typename V>
		void VisitValue(TMap<K, V>& Values)
		{
			for (auto& Each : Values)
			{
				VisitValue(Each.Value);
			}
		}
		void VisitValue(FString& Value) { Text(Value); }
		void VisitValue(int32& Value) { Number(Value); }
		template <typename T>
		void VisitValue(T& Value)
		{
			if constexpr (requires { T::ShimVisit(&Value, *this); })
			{
				T::ShimVisit(&Value, *this);
			}
		}
	};

	/** Each game instance gets one of each such class. */
	void AddSubsystemClass(UClass* Class);

	/** Makes the class's default object at start-up, as the engine does. */
	struct FRegisterClass
	{
		explicit FRegisterClass(UClass* (*StaticClass)());
	};

	template <typename T>
	UScriptStruct* MakeStruct(const TCHAR* Name, UScriptStruct* Super)
	{
		UScriptStruct* const Struct = new UScriptStruct;
		Struct->Name = Name;
		Struct->Super = Super;
		Struct->Size = sizeof(T);
		Struct->Create = []() -> void* { return new T(); };
		Struct->Copy = [](const void* Other) -> void* { return new T(*static_cast<const T*>(Other)); };
		Struct->Destroy = [](void* Memory) { delete static_cast<T*>(Memory); };
		return Struct;
	}
} // namespace ue_shim
