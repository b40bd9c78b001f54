#pragma once

#include "StructUtils/InstancedStruct.h"
#include "TalefoldParams.h"

/** A node type: its name in graph files, and how its params are written and read. */
struct FTalefoldNodeType
{
	const TCHAR* Name;
	UScriptStruct* (*Struct)();
	TSharedRef<FJsonObject> (*Write)(const FInstancedStruct& Params);
	bool (*Read)(const FJsonObject& Object, FInstancedStruct& Params, FString& Problem);

	template <typename ParamsType>
	static FTalefoldNodeType Of(const TCHAR* Name)
	{
		return {
			Name,
			&ParamsType::StaticStruct,
			[](const FInstancedStruct& Params) { return TalefoldParams::ToJson(*Params.GetPtr<ParamsType>()); },
			[](const FJsonObject& Object, FInstancedStruct& Params, FString& Problem) {
				ParamsType Read;
				const bool bRead = TalefoldParams::FromJson(Object, Read, Problem);
				Params = FInstancedStruct::Make(Read);
				return bRead;
			}};
	}
};
