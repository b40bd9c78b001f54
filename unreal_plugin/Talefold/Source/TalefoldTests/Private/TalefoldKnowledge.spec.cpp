#include "Async/TalefoldLoadAction.h"
#include "Async/TalefoldSearchKnowledgeAction.h"
#include "Misc/FileHelper.h"
#include "Misc/Paths.h"
#include "TalefoldAgentComponent.h"
#include "TalefoldGraphAsset.h"
#include "TalefoldSettings.h"
#include "TalefoldSubsystem.h"
#include "TalefoldTestGame.h"

BEGIN_DEFINE_SPEC(FTalefoldKnowledgeSpec, "Talefold.Knowledge", EAutomationTestFlags::EditorContext | EAutomationTestFlags::ProductFilter)
FTalefoldTestGame Game;
FTalefoldError Error;
const FString Records = TEXT("[{\"id\": \"dragon\", \"text\": \"The dragon sleeps below the mill.\"}, {\"id\": \"ale\", \"text\": \"Ale costs three coppers.\"}]");

UTalefoldSettings& Settings() const
{
	return *GetMutableDefault<UTalefoldSettings>();
}

/** A character that answers with what it finds of the player's words. */
UTalefoldGraphAsset* MakeGraph() const
{
	FTalefoldRetrieveParams Find;
	Find.EmbeddedStringStorage = TEXT("lore");
	Find.TopK = 1;
	Find.Threshold = 0.0;
	Find.FoundExit = TEXT("reply");
	Find.NotFoundExit = TEXT("reply");
	FTalefoldGenerateParams Reply;
	Reply.ContextSize = 4096;
	Reply.Template = TEXT("{{#knowledge_find.chunks}}({{text}}){{/knowledge_find.chunks}} {{user_message}}");
	Reply.Placement = ETalefoldPlacement::AfterUserAsSystem;
	UTalefoldGraphAsset* Asset = NewObject<UTalefoldGraphAsset>();
	Asset->Graph.AddRetrieve(TEXT("find"), Find);
	Asset->Graph.AddGenerate(TEXT("reply"), Reply);
	Asset->Graph.StartNode = TEXT("find");
	return Asset;
}

/** The knowledge base `lore` of the project settings, in files, compared by this model. */
void ListLore(const TCHAR* EmbeddingModel)
{
	const FString Root = FPaths::Combine(FPaths::ProjectDir(), TEXT("Lore"));
	const FString Config = FString::Printf(
		TEXT("{\"version\": 1, \"records_file\": \"records.json\", \"embedding_model\": \"%s\"}"), EmbeddingModel);
	TestTrue(TEXT("config"), FFileHelper::SaveStringToFile(Config, *FPaths::Combine(Root, TEXT("config.json"))));
	TestTrue(TEXT("records"), FFileHelper::SaveStringToFile(Records, *FPaths::Combine(Root, TEXT("records.json"))));
	FTalefoldKnowledgeEntry Lore;
	Lore.Name = TEXT("lore");
	Lore.ConfigFile = TEXT("config.json");
	Settings().Knowledge = {Lore};
	Settings().StorageRoot.Path = TEXT("Lore");
}

void ListEmbedder(const TCHAR* Model, const FString& File)
{
	FTalefoldEmbeddingModelEntry Embedder;
	Embedder.Name = Model;
	Embedder.File.FilePath = File;
	Settings().EmbeddingModels.Add(Embedder);
}

void BeginGame()
{
	Game.Begin(TEXT("{\"replies\": [{\"echo\": true}]}"));
}

void Run(UTalefoldLoadAction* Action)
{
	Game.Listener->Listen(Action);
	Action->Activate();
}

void Search(const TCHAR* Knowledge, const TCHAR* Filter = TEXT(""))
{
	UTalefoldSearchKnowledgeAction* Action =
		UTalefoldSearchKnowledgeAction::SearchKnowledge(Game.Agent, Knowledge, TEXT("Where is the dragon?"), 1, Filter);
	Game.Listener->Listen(Action);
	Action->Activate();
}

