#include "Generated/TalefoldGraphDescription.h"

#include "Bridge/TalefoldJson.h"
#include "Generated/TalefoldNodeTypes.h"

namespace
{
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

	/** False when it is missing or no text: of a number, the engine would make one. */
	bool TryReadText(const FJsonObject& Object, const TCHAR* Name, FString& Text)
	{
		const TSharedPtr<FJsonValue> Value = Object.TryGetField(Name);
		return Value && Value->Type == EJson::String && Value->TryGetString(Text);
	}

	bool Fail(ETalefoldErrorCode Code, const FString& Problem, FTalefoldError& Error)
	{
		Error = FTalefoldError::Make(Code, Problem);
		return false;
	}

	bool FailGraph(const FString& Problem, FTalefoldError& Error)
	{
		return Fail(ETalefoldErrorCode::GraphCompilationFailed, Problem, Error);
	}

	bool ReadNode(const FJsonObject& Object, int32 Index, FTalefoldGraphNode& Node, FTalefoldError& Error)
	{
		FString TypeName;
		if (!TryReadText(Object, TEXT("name"), Node.Name) || !TryReadText(Object, TEXT("type"), TypeName) || Node.Name.IsEmpty())
		{
			return FailGraph(FString::Printf(TEXT("nodes[%d] needs a name, which is not empty, and a type, as texts"), Index), Error);
		}
		const FString Where = FString::Printf(TEXT("node '%s': "), *Node.Name);
		const FString UnknownKey =
			TalefoldParams::FindUnknownKey(Object, {TEXT("name"), TEXT("type"), TEXT("params")}, TEXT("key"));
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
		const FJsonObject Defaults;
		const TSharedPtr<FJsonObject>* Params = nullptr;
		const bool bHasParams = Object.HasField(TEXT("params"));
		if (bHasParams && !Object.TryGetObjectField(TEXT("params"), Params))
		{
			return FailGraph(Where + TEXT("params must be an object"), Error);
		}
		FString Problem;
		if (!Type->Read(bHasParams ? **Params : Defaults, Node.Params, Problem))
		{
			return Fail(ETalefoldErrorCode::InvalidParamValue, Where + Problem, Error);
		}
		return true;
	}

	bool HasNode(const TArray<FTalefoldGraphNode>& Nodes, const FString& Name)
	{
		return Nodes.ContainsByPredicate(
			[&Name](const FTalefoldGraphNode& Node) { return Node.Name.Equals(Name, ESearchCase::CaseSensitive); });
	}
} // namespace

const FTalefoldNodeType* FTalefoldNodeType::Find(const UScriptStruct* Struct)
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

FString FTalefoldGraphDescription::ToJson() const
{
	TArray<TSharedPtr<FJsonValue>> Written;
	for (const FTalefoldGraphNode& Node : Nodes)
	{
		const FTalefoldNodeType* Type = FTalefoldNodeType::Find(Node.Params.GetScriptStruct());
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
	if (!File || !TryReadText(*File, TEXT("format"), Format) || !Format.Equals(TEXT("talefold-graph"), ESearchCase::CaseSensitive))
	{
		return FailGraph(TEXT("not a graph file: its format must be \"talefold-graph\""), Error);
	}
	const TSharedPtr<FJsonValue> Version = File->TryGetField(TEXT("version"));
	if (!Version || Version->Type != EJson::Number || Version->AsNumber() != 1.0)
	{
		return FailGraph(TEXT("version must be 1"), Error);
	}
	const TArray<TSharedPtr<FJsonValue>>* Listed = nullptr;
	FTalefoldGraphDescription Read;
	if (!TryReadText(*File, TEXT("start_node"), Read.StartNode) || !File->TryGetArrayField(TEXT("nodes"), Listed))
	{
		return FailGraph(TEXT("start_node must be a text, and nodes a list"), Error);
	}
	const FString UnknownKey = TalefoldParams::FindUnknownKey(
		*File, {TEXT("format"), TEXT("version"), TEXT("start_node"), TEXT("nodes")}, TEXT("key"));
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
		FTalefoldGraphNode Node;
		if (!ReadNode(**Object, Read.Nodes.Num(), Node, Error))
		{
			return false;
		}
		if (HasNode(Read.Nodes, Node.Name))
		{
			return FailGraph(FString::Printf(TEXT("another node is named '%s' already"), *Node.Name), Error);
		}
		Read.Nodes.Add(Node);
	}
	Graph = Read;
	return true;
}
