#include "UObject/Object.h"

#include "Misc/DataValidation.h"
#include "StructUtils/InstancedStruct.h"
#include "Subsystems/GameInstanceSubsystem.h"
#include "ue_shim/Control.h"

#include <atomic>
#include <map>
#include <set>

namespace
{
	// In the order of their making; the game thread's.
	std::map<uint64, UObject*>& Objects()
	{
		static std::map<uint64, UObject*> All;
		return All;
	}
	uint64 LastSerial = 0;

	/** Of the object whose constructor runs: it is told at once what it is, as with the engine. */
	struct FMaking
	{
		UClass* Class = nullptr;
		UObject* Outer = nullptr;
		int32 Flags = RF_NoFlags;
	};
	FMaking Making;

	UObject* Make(const FMaking& Made, const FString& Name)
	{
		UE_SHIM_CHECK(IsInGameThread());
		UE_SHIM_CHECK(Made.Class->Construct != nullptr);
		const FMaking Outer = std::exchange(Making, Made);
		UObject* const Object = Made.Class->Construct();
		Making = Outer;
		Object->ShimSerial = ++LastSerial;
		Object->ShimName = Name.IsEmpty() ? Made.Class->Name + FString::Printf(TEXT("_%llu"), Object->ShimSerial) : Name;
		Objects()[Object->ShimSerial] = Object;
		Object->PostInitProperties();
		return Object;
	}

	class FReachable final : public ue_shim::FPropertyVisitor
	{
	public:
		void Mark(UObject* Object)
		{
			if (Object != nullptr && Found.insert(Object).second)
			{
				Mark(Object->ShimOuter);
				Object->ShimClass->Visit(Object, *this);
			}
		}
		std::set<UObject*> Found;

	private:
		/** As the engine by default, what is garbage is not kept: references to it become null. */
		void Reference(UObject*& Object) override
		{
			Object = Object != nullptr && Object->bIsGarbage ? nullptr : Object;
			Mark(Object);
		}
	};
} // namespace

bool UScriptStruct::IsChildOf(const UScriptStruct* Other) const
{
	const UScriptStruct* Each = this;
	while (Each != nullptr && Each != Other)
	{
		Each = Each->Super;
	}
	return Each != nullptr;
}

bool UClass::IsChildOf(const UClass* Other) const
{
	const UClass* Each = this;
	while (Each != nullptr && Each != Other)
	{
		Each = Each->Super;
	}
	return Each != nullptr;
}

bool ue_shim::HasFunction(const UObject* Object, const FString& Name)
{
	const UClass* Each = Object->GetClass();
	while (Each != nullptr && !Each->Functions.Contains(Name))
	{
		Each = Each->Super;
	}
	return Each != nullptr;
}

UObject::UObject()
	: ShimClass(Making.Class)
	, ShimOuter(Making.Outer)
	, ShimFlags(Making.Flags)
{
	UE_SHIM_CHECK(ShimClass != nullptr); // not made by NewObject
}

UClass* UObject::StaticClass()
{
	static UClass* const Class = [] {
		UClass* const Made = new UClass;
		Made->Name = TEXT("Object");
		Made->Visit = [](UObject*, ue_shim::FPropertyVisitor&) {};
		return Made;
	}();
	return Class;
}

#if WITH_EDITOR
EDataValidationResult UObject::IsDataValid(FDataValidationContext&) const
{
	return EDataValidationResult::NotValidated;
}
#endif

ue_shim::FRegisterClass::FRegisterClass(UClass* (*StaticClass)())
{
	UClass* const Class = StaticClass();
	Class->DefaultObject = Make({Class, nullptr, RF_ClassDefaultObject}, TEXT("Default__") + Class->Name);
}

bool ue_shim::IsBuildingDefaults()
{
	return (Making.Flags & RF_ClassDefaultObject) != 0;
}

TArray<UClass*> ue_shim::FindClasses(const UClass* Base)
{
	TArray<UClass*> Found;
	for (const auto& [Serial, Object] : Objects())
	{
		UClass* const Class = Object->ShimClass;
		if (Object->HasAnyFlags(RF_ClassDefaultObject) && Class->IsChildOf(Base) && !Class->bIsAbstract)
		{
			Found.Add(Class);
		}
	}
	return Found;
}

UClass* ue_shim::FindClass(const FString& Name)
{
	for (UClass* Class : FindClasses(UObject::StaticClass()))
	{
		if (Class->Name == Name)
		{
			return Class;
		}
	}
	return nullptr;
}

UObject* ue_shim::NewObject(UClass* Class, UObject* Outer, const FString& Name)
{
	UE_SHIM_CHECK(!Class->bIsAbstract);
	return Make({Class, Outer, RF_NoFlags}, Name);
}

uint64 ue_shim::SerialOf(const UObject* Object)
{
	return Object == nullptr ? 0 : Object->ShimSerial;
}

UObject* ue_shim::FindObject(uint64 Serial, bool bEvenIfGarbage)
{
	const auto Found = Objects().find(Serial);
	return Found != Objects().end() && (bEvenIfGarbage || !Found->second->bIsGarbage) ? Found->second : nullptr;
}

int32 ue_shim::CountObjects()
{
	int32 Count = 0;
	for (const auto& [Serial, Object] : Objects())
	{
		Count += Object->HasAnyFlags(RF_ClassDefaultObject) || Object == GEngine ? 0 : 1;
	}
	return Count;
}

void CollectGarbage(EObjectFlags, bool)
{
	UE_SHIM_CHECK(IsInGameThread());
	FReachable Reachable;
	for (const auto& [Serial, Object] : Objects())
	{
		if (Object->bIsRooted || Object->HasAnyFlags(RF_ClassDefaultObject))
		{
			Reachable.Mark(Object);
		}
	}
	TArray<UObject*> Gone;
	for (const auto& [Serial, Object] : Objects())
	{
		if (!Reachable.Found.contains(Object))
		{
			Gone.Add(Object);
			Object->bIsGarbage = true; // weak pointers are null from here on, also among these
		}
	}
	for (UObject* Object : Gone)
	{
		Object->BeginDestroy();
		UE_SHIM_CHECK(Object->bWasDestroyed); // Super::BeginDestroy was not called
	}
	for (UObject* Object : Gone)
	{
		Objects().erase(Object->ShimSerial);
		delete Object;
	}
}

FDelegateHandle FDelegateHandle::Next()
{
	static std::atomic<uint64> Last{0};
	FDelegateHandle Made;
	Made.Id = ++Last;
	return Made;
}

TFunction<bool()> ue_shim::Always()
{
	return [] { return true; };
}

TFunction<bool()> ue_shim::WhileAlive(const UObject* Object)
{
	return [Weak = TWeakObjectPtr<UObject>(Object)] { return Weak.IsValid(); };
}