/** Ends the test when the character has found the dragon. */
void AskForDragon(const FDoneDelegate& Done)
{
	Game.Agent->GraphAsset = MakeGraph();
	TestTrue(TEXT("start"), Game.Agent->StartConversation(FTalefoldConversationState(), Error));
	Game.Agent->StartTurn(TEXT("The dragon?"), ETalefoldBusyPolicy::Queue, 0.0f, Error);
	Game.When(Done, [this] { return Game.Listener->Has(TEXT("finished 1 success")); }, [this] {
		const FString Reply = Game.Listener->LastResult.Text;
		TestTrue(Reply, Reply.Contains(TEXT("(The dragon sleeps below the mill.)"))); });
}
END_DEFINE_SPEC(FTalefoldKnowledgeSpec)

void FTalefoldKnowledgeSpec::Define()
{
	Describe(TEXT("Knowledge"), [this] {
		AfterEach([this] {
			Game.End();
			Settings().Knowledge.Empty();
			Settings().EmbeddingModels.Empty();
			Settings().StorageRoot.Path = FString();
		});

		LatentIt(TEXT("of the game is found by what players say"), [this](const FDoneDelegate& Done) {
			BeginGame();
			Run(UTalefoldLoadAction::LoadKnowledgeFromJson(Game.Agent, TEXT("lore"), TEXT("{\"version\": 1}"), Records));
			TestFalse(TEXT("loaded before"), Game.Subsystem->IsKnowledgeLoaded(TEXT("lore")));
			Game.When(FDoneDelegate::CreateLambda([] {}), [this] { return Game.Listener->Has(TEXT("loaded")); }, [this, Done] {
				TestTrue(TEXT("loaded"), Game.Subsystem->IsKnowledgeLoaded(TEXT("lore")));
				AskForDragon(Done); });
		});

		LatentIt(TEXT("of the settings is there when a character needs it"), [this](const FDoneDelegate& Done) {
			ListLore(TEXT(""));
			BeginGame();
			AskForDragon(Done);
		});

		LatentIt(TEXT("is loaded once, and forgotten"), [this](const FDoneDelegate& Done) {
			ListLore(TEXT(""));
			BeginGame();
			Run(UTalefoldLoadAction::LoadKnowledge(Game.Agent, TEXT("lore")));
			Run(UTalefoldLoadAction::LoadKnowledge(Game.Agent, TEXT("lore")));
			Game.When(Done, [this] { return Game.Listener->Count(TEXT("loaded")) == 2; }, [this] {
				TestTrue(TEXT("unload"), Game.Subsystem->UnloadKnowledge(TEXT("lore"), Error));
				TestFalse(TEXT("loaded"), Game.Subsystem->IsKnowledgeLoaded(TEXT("lore")));
				TestFalse(TEXT("unload again"), Game.Subsystem->UnloadKnowledge(TEXT("lore"), Error));
				TestEqual(TEXT("error"), Error.Name, TEXT("InvalidArgument")); });
		});

		LatentIt(TEXT("is searched without a character"), [this](const FDoneDelegate& Done) {
			BeginGame();
			Run(UTalefoldLoadAction::LoadKnowledgeFromJson(Game.Agent, TEXT("lore"),
				TEXT("{\"version\": 1, \"fields\": [{\"name\": \"place\", \"type\": \"string\", \"default\": \"\"}]}"),
				TEXT("[{\"id\": \"dragon\", \"text\": \"The dragon sleeps.\", \"metadata\": {\"place\": \"mill\"}}, {\"id\": \"ale\", \"text\": \"Ale is dear.\", \"metadata\": {\"place\": \"inn\"}}]")));
			Game.When(FDoneDelegate::CreateLambda([] {}), [this] { return Game.Listener->Has(TEXT("loaded")); }, [this] { Search(TEXT("lore")); });
			Game.When(Done, [this] { return Game.Listener->Has(TEXT("found 1")); }, [this] {
				const FTalefoldFoundRecord& Found = Game.Listener->LastFound[0];
				TestEqual(TEXT("id"), Found.Id, TEXT("dragon"));
				TestEqual(TEXT("text"), Found.Text, TEXT("The dragon sleeps."));
				TestTrue(TEXT("distance"), Found.Distance >= 0.0);
				TestEqual(TEXT("metadata"), Found.MetadataJson, TEXT("{\"place\":\"mill\"}")); });
		});

		LatentIt(TEXT("of the settings is loaded by the first search"), [this](const FDoneDelegate& Done) {
			ListLore(TEXT(""));
			BeginGame();
			Search(TEXT("lore"));
			Game.When(Done, [this] { return Game.Listener->Has(TEXT("found 1")); }, [this] { TestEqual(TEXT("id"), Game.Listener->LastFound[0].Id, TEXT("dragon")); });
		});

		LatentIt(TEXT("is not searched where it is none, or by what is no filter"), [this](const FDoneDelegate& Done) {
			ListLore(TEXT(""));
			BeginGame();
			Search(TEXT("nobody"));
			Search(TEXT("lore"), TEXT("place = mill"));
			Game.When(Done, [this] { return Game.Listener->Lines.Num() > 2; }, [this] { TestTrue(FString::Join(Game.Listener->Lines, TEXT("; ")), Game.Listener->Has(TEXT("search failed StorageFileNotFound")) && Game.Listener->Has(TEXT("search failed InvalidFilter"))); });
		});

		LatentIt(TEXT("is refused where something is wrong"), [this](const FDoneDelegate& Done) {
			BeginGame();
			Run(UTalefoldLoadAction::LoadKnowledgeFromJson(Game.Agent, TEXT("lore"), TEXT("{}"), Records));
			Run(UTalefoldLoadAction::LoadKnowledge(Game.Agent, TEXT("nobody")));
			TestTrue(TEXT("unknown"), Game.Listener->Has(TEXT("load failed InvalidArgument")));
			TestTrue(Game.Listener->LastError.Message, Game.Listener->LastError.Message.Contains(TEXT("'nobody'")));
			Game.When(Done, [this] { return Game.Listener->Has(TEXT("load failed MalformedEmbeddedStorage")); }, [this] { TestFalse(TEXT("loaded"), Game.Subsystem->IsKnowledgeLoaded(TEXT("lore"))); });
		});

		LatentIt(TEXT("is not there without the models of the settings"), [this](const FDoneDelegate& Done) {
			ListLore(TEXT("meaning"));
			ListEmbedder(TEXT("meaning"), TEXT("/nowhere/meaning.gguf"));
			BeginGame();
			Game.Agent->GraphAsset = MakeGraph();
			TestTrue(TEXT("start"), Game.Agent->StartConversation(FTalefoldConversationState(), Error));
			Game.When(Done, [this] { return Game.Listener->Has(TEXT("failed ModelNotFound")); }, [this] { TestFalse(TEXT("loaded"), Game.Subsystem->IsKnowledgeLoaded(TEXT("lore"))); });
		});

		LatentIt(TEXT("is compared by a model"), [this](const FDoneDelegate& Done) {
			const FString Weights = FPaths::Combine(FPaths::ProjectDir(), TEXT("Models/tiny.gguf"));
			if (!FPaths::FileExists(Weights))
			{
				AddInfo(TEXT("there are no weights in the project's Models/tiny.gguf"));
				Done.Execute();
				return;
			}
			ListLore(TEXT("meaning"));
			ListEmbedder(TEXT("meaning"), TEXT("Models/tiny.gguf"));
			BeginGame();
			Run(UTalefoldLoadAction::LoadKnowledge(Game.Agent, TEXT("lore")));
			Game.When(Done, [this] { return Game.Listener->Has(TEXT("loaded")); }, [this] {
				TestTrue(TEXT("model"), Game.Subsystem->IsEmbeddingModelLoaded(TEXT("meaning")));
				Run(UTalefoldLoadAction::LoadEmbeddingModel(Game.Agent, TEXT("meaning")));
				TestEqual(TEXT("is loaded already"), Game.Listener->Count(TEXT("loaded")), 2);
				TestTrue(TEXT("unload"), Game.Subsystem->UnloadEmbeddingModel(TEXT("meaning"), Error));
				TestFalse(TEXT("model"), Game.Subsystem->IsEmbeddingModelLoaded(TEXT("meaning"))); });
		});
	});
}
