#include "Async/TalefoldLoadConversationAction.h"
#include "Async/TalefoldLoadAction.h"
#include "Async/TalefoldSaveConversationAction.h"
#include "Async/TalefoldSayAction.h"
#include "Async/TalefoldSearchKnowledgeAction.h"
#include "Engine/GameInstance.h"
#include "Engine/World.h"
#include "GameFramework/Actor.h"
#include "Kismet/GameplayStatics.h"
#include "TalefoldAgentComponent.h"
#include "TalefoldGraphAsset.h"
#include "TalefoldSettings.h"
#include "TalefoldSubsystem.h"
#include "TalefoldTestGame.h"

BEGIN_DEFINE_SPEC(FTalefoldTeardownSpec, "Talefold.Teardown", EAutomationTestFlags::EditorContext | EAutomationTestFlags::ProductFilter)
FTalefoldTestGame Game;
FTalefoldError Error;

/** Ends the game now; nothing may come or be left in the frames after it. The listener stays until then. */
void EndNow(const FDoneDelegate& Done, TFunction<void()> Check, bool bInstanceFirst = false)
{
	UTalefoldTestListener* Kept = Game.Listener;
	const TWeakPtr<FTalefoldRuntime> Runtime = Game.Subsystem->GetRuntime();
	Game.Listener = nullptr;
	Game.End(bInstanceFirst);
	const int32 Told = Kept->Lines.Num();
	Game.After(30, Done, [this, Kept, Told, Check, Runtime] {
		TestEqual(TEXT("told after the end"), Kept->Lines.Num(), Told);
		TestFalse(TEXT("an engine is left"), Runtime.IsValid());
		Check();
		Kept->RemoveFromRoot();
	});
}

/** The same while a node waits, which the game keeps: it fails once, while the game ends. */
template <typename ActionType>
void EndWhile(ActionType* Action, const FDoneDelegate& Done, const TCHAR* Failed)
{
	UTalefoldTestListener* Kept = Game.Listener;
	Kept->Listen(Action);
	Action->AddToRoot();
	Action->Activate();
	EndNow(Done, [this, Action, Kept, Failed] {
		TestEqual(Failed, Kept->Count(Failed), 1);
		Action->RemoveFromRoot();
	});
}
void Say(const TCHAR* Text)
{
	Game.Agent->StartTurn(Text, ETalefoldBusyPolicy::Queue, 0.0f, Error);
}
END_DEFINE_SPEC(FTalefoldTeardownSpec)

