// UObjects: classes, default objects that are built when the program starts, and a garbage collector that
// sees what is reflected and nothing else.
// https://dev.epicgames.com/documentation/en-us/unreal-engine/objects-in-unreal-engine https://dev.epicgames.com/documentation/en-us/unreal-engine/unreal-object-handling-in-unreal-engine
#pragma once

#include "UObject/ObjectMacros.h"

class FDataValidationContext;
class UWorld;

class UObject
{
public:
	using ThisClass = UObject;
	static UClass* StaticClass();
	static void ShimVisit(void*, ue_shim::FPropertyVisitor&) {}

	UObject();
	virtual ~UObject() = default;
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
	/** Of no use from now on: weak pointers to it are null, and the next collection takes it. */
	void MarkAsGarbage() { bIsGarbage = true; }

	/** Of the outer, unless a class knows better. */
	virtual UWorld* GetWorld() const { return ShimOuter == nullptr ? nullptr : ShimOuter->GetWorld(); }
	virtual void PostInitProperties() {}
	/** Before the object is gone; calls Super::BeginDestroy, or the program ends. */
	virtual void BeginDestroy() { bWasDestroyed = true; }
#if WITH_EDITOR
	virtual EDataValidationResult IsDataValid(FDataValidationContext& Context) const;
#endif

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
	UObject* NewObject(UClass* Class, UObject* Outer, const FString& Name = FString());
	/** Of those that the mini-UHT knows; by its name without the prefix. */
	UClass* FindClass(const FString& Name);
	/** Those of them that objects are made of, and are children of Base. */
	TArray<UClass*> FindClasses(const UClass* Base);
	/** While classes' default objects are built: no threads, libraries, tickers or events then. */
	bool IsBuildingDefaults();

	/** Makes the class's default object when the program starts, as the engine does. */
	struct FRegisterClass
	{
		explicit FRegisterClass(UClass* (*StaticClass)());
	};

	template <typename T>
	UClass* MakeClass(const TCHAR* Name, TArray<FString> Functions, bool bIsAbstract = false)
	{
		UClass* const Class = new UClass;
		Class->Name = Name;
		Class->Super = T::Super::StaticClass();
		Class->bIsAbstract = bIsAbstract;
		Class->Construct = []() -> UObject* { return new T(); };
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
	return static_cast<T*>(ue_shim::NewObject(Class, Outer, Name.ToString()));
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
/** Destroys every object that nothing reflected, rooted or engine-made refers to, or that is garbage. */
void CollectGarbage(EObjectFlags KeepFlags, bool bPerformFullPurge = true);
