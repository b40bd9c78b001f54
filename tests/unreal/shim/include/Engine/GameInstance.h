// https://dev.epicgames.com/documentation/en-us/unreal-engine/API/Runtime/Engine/UGameInstance
#pragma once

#include "Subsystems/GameInstanceSubsystem.h"

class UGameInstance : public UObject
{
	UE_SHIM_CLASS(UGameInstance, UObject)

	/** Makes the world and all subsystems. */
	void InitializeStandalone();
	/** Of the subsystems. Its world goes on. */
	void Shutdown();
	void ForgetWorld() { World = nullptr; } // the shim's own
	UWorld* GetWorld() const override;
	template <typename T>
	T* GetSubsystem() const
	{
		return static_cast<T*>(FindSubsystem(T::StaticClass()));
	}
	void RegisterReferencedObject(UObject* Object) { Referenced.Add(Object); }
	void UnregisterReferencedObject(UObject* Object) { Referenced.Remove(Object); }

private:
	UGameInstanceSubsystem* FindSubsystem(const UClass* Class) const;
	TObjectPtr<UWorld> World;
	TArray<TObjectPtr<UGameInstanceSubsystem>> Subsystems;
	TArray<TObjectPtr<UObject>> Referenced;
};
