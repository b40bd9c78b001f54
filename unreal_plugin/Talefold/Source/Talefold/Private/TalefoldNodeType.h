#pragma once

#include "StructUtils/InstancedStruct.h"
#include "TalefoldParams.h"

/** A node type: its name in graph files, and what is known of its params. */
struct FTalefoldNodeType
{
	const TCHAR* Name;
	UScriptStruct* (*Struct)();
	TSharedRef<FJsonObject> (*Write)(const FInstancedStruct& Params);
	bool (*Read)(const FJsonObject& Object, FInstancedStruct& Params, FString& Problem);

	/** All that differs between params of this type, defaults included. */
	TSharedRef<FJsonObject> (*WriteChanges)(const FInstancedStruct& Before, const FInstancedStruct& After);
	/** The model that the params name; empty if they name none, or have no place for it. */
	FString (*ModelName)(const FInstancedStruct& Params);
	/** The knowledge that they name, likewise. */
	FString (*KnowledgeName)(const FInstancedStruct& Params);

	/** The type whose params are of this struct; null if there is none. */
	static const FTalefoldNodeType* Find(const UScriptStruct* Struct);

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
			},
			[](const FInstancedStruct& Before, const FInstancedStruct& After) {
				return TalefoldParams::WriteChanges(*Before.GetPtr<ParamsType>(), *After.GetPtr<ParamsType>());
			},
			[](const FInstancedStruct& Params) {
				const ParamsType& Read = *Params.GetPtr<ParamsType>();
				if constexpr (requires { Read.ModelName; })
				{
					return Read.ModelName;
				}
				else
				{
					return FString();
				}
			},
			[](const FInstancedStruct& Params) {
				const ParamsType& Read = *Params.GetPtr<ParamsType>();
				if constexpr (requires { Read.EmbeddedStringStorage; })
				{
					return Read.EmbeddedStringStorage;
				}
				else
				{
					return FString();
				}
			}};
	}
};
