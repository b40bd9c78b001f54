#include "TalefoldGraphAsset.h"

#include "Bridge/TalefoldJson.h"
#include "Bridge/TalefoldLibrary.h"
#include "Bridge/TalefoldText.h"
#include "Internationalization/StringTable.h"
#include "Internationalization/StringTableCore.h"
#include "Misc/DataValidation.h"
#include "TalefoldLog.h"
#include "TalefoldModule.h"
#include "TalefoldNodeType.h"

#define LOCTEXT_NAMESPACE "TalefoldGraphAsset"

namespace
{
	TSharedPtr<const FTalefoldLibrary> FindLibrary(FTalefoldError& Error)
	{
		const FTalefoldModule& Module = FTalefoldModule::Get();
		Error = Module.GetLibraryError();
		return Module.GetLibrary();
	}

	/** Texts by key, such as `reply.system_prompt`. */
	bool LocalizableTexts(
		const FTalefoldLibrary& Library, const FString& Graph, TSharedPtr<FJsonObject>& Texts, FTalefoldError& Error)
	{
		talefold_text Json = {};
		if (!Library.Check(Library.Api().graph_localizable_strings(FTalefoldUtf8(Graph), &Json), Error))
		{
			return false;
		}
		Texts = TalefoldJson::Parse(TalefoldText::ToString(Json));
		return Texts.IsValid();
	}

	/** What the nodes name, by Read; each once. */
	template <typename ReadType>
	TArray<FString> NamesOf(const FTalefoldGraphDescription& Graph, ReadType&& Read)
	{
		TArray<FString> Names;
		for (const FTalefoldGraphNode& Node : Graph.Nodes)
		{
			const FTalefoldNodeType* Type = FTalefoldNodeType::Find(Node.Params.GetScriptStruct());
			const FString Name = Type == nullptr ? FString() : Read(*Type, Node.Params);
			const bool bIsKnown = Names.ContainsByPredicate(
				[&Name](const FString& Each) { return Each.Equals(Name, ESearchCase::CaseSensitive); });
			if (!Name.IsEmpty() && !bIsKnown)
			{
				Names.Add(Name);
			}
		}
		return Names;
	}
} // namespace

bool UTalefoldGraphAsset::FromJson(const FString& Json, FTalefoldError& Error)
{
	Error = FTalefoldError();
	return FTalefoldGraphDescription::FromJson(Json, Graph, Error);
}

bool UTalefoldGraphAsset::LocalizedJson(FString& Json, FTalefoldError& Error) const
{
	Json = Graph.ToJson();
	if (StringTable == nullptr)
	{
		return true;
	}
	const TSharedPtr<const FTalefoldLibrary> Library = FindLibrary(Error);
	TSharedPtr<FJsonObject> Texts;
	if (!Library || !LocalizableTexts(*Library, Json, Texts, Error))
	{
		return false;
	}
	const TSharedRef<FJsonObject> Localized = MakeShared<FJsonObject>();
	for (const auto& Text : Texts->Values)
	{
		const FString Key(Text.Key);
		FString Ignored;
		if (StringTable->GetStringTable()->GetSourceString(Key, Ignored))
		{
			Localized->SetStringField(Key, FText::FromStringTable(StringTable->GetStringTableId(), Key).ToString());
		}
	}
	talefold_text Changed = {};
	const FTalefoldUtf8 Strings(TalefoldJson::Write(Localized));
	if (!Library->Check(Library->Api().graph_apply_strings(FTalefoldUtf8(Json), Strings, &Changed), Error))
	{
		return false;
	}
	Json = TalefoldText::ToString(Changed);
	return true;
}

TArray<FString> UTalefoldGraphAsset::GetNodeNames() const
{
	TArray<FString> Names;
	for (const FTalefoldGraphNode& Node : Graph.Nodes)
	{
		Names.Add(Node.Name);
	}
	return Names;
}

