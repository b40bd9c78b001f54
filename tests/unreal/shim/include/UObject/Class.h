// What classes and structs are known by at run time.
// https://dev.epicgames.com/documentation/en-us/unreal-engine/API/Runtime/CoreUObject/UClass
#pragma once

#include "Containers/UnrealString.h"

class UObject;

namespace ue_shim
{
	class FPropertyVisitor;
} // namespace ue_shim

class UStruct
{
public:
	FString Name; // the shim's own, without the prefix
};

class UScriptStruct : public UStruct
{
public:
	// The shim's own.
	UScriptStruct* Super = nullptr;
	void* (*Copy)(const void*) = nullptr;
	void (*Destroy)(void*) = nullptr;
	void (*Visit)(void*, ue_shim::FPropertyVisitor&) = nullptr;
	bool IsChildOf(const UScriptStruct* Other) const;
};

class UClass : public UStruct
{
public:
	bool IsChildOf(const UClass* Other) const;
	UObject* GetDefaultObject() const { return DefaultObject; }

	// The shim's own.
	UClass* Super = nullptr;
	bool bIsAbstract = false;
	UObject* (*Construct)() = nullptr;
	void (*Visit)(UObject*, ue_shim::FPropertyVisitor&) = nullptr;
	TArray<FString> Functions;
	UObject* DefaultObject = nullptr;
};
