// UObjects: classes, default objects, weak pointers, and a garbage collector that sees what is
// reflected and nothing else.
// https://dev.epicgames.com/documentation/en-us/unreal-engine/objects-in-unreal-engine
#pragma once

#include "ue_shim/Reflection.h"

class UWorld;

enum EObjectFlags
{
	RF_NoFlags = 0,
	RF_ClassDefaultObject = 1
};

class UObject
{
public:
	using ThisClass = UObject;
	static UClass* StaticClass();
	static void ShimVisit(void*, ue_shim::FPropertyVisitor&) {}

	virtual ~UObject() = default;
	UObject() = default;
	UObject(const UObject&) = delete;
	UObject& operator=(const UObject&) = delete;

	UClass* GetClass() const { return ShimClass; }
	UObject* GetOuter() const { return ShimOuter; }
	FString GetName() const { return ShimName; }
	FString GetPathName() const { return ShimOuter == nullptr ? ShimName : ShimOuter->GetPathName() + TEXT(".") + ShimName; }
	bool IsA(const UClass* Other) const { return ShimClass->IsChildOf(Other); }
	bool HasAnyFlags(EObjectFlags Tested) const { return (ShimFlags & Tested) != 0; }
	void AddToRoot() { bIsRooted = true; }
	void RemoveFromRoot() { bIsRooted = false; }
	bool Modify() { return true; }
	void MarkAsGarbage() { bIsGarbage = true; }

	/** Of the outer, unless a class knows better. */
	virtual UWorld* GetWorld() const { return ShimOuter == nullptr ? nullptr : ShimOuter->GetWorld(); }
	virtual void PostInitProperties() {}
	/** Before the object is gone; calls Super::BeginDestroy, or the program ends. */
	virtual void BeginDestroy() { bWasDestroyed = true; }

	// The shim's own.
	UClass* ShimClass = nullptr;
	UObject* ShimOuter = nullptr;
	FString ShimName;
	int32 ShimFlags = RF_NoFlags;
	uint64 ShimSerial = 0;
	bool bIsRooted = false;
	bool bIsGarbage = false;
	bool bWasDestroyed = false;
};

namespace ue_shim
{
	UObject* NewObject(UClass* Class, UObject* Outer);
	/** Of those that the mini-UHT knows; by its name without the prefix. */
	UClass* FindClass(const FString& Name);
	/** Null when it is gone. */
	UObject* FindObject(uint64 Serial);

	template <typename T>
	UClass* MakeClass(const TCHAR* Name, TArray<FString> Functions)
	{
		UClass* const Class = new UClass;
		Class->Name = Name;
		Class->Super = T::Super::StaticClass();
		if constexpr (std::is_default_constructible_v<T> && !std::is_abstract_v<T>)
		{
			Class->Construct = []() -> UObject* { return new T(); };
		}
		Class->Visit = [](UObject* Object, FPropertyVisitor& Visitor) { T::ShimVisit(static_cast<T*>(Object), Visitor); };
		Class->Functions = std::move(Functions);
		return Class;
	}
} // namespace ue_shim

template <typename T>
T* NewObject(UObject* Outer = nullptr)
{
	return static_cast<T*>(ue_shim::NewObject(T::StaticClass(), Outer));
}
template <typename T>
T* NewObject(UObject* Outer, UClass* Class, FName Name, EObjectFlags = RF_NoFlags)
{
	UE_SHIM_CHECK(Class->IsChildOf(T::StaticClass()));
	UObject* const Made = ue_shim::NewObject(Class, Outer);
	Made->ShimName = Name.ToString();
	return static_cast<T*>(Made);
}
template <typename T>
const T* GetDefault()
{
	return static_cast<const T*>(T::StaticClass()->GetDefaultObject());
}
template <typename T>
T* GetMutableDefault()
{
	return static_cast<T*>(T::StaticClass()->GetDefaultObject());
}
template <typename T>
T* Cast(UObject* Object)
{
	return Object != nullptr && Object->IsA(T::StaticClass()) ? static_cast<T*>(Object) : nullptr;
}
inline bool IsValid(const UObject* Object)
{
	return Object != nullptr && !Object->bIsGarbage;
}

/** A reflected member that keeps its object. */
template <typename T>
class TObjectPtr
{
public:
	TObjectPtr() = default;
	TObjectPtr(std::nullptr_t) {}
	template <typename U>
		requires std::is_convertible_v<U*, T*>
	TObjectPtr(U* Object)
		: Held(const_cast<std::remove_const_t<U>*>(Object))
	{
	}
	T* Get() const { return static_cast<T*>(Held); }
	operator T*() const { return Get(); }
	T* operator->() const { return Get(); }
	T& operator*() const { return *Get(); }
	bool operator==(std::nullptr_t) const { return Held == nullptr; }
	UObject* Untyped() const { return Held; } // the shim's own: T need not be known

private:
	UObject* Held = nullptr;
};

template <typename T>
void ue_shim::FPropertyVisitor::VisitValue(TObjectPtr<T>& Value)
{
	Reference(Value.Untyped());
}

template <typename T>
class TWeakObjectPtr
{
public:
	TWeakObjectPtr() = default;
	TWeakObjectPtr(std::nullptr_t) {}
	TWeakObjectPtr(const T* Object)
		: Serial(Object == nullptr ? 0 : Object->ShimSerial)
	{
	}
	T* Get(bool bEvenIfGarbage = false) const
	{
		UObject* const Found = ue_shim::FindObject(Serial);
		return Found != nullptr && (bEvenIfGarbage || !Found->bIsGarbage) ? static_cast<T*>(Found) : nullptr;
	}
	bool IsValid() const { return Get() != nullptr; }
	T* operator->() const { return Get(); }
	bool operator==(const TWeakObjectPtr& Other) const { return Serial == Other.Serial; }

private:
	uint64 Serial = 0;
};

template <typename T>
class TSubclassOf
{
public:
	TSubclassOf(UClass* InClass = nullptr)
		: Class(InClass)
	{
	}
	UClass* Get() const { return Class; }

private:
	UClass* Class;
};

/** Destroys every object that nothing reflected, rooted or engine-made refers to. */
void CollectGarbage(EObjectFlags KeepFlags = RF_NoFlags);