void FTalefoldTeardownSpec::Define()
{
	Describe(TEXT("A game that ends"), [this] {
		BeforeEach([this] {
			Game.Begin(TEXT("{\"replies\": [\"Aye, one.\", {\"text\": \"Well now\", \"outcome\": \"stall\"}], \"node_replies\": {\"fold\": [{\"text\": \"\", \"outcome\": \"stall\"}]}}"));
		});
		AfterEach([this] { Game.End(); });

		LatentIt(TEXT("while a character is made"), [this](const FDoneDelegate& Done) {
			UTalefoldTestListener* Kept = Game.Listener;
			Say(TEXT("Hello."));
			EndNow(Done, [this, Kept] { TestEqual(TEXT("cancelled"), Kept->Count(TEXT("finished 1 cancelled")), 1); });
		});

		LatentIt(TEXT("while a reply streams"), [this](const FDoneDelegate& Done) {
			Say(TEXT("One?"));
			Say(TEXT("Two?"));
			Say(TEXT("Three?"));
			Game.When(FDoneDelegate::CreateLambda([] {}), [this] { return Game.Listener->Has(TEXT("started 2")); }, [this, Done] {
				UTalefoldTestListener* Kept = Game.Listener;
				EndNow(Done, [this, Kept] {
					TestEqual(TEXT("running"), Kept->Count(TEXT("finished 2 cancelled")), 1);
					TestEqual(TEXT("waiting"), Kept->Count(TEXT("finished 3 cancelled")), 1);
				}); });
		});

		LatentIt(TEXT("before its actors"), [this](const FDoneDelegate& Done) {
			Say(TEXT("One?"));
			Say(TEXT("Two?"));
			Game.When(FDoneDelegate::CreateLambda([] {}), [this] { return Game.Listener->Has(TEXT("started 2")); }, [this, Done] {
				UTalefoldTestListener* Kept = Game.Listener;
				EndNow(Done, [this, Kept] { TestEqual(TEXT("cancelled"), Kept->Count(TEXT("finished 2 cancelled")), 1); }, true); });
		});

		LatentIt(TEXT("while older turns are folded"), [this](const FDoneDelegate& Done) {
			UTalefoldGraphAsset* Graph = Game.MakeGraph();
			FTalefoldSummarizeParams Fold;
			Fold.TriggerTokens = 0;
			Fold.TriggerTurns = 1;
			Fold.KeepRecentTurns = 0;
			Graph->Graph.Nodes[0].Params.GetMutablePtr<FTalefoldGenerateParams>()->DefaultExit = TEXT("fold");
			Graph->Graph.AddSummarize(TEXT("fold"), Fold);
			Game.Agent->GraphAsset = Graph;
			Game.Agent->StartConversation(FTalefoldConversationState(), Error);
			Say(TEXT("One?"));
			Game.When(FDoneDelegate::CreateLambda([] {}), [this] { return Game.Listener->Has(TEXT("text 1 Aye, one.")); }, [this, Done] {
				UTalefoldTestListener* Kept = Game.Listener;
				EndNow(Done, [this, Kept] { TestEqual(TEXT("folding"), Kept->Count(TEXT("finished 1 cancelled")), 1); }); });
		});

		LatentIt(TEXT("while a conversation is saved"), [this](const FDoneDelegate& Done) {
			Say(TEXT("One?"));
			Game.When(FDoneDelegate::CreateLambda([] {}), [this] { return Game.Listener->Has(TEXT("finished 1 success")); }, [this, Done] { EndWhile(
																																				UTalefoldSaveConversationAction::SaveConversation(Game.Agent, TEXT("teardown"), 0, true), Done, TEXT("save failed EngineClosed")); });
		});

		LatentIt(TEXT("while a slot is written, which then has all of it"), [this](const FDoneDelegate& Done) {
			UGameplayStatics::DeleteGameInSlot(TEXT("written"), 0);
			UTalefoldTestListener* Kept = Game.Listener;
			Say(TEXT("One?"));
			Game.When(FDoneDelegate::CreateLambda([] {}), [this] { return Game.Listener->Has(TEXT("finished 1 success")); }, [this] {
				UTalefoldSaveConversationAction* Action =
					UTalefoldSaveConversationAction::SaveConversation(Game.Agent, TEXT("written"));
				Game.Listener->Listen(Action);
				Action->Activate(); });
			// The slot shows while it is written, mostly before the node says so.
			Game.When(FDoneDelegate::CreateLambda([] {}), [] { return UGameplayStatics::DoesSaveGameExist(TEXT("written"), 0); }, [this, Done, Kept] { EndNow(FDoneDelegate::CreateLambda([] {}), [this, Done, Kept] {
				TestEqual(TEXT("told once"), Kept->Count(TEXT("saved")) + Kept->Count(TEXT("save failed EngineClosed")), 1);
				Game.Begin(TEXT("{\"replies\": []}"));
				UTalefoldLoadConversationAction* Action =
					UTalefoldLoadConversationAction::LoadConversation(Game.Agent, TEXT("written"));
				Game.Listener->Listen(Action);
				Action->Activate();
				Game.When(Done, [this] { return Game.Listener->Has(TEXT("restored")); }, [this] { TestEqual(TEXT("turns"), Game.Agent->GetTranscript().Num(), 1); }); }); });
		});

		LatentIt(TEXT("while a conversation waits to be restored"), [this](const FDoneDelegate& Done) {
			TestFalse(TEXT("ready"), Game.Agent->IsReady());
			EndWhile(
				UTalefoldLoadConversationAction::RestoreConversation(Game.Agent, FTalefoldConversationState()), Done,
				TEXT("restore failed EngineClosed"));
		});

		LatentIt(TEXT("while knowledge is searched"), [this](const FDoneDelegate& Done) {
			EndWhile(
				UTalefoldSearchKnowledgeAction::SearchKnowledge(Game.Agent, TEXT("lore"), TEXT("dragon")), Done,
				TEXT("search failed EngineClosed"));
		});

		LatentIt(TEXT("while a slot is read"), [this](const FDoneDelegate& Done) {
			EndWhile(
				UTalefoldLoadConversationAction::LoadConversation(Game.Agent, TEXT("teardown")), Done,
				TEXT("restore failed EngineClosed"));
		});

		LatentIt(TEXT("while a conversation is restored"), [this](const FDoneDelegate& Done) {
			Game.When(FDoneDelegate::CreateLambda([] {}), [this] { return Game.Agent->IsReady(); }, [this, Done] {
				FTalefoldConversationState State;
				TestTrue(TEXT("state"), Game.Agent->GetState(State, Error));
				EndWhile(
					UTalefoldLoadConversationAction::RestoreConversation(Game.Agent, State), Done,
					TEXT("restore failed EngineClosed")); });
		});

		LatentIt(TEXT("while a model loads"), [this](const FDoneDelegate& Done) {
			UTalefoldSettings* Settings = GetMutableDefault<UTalefoldSettings>();
			FTalefoldModelEntry Entry;
			Entry.Name = TEXT("weights");
			Entry.File.FilePath = TEXT("/nowhere/weights.gguf");
			Settings->Models.Add(Entry);
			EndWhile(UTalefoldLoadAction::LoadModel(Game.Agent, Entry.Name), Done, TEXT("load failed EngineClosed"));
			Settings->Models.Empty();
		});

		LatentIt(TEXT("while knowledge loads"), [this](const FDoneDelegate& Done) {
			EndWhile(
				UTalefoldLoadAction::LoadKnowledgeFromJson(Game.Agent, TEXT("lore"), TEXT("{\"version\": 1}"), TEXT("[]")), Done,
				TEXT("load failed EngineClosed"));
		});

		LatentIt(TEXT("after a node was cancelled"), [this](const FDoneDelegate& Done) {
			UTalefoldLoadConversationAction* Action =
				UTalefoldLoadConversationAction::LoadConversation(Game.Agent, TEXT("teardown"));
			UTalefoldTestListener* Kept = Game.Listener;
			Kept->Listen(Action);
			Action->Activate();
			Action->Cancel();
			EndNow(Done, [this, Kept] { TestEqual(TEXT("told"), Kept->Count(TEXT("restore failed EngineClosed")), 0); });
		});

		LatentIt(TEXT("while a Say node waits"), [this](const FDoneDelegate& Done) {
			UTalefoldSayAction* Action = UTalefoldSayAction::Say(Game.Agent, TEXT("One?"));
			Game.Listener->Listen(Action);
			Action->Activate();
			UTalefoldTestListener* Kept = Game.Listener;
			EndNow(Done, [this, Kept] { TestEqual(TEXT("cancelled"), Kept->Count(TEXT("say cancelled")), 1); });
		});

		LatentIt(TEXT("and begins again, in another instance"), [this](const FDoneDelegate& Done) {
			Say(TEXT("One?"));
			Game.End();
			Game.Begin(TEXT("{\"replies\": [\"Another.\"]}"));
			Say(TEXT("One?"));
			Game.When(Done, [this] { return Game.Listener->Has(TEXT("finished 1 success")); }, [this] { TestEqual(TEXT("reply"), Game.Listener->LastResult.Text, TEXT("Another.")); });
		});
	});

	Describe(TEXT("A character that ends"), [this] {
		BeforeEach([this] {
			Game.Begin(TEXT("{\"replies\": [{\"text\": \"Well now\", \"outcome\": \"stall\"}]}"));
			Say(TEXT("One?"));
		});
		AfterEach([this] { Game.End(); });

		LatentIt(TEXT("in the middle of its own event"), [this](const FDoneDelegate& Done) {
			Game.Listener->EndsAtDelta = Game.Agent;
			Game.When(FDoneDelegate::CreateLambda([] {}), [this] { return Game.Listener->Has(TEXT("finished 1 cancelled")); }, [this, Done] {
				const int32 Told = Game.Listener->Lines.Num();
				Game.After(30, Done, [this, Told] { TestEqual(TEXT("told"), Game.Listener->Lines.Num(), Told); }); });
		});

		LatentIt(TEXT("with its actor, others go on"), [this](const FDoneDelegate& Done) {
			UTalefoldTestListener* Other = NewObject<UTalefoldTestListener>();
			Other->AddToRoot();
			UTalefoldAgentComponent* Second = Game.AddCharacter(Game.MakeGraph(), Other);
			Game.When(FDoneDelegate::CreateLambda([] {}), [this] { return Game.Listener->Has(TEXT("started 1")); }, [this, Done, Second, Other] {
				Game.Agent->GetOwner()->Destroy();
				Game.Agent = nullptr;
				CollectGarbage(RF_NoFlags);
				TestTrue(TEXT("cancelled"), Game.Listener->Has(TEXT("finished 1 cancelled")));
				Second->StartTurn(TEXT("And you?"), ETalefoldBusyPolicy::Queue, 0.05f, Error);
				Game.When(Done, [Other] { return Other->Has(TEXT("finished 1 error")); }, [Other] { Other->RemoveFromRoot(); }); });
		});
	});

	Describe(TEXT("Two game instances"), [this] {
		LatentIt(TEXT("do not hear each other"), [this](const FDoneDelegate& Done) {
			const TSharedRef<FTalefoldTestGame> Other = MakeShared<FTalefoldTestGame>();
			Game.Begin(TEXT("{\"replies\": [\"Mine.\"]}"));
			Other->Begin(TEXT("{\"replies\": [\"Theirs.\"]}"));
			Say(TEXT("Whose?"));
			Other->Agent->StartTurn(TEXT("Whose?"), ETalefoldBusyPolicy::Queue, 0.0f, Error);
			Game.When(Done, [this, Other] { return Game.Listener->Has(TEXT("finished 1 success")) && Other->Listener->Has(TEXT("finished 1 success")); }, [this, Other] {
				Game.End();
				TestEqual(TEXT("reply"), Other->Listener->LastResult.Text, TEXT("Theirs."));
				TestTrue(TEXT("still there"), Other->Agent->IsReady());
				Other->End(); });
		});

		LatentIt(TEXT("end one after the other, each in the middle of a reply"), [this](const FDoneDelegate& Done) {
			const TCHAR* const Stalls = TEXT("{\"replies\": [{\"text\": \"Well now\", \"outcome\": \"stall\"}]}");
			const TSharedRef<FTalefoldTestGame> Other = MakeShared<FTalefoldTestGame>();
			Game.Begin(Stalls);
			Other->Begin(Stalls);
			Say(TEXT("Whose?"));
			Other->Agent->StartTurn(TEXT("Whose?"), ETalefoldBusyPolicy::Queue, 0.0f, Error);
			Game.When(FDoneDelegate::CreateLambda([] {}), [this, Other] { return Game.Listener->Lines.Num() > 2 && Other->Listener->Lines.Num() > 2; }, [this, Other, Done] {
				const int32 Told = Other->Listener->Lines.Num();
				UTalefoldTestListener* Kept = Game.Listener;
				EndNow(FDoneDelegate::CreateLambda([] {}), [this, Other, Kept, Told, Done] {
					TestEqual(TEXT("mine"), Kept->Count(TEXT("finished 1 cancelled")), 1);
					TestTrue(TEXT("theirs"), Other->Agent->IsBusy());
					TestEqual(TEXT("told"), Other->Listener->Lines.Num(), Told);
					Game = *Other;
					UTalefoldTestListener* Theirs = Game.Listener;
					EndNow(Done, [this, Theirs] { TestEqual(TEXT("theirs"), Theirs->Count(TEXT("finished 1 cancelled")), 1); });
				}); });
		});
	});
}
