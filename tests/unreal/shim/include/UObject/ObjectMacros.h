// The macros of reflected types; what GENERATED_BODY is comes from <Stem>.generated.h, by file and line.
// https://dev.epicgames.com/documentation/en-us/unreal-engine/reflection-system-in-unreal-engine
#pragma once

#include "ue_shim/Reflection.h"

#define UCLASS(...)
#define USTRUCT(...)
#define UENUM(...)
#define UPROPERTY(...)
#define UFUNCTION(...)

#define UE_SHIM_JOIN_INNER(A, B, C, D) A##B##C##D
#define UE_SHIM_JOIN(A, B, C, D) UE_SHIM_JOIN_INNER(A, B, C, D)
#define GENERATED_BODY(...) UE_SHIM_JOIN(CURRENT_FILE_ID, _, __LINE__, _GENERATED_BODY)

enum EObjectFlags
{
	RF_NoFlags = 0,
	RF_ClassDefaultObject = 0x10
};

enum class EDataValidationResult : uint8;
