#include "Internationalization/StringTable.h"
#include "Internationalization/StringTableCore.h"
#include "Misc/AutomationTest.h"
#include "Misc/DataValidation.h"
#include "TalefoldGraphAsset.h"

BEGIN_DEFINE_SPEC(FTalefoldGraphSpec, "Talefold.Graph", EAutomationTestFlags::EditorContext | EAutomationTestFlags::ProductFilter)
FTalefoldError Error;

UTalefoldGraphAsset* MakeAsset() const
{
	FTalefoldGenerateParams Gen;
	Gen.SystemPrompt = TEXT("You are Edric, an innkeeper.");
	Gen.ContextSize = 4096;
	Gen.DefaultExit = TEXT("summarize");
	FTalefoldSummarizeParams Sum;
	Sum.TriggerTokens = 1024;
	Sum.KeepRecentTurns = 3;
	UTalefoldGraphAsset* Asset = NewObject<UTalefoldGraphAsset>();
	Asset->Graph.AddGenerate(TEXT("generate"), Gen);
	Asset->Graph.AddSummarize(TEXT("summarize"), Sum);
	Asset->Graph.StartNode = TEXT("generate");
	return Asset;
}
END_DEFINE_SPEC(FTalefoldGraphSpec)

void FTalefoldGraphSpec::Define()
{
	Describe(TEXT("A graph"), [this] {
		It(TEXT("is a graph file, with what differs from the defaults"), [this] {
			TestEqual(TEXT("json"), MakeAsset()->ToJson(),
				TEXT("{\"format\":\"talefold-graph\",\"version\":1,\"start_node\":\"generate\",\"nodes\":[")
					TEXT("{\"name\":\"generate\",\"type\":\"Generate\",\"params\":{\"context_size\":4096,")
						TEXT("\"system_prompt\":\"You are Edric, an innkeeper.\",\"default_exit\":\"summarize\"}},")
							TEXT("{\"name\":\"summarize\",\"type\":\"Summarize\",\"params\":{}}]}"));
		});

		It(TEXT("is the same after reading it"), [this] {
			UTalefoldGraphAsset* Read = NewObject<UTalefoldGraphAsset>();
			TestTrue(TEXT("read"), Read->FromJson(MakeAsset()->ToJson(), Error));
			TestTrue(TEXT("same"), Read->ToJson().Equals(MakeAsset()->ToJson(), ESearchCase::CaseSensitive));
		});

		It(TEXT("is not read where something is wrong, and stays"), [this] {
			const TPair<const TCHAR*, const TCHAR*> Cases[] = {
				{TEXT("\"Generat\""), TEXT("node 'a': unknown type 'Generat'; allowed: Generate,")},
				{TEXT("\"Generate\",\"params\":{\"sytem\":1}"), TEXT("node 'a': unknown field 'sytem'; allowed: model_name,")},
				{TEXT("\"Generate\",\"params\":{\"stream\":1}"), TEXT("node 'a': field 'stream': true or false expected")},
				{TEXT("\"Generate\",\"params\":{\"context_size\":1.5}"), TEXT("node 'a': field 'context_size': a whole number that fits")},
				{TEXT("\"Generate\",\"params\":{\"placement\":\"x\"}"), TEXT("field 'placement': 'x' is none of in_place_of_user,")},
				{TEXT("\"Generate\",\"params\":{\"sampling\":{\"seed\":\"x\"}}"), TEXT("field 'sampling': field 'seed': a number expected")},
			};
			UTalefoldGraphAsset* Asset = MakeAsset();
			const FString Before = Asset->ToJson();
			for (const auto& Case : Cases)
			{
				TestFalse(Case.Key, Asset->FromJson(FString::Printf(TEXT("{\"format\":\"talefold-graph\",\"version\":1,\"start_node\":\"a\",\"nodes\":[{\"name\":\"a\",\"type\":%s}]}"), Case.Key), Error));
				TestTrue(Error.Message, Error.Message.Contains(Case.Value));
				TestEqual(TEXT("unchanged"), Asset->ToJson(), Before);
			}
			TestFalse(TEXT("no JSON"), Asset->FromJson(TEXT("nodes:"), Error));
			TestTrue(Error.Message, Error.Message.Contains(TEXT("not a graph file")));
		});

		It(TEXT("knows the models and the knowledge that its nodes name"), [this] {
			UTalefoldGraphAsset* Asset = MakeAsset();
			TestEqual(TEXT("none"), Asset->ModelNames().Num(), 0);
			Asset->Graph.Nodes[1].Params.GetMutablePtr<FTalefoldSummarizeParams>()->ModelName = TEXT("clerk");
			FTalefoldSpeakParams Speak; // which has no model
			Asset->Graph.AddSpeak(TEXT("speak"), Speak);
			Asset->Graph.Nodes.Add(FTalefoldGraphNode()); // which has no type yet
			TestEqual(TEXT("names"), FString::Join(Asset->ModelNames(), TEXT(", ")), TEXT("clerk"));
			FTalefoldRetrieveParams Find;
			Find.EmbeddedStringStorage = TEXT("lore");
			Asset->Graph.AddRetrieve(TEXT("find"), Find);
			Asset->Graph.AddRetrieve(TEXT("find again"), Find);
			TestEqual(TEXT("knowledge"), FString::Join(Asset->KnowledgeNames(), TEXT(", ")), TEXT("lore"));
		});

		It(TEXT("offers its nodes as the start node"), [this] {
			TestEqual(TEXT("names"), FString::Join(MakeAsset()->GetNodeNames(), TEXT(", ")), TEXT("generate, summarize"));
		});

		It(TEXT("has its texts from the string table"), [this] {
			UTalefoldGraphAsset* Asset = MakeAsset();
			FString Json;
			Asset->StringTable = NewObject<UStringTable>();
			Asset->StringTable->GetMutableStringTable()->SetSourceString(TEXT("generate.system_prompt"), TEXT("Du bist Edric."));
			TestTrue(TEXT("localized"), Asset->LocalizedJson(Json, Error));
			TestTrue(Json, Json.Contains(TEXT("Du bist Edric.")));
		});

#if WITH_EDITOR
		It(TEXT("writes its texts into the string table"), [this] {
			UTalefoldGraphAsset* Asset = MakeAsset();
			FString Source;
			Asset->StringTable = NewObject<UStringTable>();
			Asset->UpdateStringTable();
			TestTrue(TEXT("key"), Asset->StringTable->GetStringTable()->GetSourceString(TEXT("generate.system_prompt"), Source));
			TestEqual(TEXT("text"), Source, TEXT("You are Edric, an innkeeper."));
		});

		It(TEXT("is validated, by node and pin"), [this] {
			UTalefoldGraphAsset* Asset = MakeAsset();
			FDataValidationContext Good;
			TestTrue(TEXT("valid"), Asset->IsDataValid(Good) == EDataValidationResult::Valid);
			Asset->Graph.Nodes[0].Params.GetMutablePtr<FTalefoldGenerateParams>()->DefaultExit = TEXT("nowhere");
			Asset->Graph.Nodes.Add(FTalefoldGraphNode());
			FDataValidationContext Bad;
			TestTrue(TEXT("invalid"), Asset->IsDataValid(Bad) == EDataValidationResult::Invalid);
			TestEqual(TEXT("errors"), Bad.GetNumErrors(), 2u);
			TArray<FText> Warnings;
			TArray<FText> Errors;
			Bad.SplitIssues(Warnings, Errors);
			const FString Said = Errors[1].ToString();
			TestTrue(Said, Said.Contains(TEXT("Node 'generate', default_exit: ")) && Said.Contains(TEXT("nowhere")));
		});
#endif
	});
}
