#include "ue_shim/Object.h"

#include "ue_shim/Control.h"
#include "ue_shim/Delegates.h"

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

	UObject* Make(UClass* Class, UObject* Outer, int32 Flags)
	{
		UE_SHIM_CHECK(IsInGameThread());
		UE_SHIM_CHECK(Class->Construct != nullptr); // abstract
		UObject* const Object = Class->Construct();
		Object->ShimClass = Class;
		Object->ShimOuter = Outer;
		Object->ShimFlags = Flags;
		Object->ShimSerial = ++LastSerial;
		Object->ShimName = Class->Name + FString::Printf(TEXT("_%llu"), Object->ShimSerial);
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
		void Reference(UObject* Object) override { Mark(Object); }
	};

	FReachable FindReachable()
	{
		FReachable Reachable;
		for (const auto& [Serial, Object] : Objects())
		{
			if (Object->bIsRooted || Object->HasAnyFlags(RF_ClassDefaultObject))
			{
				Reachable.Mark(Object);
			}
		}
		return Reachable;
	}
} // namespace

bool UScriptStruct::IsChildOf(const UScriptStruct* Other) const
{
	for (const UScriptStruct* Each = this; Each != nullptr; Each = Each->Super)
	{
		if (Each == Other)
		{
			return true;
		}
	}
	return false;
}

bool UClass::IsChildOf(const UClass* Other) const
{
	for (const UClass* Each = this; Each != nullptr; Each = Each->Super)
	{
		if (Each == Other)
		{
			return true;
		}
	}
	return false;
}

bool UClass::HasFunction(const FString& FunctionName) const
{
	for (const UClass* Each = this; Each != nullptr; Each = Each->Super)
	{
		if (Each->Functions.Contains(FunctionName))
		{
			return true;
		}
	}
	return false;
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

ue_shim::FRegisterClass::FRegisterClass(UClass* (*StaticClass)())
{
	UClass* const Class = StaticClass();
	if (Class->Construct != nullptr)
	{
		Class->DefaultObject = Make(Class, nullptr, RF_ClassDefaultObject);
		if (Class->IsChildOf(UGameInstanceSubsystem::StaticClass()))
		{
			AddSubsystemClass(Class);
		}
	}
}

UClass* ue_shim::FindClass(const FString& Name)
{
	for (const auto& [Serial, Object] : Objects())
	{
		if (Object->HasAnyFlags(RF_ClassDefaultObject) && Object->ShimClass->Name == Name)
		{
			return Object->ShimClass;
		}
	}
	return nullptr;
}

UObject* ue_shim::NewObject(UClass* Class, UObject* Outer)
{
	return Make(Class, Outer, RF_NoFlags);
}

UObject* ue_shim::FindObject(uint64 Serial)
{
	const auto Found = Objects().find(Serial);
	return Found == Objects().end() ? nullptr : Found->second;
}

int32 ue_shim::CountObjects()
{
	int32 Count = 0;
	for (const auto& [Serial, Object] : Objects())
	{
		Count += Object->HasAnyFlags(RF_ClassDefaultObject) ? 0 : 1;
	}
	return Count;
}

void CollectGarbage(EObjectFlags)
{
	const FReachable Reachable = FindReachable();
	TArray<UObject*> Gone;
	for (const auto& [Serial, Object] : Objects())
	{
		if (!Reachable.Found.contains(Object))
		{
			Gone.Add(Object);
		}
	}
	for (UObject* Object : Gone)
	{
		Object->bIsGarbage = true;
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
