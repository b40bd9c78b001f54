// https://dev.epicgames.com/documentation/en-us/unreal-engine/using-string-tables-for-text-in-unreal-engine
#pragma once

#include "UObject/Object.h"

class FStringTable;

class UStringTable : public UObject
{
public:
	using Super = UObject;
	using ThisClass = UStringTable;
	static UClass* StaticClass();
	static void ShimVisit(void*, ue_shim::FPropertyVisitor&) {}

	UStringTable();
	void PostInitProperties() override;
	FName GetStringTableId() const { return FName(GetPathName()); }
	TSharedRef<const FStringTable> GetStringTable() const;
	TSharedRef<FStringTable> GetMutableStringTable();

private:
	TSharedRef<FStringTable> Table;
};
