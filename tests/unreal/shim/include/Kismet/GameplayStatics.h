// Slots are files in the project's Saved/SaveGames. As documented, all members that are not Transient are
// written, whether they are marked SaveGame or not; the object is read at once, the file is written by
// another thread, and the answer comes in a later frame.
// https://dev.epicgames.com/documentation/en-us/unreal-engine/API/Runtime/Engine/UGameplayStatics/SaveGameToSlot
// https://dev.epicgames.com/documentation/en-us/unreal-engine/API/Runtime/Engine/UGameplayStatics/AsyncSaveGameToSlot
// https://dev.epicgames.com/documentation/en-us/unreal-engine/API/Runtime/Engine/UGameplayStatics/DoesSaveGameExist
// https://dev.epicgames.com/documentation/en-us/unreal-engine/API/Runtime/Engine/UGameplayStatics/DeleteGameInSlot
#pragma once

#include "Delegates/Delegate.h"
#include "Kismet/BlueprintFunctionLibrary.h"

class USaveGame;

DECLARE_DELEGATE_ThreeParams(FAsyncSaveGameToSlotDelegate, const FString&, const int32, bool)
	DECLARE_DELEGATE_ThreeParams(FAsyncLoadGameFromSlotDelegate, const FString&, const int32, USaveGame*)

		class UGameplayStatics : public UBlueprintFunctionLibrary
{
	UE_SHIM_CLASS(UGameplayStatics, UBlueprintFunctionLibrary)
	static void AsyncSaveGameToSlot(
		USaveGame* SaveGame, const FString& Slot, int32 UserIndex, FAsyncSaveGameToSlotDelegate Saved);
	static void AsyncLoadGameFromSlot(const FString& Slot, int32 UserIndex, FAsyncLoadGameFromSlotDelegate Loaded);
	static bool DoesSaveGameExist(const FString& Slot, const int32 UserIndex);
	static bool DeleteGameInSlot(const FString& Slot, const int32 UserIndex);
};
