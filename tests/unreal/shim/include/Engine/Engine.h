// https://dev.epicgames.com/documentation/en-us/unreal-engine/API/Runtime/Engine/UEngine
#pragma once

#include "ue_shim/Class.h"

enum class EGetWorldErrorMode
{
	ReturnNull,
	LogAndReturnNull,
	Assert
};
class UEngine : public UObject
{
	UE_SHIM_CLASS(UEngine, UObject)
	/** The game instance has no world then. */
	void DestroyWorldContext(UWorld* World);
	UWorld* GetWorldFromContextObject(const UObject* Object, EGetWorldErrorMode ErrorMode) const;
};
extern UEngine* GEngine;
