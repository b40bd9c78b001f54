#include "Generated/TalefoldGraphDescription.h"

#include "Bridge/TalefoldJson.h"
#include "Generated/TalefoldErrorCode.h"
#include "Generated/TalefoldNodeTypes.h"

namespace
{
	const FTalefoldNodeType* FindType(const UScriptStruct* Struct)
	{
		for (const FTalefoldNodeType& Type : TalefoldNodeTypes)
		{
			if (Type.Struct() == Struct)
			{
				return &Type;
			}
		}
		return nullptr;
	}

	const FTalefoldNodeType* FindType(const FString& Name)
	{
		for (const FTalefoldNodeType& Type : TalefoldNodeTypes)
		{
			if (Name.Equals(Type.Name, ESearchCase::CaseSensitive))
			{
				return &Type;
			}
		}
		return nullptr;
	}

	FString TypeNames()
	{
		TArray<FString> Names;
		for (const FTalefoldNodeType& Type : TalefoldNodeTypes)
		{
			Names.Add(Type.Name);
		}
		return FString::Join(Names, TEXT(", "));
	}

	/** Empty when every key is one of these. */
	FString FindUnknownKey(const FJsonObject& Object, const TArray<FString>& Allowed)
	{
		for (const auto& Each : Object.Values)
		{
			if (!Allowed.Contains(FString(Each.Key)))
			{
				return FString::Printf(
					TEXT("unknown key '%s'; allowed: %s"), *FString(Each.Key), *FString::Join(Allowed, TEXT(", ")));
			}
		}
		return FString();
	}

	bool Fail(ETalefoldErrorCode Code, const FString& Problem, FTalefoldError& Error)
	{
		Error = FTalefoldError::Make(static_cast<int32>(Code), Problem);
		return false;
	}

	bool FailGraph(const FString& Problem, FTalefoldError& Error)
	{
		return Fail(ETalefoldErrorCode::GraphCompilationFailed, Problem, Error);
	}

	bool ReadNode(const FJsonObject& Object, FTalefoldGraphNode& Node, FTalefoldError& Error)
	{
		FString TypeName;
		if (!Object.TryGetStringField(TEXT("name"), Node.Name) || !Object.TryGetStringField(TEXT("type"), TypeName))
		{
			return FailGraph(TEXT("a node needs name and type, which are texts"), Error);
		}
		const FString Where = FString::Printf(TEXT("node '%s': "), *Node.Name);
		const FString UnknownKey = FindUnknownKey(Object, {TEXT("name"), TEXT("type"), TEXT("params")});
		if (!UnknownKey.IsEmpty())
		{
			return FailGraph(Where + UnknownKey, Error);
		}
		const FTalefoldNodeType* Type = FindType(TypeName);
		if (Type == nullptr)
		{
			return FailGraph(
				Where + FString::Printf(TEXT("unknown type '%s'; allowed: %s"), *TypeName, *TypeNames()), Error);
		}
		const TSharedPtr<FJsonObject>* Params = nullptr;
		const bool bHasParams = Object.HasField(TEXT("params"));
		if (bHasParams && !Object.TryGetObjectField(TEXT("params"), Params))
		{
			return FailGraph(Where + TEXT("params must be an object"), Error);
		}
		FString Problem;
		if (!Type->Read(bHasParams ? **Params : FJsonObject(), Node.Params, Problem))
		{
			return Fail(ETalefoldErrorCode::InvalidParamValue, Where + Problem, Error);
		}
		return true;
	}
} // namespace

FString FTalefoldGraphDescription::ToJson() const
{
	TArray<TSharedPtr<FJsonValue>> Written;
	for (const FTalefoldGraphNode& Node : Nodes)
	{
		const FTalefoldNodeType* Type = FindType(Node.Params.GetScriptStruct());
		if (Type != nullptr)
		{
			const TSharedRef<FJsonObject> Object = MakeShared<FJsonObject>();
			Object->SetStringField(TEXT("name"), Node.Name);
			Object->SetStringField(TEXT("type"), Type->Name);
			Object->SetObjectField(TEXT("params"), Type->Write(Node.Params));
			Written.Add(MakeShared<FJsonValueObject>(Object));
		}
	}
	const TSharedRef<FJsonObject> File = MakeShared<FJsonObject>();
	File->SetStringField(TEXT("format"), TEXT("talefold-graph"));
	File->SetNumberField(TEXT("version"), 1);
	File->SetStringField(TEXT("start_node"), StartNode);
	File->SetArrayField(TEXT("nodes"), Written);
	return TalefoldJson::Write(File);
}

bool FTalefoldGraphDescription::FromJson(const FString& Json, FTalefoldGraphDescription& Graph, FTalefoldError& Error)
{
	const TSharedPtr<FJsonObject> File = TalefoldJson::Parse(Json);
	FString Format;
	double Version = 0.0;
	const TArray<TSharedPtr<FJsonValue>>* Listed = nullptr;
	FTalefoldGraphDescription Read;
	if (!File || !File->TryGetStringField(TEXT("format"), Format) || Format != TEXT("talefold-graph"))
	{
		return FailGraph(TEXT("not a graph file: its format must be \"talefold-graph\""), Error);
	}
	if (!File->TryGetNumberField(TEXT("version"), Version) || Version != 1.0)
	{
		return FailGraph(TEXT("version must be 1"), Error);
	}
	if (!File->TryGetStringField(TEXT("start_node"), Read.StartNode) || !File->TryGetArrayField(TEXT("nodes"), Listed))
	{
		return FailGraph(TEXT("start_node must be a text, and nodes a list"), Error);
	}
	const FString UnknownKey = FindUnknownKey(*File, {TEXT("format"), TEXT("version"), TEXT("start_node"), TEXT("nodes")});
	if (!UnknownKey.IsEmpty())
	{
		return FailGraph(UnknownKey, Error);
	}
	for (const TSharedPtr<FJsonValue>& Each : *Listed)
	{
		const TSharedPtr<FJsonObject>* Object = nullptr;
		if (!Each->TryGetObject(Object))
		{
			return FailGraph(TEXT("each of nodes must be an object"), Error);
		}
		if (!ReadNode(**Object, Read.Nodes.AddDefaulted_GetRef(), Error))
		{
			return false;
		}
	}
	Graph = Read;
	return true;
}