TArray<FString> UTalefoldGraphAsset::ModelNames() const
{
	return NamesOf(Graph, [](const FTalefoldNodeType& Type, const FInstancedStruct& Params) { return Type.ModelName(Params); });
}

TArray<FString> UTalefoldGraphAsset::KnowledgeNames() const
{
	return NamesOf(Graph, [](const FTalefoldNodeType& Type, const FInstancedStruct& Params) { return Type.KnowledgeName(Params); });
}

bool UTalefoldGraphAsset::FindProblems(TArray<FProblem>& Problems, FTalefoldError& Error) const
{
	const TSharedPtr<const FTalefoldLibrary> Library = FindLibrary(Error);
	talefold_text Json = {};
	if (!Library || !Library->Check(Library->Api().graph_validate(FTalefoldUtf8(Graph.ToJson()), &Json), Error))
	{
		return false;
	}
	for (const TSharedPtr<FJsonObject>& Each : TalefoldJson::ParseObjects(TalefoldText::ToString(Json)))
	{
		FProblem Problem;
		int32 Code = 0;
		FString Message;
		FString Hint;
		Each->TryGetNumberField(TEXT("code"), Code);
		Each->TryGetStringField(TEXT("message"), Message);
		Each->TryGetStringField(TEXT("hint"), Hint);
		Each->TryGetBoolField(TEXT("is_warning"), Problem.bIsWarning);
		Each->TryGetStringField(TEXT("node"), Problem.Node);
		Each->TryGetStringField(TEXT("field"), Problem.Field);
		Problem.Error = FTalefoldError::Make(Code, Message, Hint);
		Problems.Add(Problem);
	}
	return true;
}

#if WITH_EDITOR

EDataValidationResult UTalefoldGraphAsset::IsDataValid(FDataValidationContext& Context) const
{
	EDataValidationResult Result = CombineDataValidationResults(Super::IsDataValid(Context), EDataValidationResult::Valid);
	for (const FTalefoldGraphNode& Node : Graph.Nodes)
	{
		if (!Node.Params.IsValid())
		{
			Context.AddError(FText::Format(LOCTEXT("NoType", "Node '{0}': choose a type"), FText::FromString(Node.Name)));
			Result = EDataValidationResult::Invalid;
		}
	}
	TArray<FProblem> Problems;
	FTalefoldError Error;
	if (!FindProblems(Problems, Error))
	{
		Context.AddWarning(FText::Format(LOCTEXT("NotChecked", "The graph was not checked: {0}"), FText::FromString(Error.ToString())));
		return Result;
	}
	for (const FProblem& Problem : Problems)
	{
		const FText Text = FText::Format(
			LOCTEXT("Problem", "Node '{0}', {1}: {2}"),
			FText::FromString(Problem.Node), FText::FromString(Problem.Field), FText::FromString(Problem.Error.ToString()));
		if (Problem.bIsWarning)
		{
			Context.AddWarning(Text);
		}
		else
		{
			Context.AddError(Text);
			Result = EDataValidationResult::Invalid;
		}
	}
	return Result;
}

void UTalefoldGraphAsset::UpdateStringTable()
{
	FTalefoldError Error;
	const TSharedPtr<const FTalefoldLibrary> Library = FindLibrary(Error);
	TSharedPtr<FJsonObject> Texts;
	if (StringTable == nullptr || !Library || !LocalizableTexts(*Library, Graph.ToJson(), Texts, Error))
	{
		UE_LOG(LogTalefold, Warning, TEXT("%s: no string table was updated: %s"), *GetName(),
			StringTable == nullptr ? TEXT("the asset has none") : *Error.ToString());
		return;
	}
	StringTable->Modify();
	for (const auto& Text : Texts->Values)
	{
		FString Source;
		if (Text.Value->TryGetString(Source))
		{
			StringTable->GetMutableStringTable()->SetSourceString(FString(Text.Key), Source);
		}
	}
}

#endif // WITH_EDITOR

#undef LOCTEXT_NAMESPACE
