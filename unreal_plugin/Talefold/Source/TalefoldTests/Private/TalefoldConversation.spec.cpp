#include "Async/TalefoldLoadAction.h"
#include "Async/TalefoldSayAction.h"
#include "Engine/GameInstance.h"
#include "TalefoldAgentComponent.h"
#include "TalefoldGraphAsset.h"
#include "TalefoldSettings.h"
#include "TalefoldSubsystem.h"
#include "TalefoldTestGame.h"

BEGIN_DEFINE_SPEC(FTalefoldConversationSpec, "Talefold.Conversation", EAutomationTestFlags::EditorContext | EAutomationTestFlags::ProductFilter)
FTalefoldTestGame Game;
FTalefoldError Error;

int32 Say(const TCHAR* Text, ETalefoldBusyPolicy Policy = ETalefoldBusyPolicy::Queue)
{
	return Game.Agent->StartTurn(Text, Policy, 0.0f, Error);
}
FString Heard(int32 Index) const
{
	return Game.Listener->Lines.IsValidIndex(Index) ? Game.Listener->Lines[Index] : FString();
}
END_DEFINE_SPEC(FTalefoldConversationSpec)

void FTalefoldConversationSpec::Define()
{
	Describe(TEXT("A character"), [this] {
		BeforeEach([this] { Game.Begin(TEXT("{\"replies\": [\"Aye, one.\", \"Two.\", \"Three.\"]}")); });
		AfterEach([this] { Game.End(); });

		LatentIt(TEXT("hears what was said before it was ready"), [this](const FDoneDelegate& Done) {
			TestEqual(TEXT("request"), Say(TEXT("Hello.")), 1);
			TestFalse(TEXT("ready"), Game.Agent->IsReady());
			Game.When(Done, [this] { return Game.Listener->Has(TEXT("finished 1 success")); }, [this] {
				TestEqual(TEXT("first"), Heard(0), TEXT("ready"));
				TestEqual(TEXT("second"), Heard(1), TEXT("started 1"));
				TestTrue(TEXT("delta"), Heard(2).StartsWith(TEXT("delta 1 ")));
				TestTrue(TEXT("whole"), Game.Listener->Has(TEXT("text 1 Aye, one.")));
				TestEqual(TEXT("reply"), Game.Listener->LastResult.Text, TEXT("Aye, one."));
				TestTrue(TEXT("tokens"), Game.Listener->LastResult.TokensGenerated > 0); });
		});

		LatentIt(TEXT("takes requests one after the other"), [this](const FDoneDelegate& Done) {
			Say(TEXT("One?"));
			Say(TEXT("Two?"));
			Game.When(Done, [this] { return Game.Listener->Has(TEXT("finished 2 success")); }, [this] {
				const TArray<FTalefoldInteraction> Said = Game.Agent->GetTranscript();
				TestEqual(TEXT("turns"), Said.Num(), 2);
				TestEqual(TEXT("user"), Said[1].User, TEXT("Two?"));
				TestEqual(TEXT("assistant"), Said[1].Assistant, TEXT("Two."));
				TestEqual(TEXT("index"), Said[1].Index, 1); });
		});

		LatentIt(TEXT("speaks first, and again"), [this](const FDoneDelegate& Done) {
			Game.Agent->LetSpeak(ETalefoldBusyPolicy::Queue, 0.0f, Error);
			Game.Agent->Regenerate(ETalefoldBusyPolicy::Queue, 0.0f, Error);
			Game.When(Done, [this] { return Game.Listener->Has(TEXT("finished 2 success")); }, [this] {
				TestEqual(TEXT("turns"), Game.Agent->GetTranscript().Num(), 1);
				TestEqual(TEXT("reply"), Game.Agent->GetTranscript()[0].Assistant, TEXT("Two.")); });
		});

		LatentIt(TEXT("keeps letters of all languages"), [this](const FDoneDelegate& Done) {
			Say(TEXT("\u00bfQu\u00e9? \u4f60\u597d \U0001F43A"));
			Game.When(Done, [this] { return Game.Listener->Has(TEXT("finished 1 success")); }, [this] { TestEqual(TEXT("user"), Game.Agent->GetTranscript()[0].User, TEXT("\u00bfQu\u00e9? \u4f60\u597d \U0001F43A")); });
		});

		LatentIt(TEXT("is edited while it is idle"), [this](const FDoneDelegate& Done) {
			Say(TEXT("One?"));
			Game.When(Done, [this] { return Game.Listener->Has(TEXT("finished 1 success")); }, [this] {
				FTalefoldInteraction Removed;
				TestTrue(TEXT("append"), Game.Agent->AppendInteraction(TEXT("More?"), TEXT("More."), Error));
				TestTrue(TEXT("edit"), Game.Agent->EditInteraction(0, TEXT("1?"), TEXT("1."), Error));
				TestTrue(TEXT("undo"), Game.Agent->UndoLastTurn(Removed, Error));
				TestEqual(TEXT("removed"), Removed.User, TEXT("More?"));
				TestEqual(TEXT("edited"), Game.Agent->GetTranscript()[0].Assistant, TEXT("1."));
				TestTrue(TEXT("pin"), Game.Agent->Pin(TEXT("oath"), TEXT("I owe Rowan a horse."), Error));
				TestEqual(TEXT("pinned"), Game.Agent->GetPins()[0].Key, TEXT("oath"));
				TestTrue(TEXT("unpin"), Game.Agent->Unpin(TEXT("oath"), Error));
				TestFalse(TEXT("unpin again"), Game.Agent->Unpin(TEXT("oath"), Error));
				TestTrue(TEXT("params"), Game.Agent->ChangeParams(TEXT("reply"), TEXT("{\"system_prompt\": \"x\"}"), Error));
				TestFalse(TEXT("no such param"), Game.Agent->ChangeParams(TEXT("reply"), TEXT("{\"sytem\": 1}"), Error));
				TestEqual(TEXT("error"), Error.Name, TEXT("InvalidParamValue"));
				TestFalse(TEXT("no such index"), Game.Agent->EditInteraction(7, TEXT(""), TEXT(""), Error));
				TestEqual(TEXT("error"), Error.Name, TEXT("InteractionNotFound")); });
		});

		LatentIt(TEXT("has its params changed as a struct"), [this](const FDoneDelegate& Done) {
			Say(TEXT("One?"));
			Game.When(Done, [this] { return Game.Listener->Has(TEXT("finished 1 success")); }, [this] {
				FInstancedStruct Params;
				TestTrue(TEXT("get"), Game.Agent->GetNodeParams(TEXT("reply"), Params, Error));
				FTalefoldGenerateParams* Reply = Params.GetMutablePtr<FTalefoldGenerateParams>();
				TestEqual(TEXT("prompt"), Reply->SystemPrompt, TEXT("You are Edric, an innkeeper."));
				Reply->SystemPrompt = TEXT("You are Edric, and tired.");
				Reply->bStream = false; // which is the default
				Reply->Sampling.bOverrideTemperature = true;
				Reply->Sampling.Temperature = 0.5;
				TestTrue(TEXT("set"), Game.Agent->SetNodeParams(TEXT("reply"), Params, Error));
				FInstancedStruct Now;
				TestTrue(TEXT("get"), Game.Agent->GetNodeParams(TEXT("reply"), Now, Error));
				TestEqual(TEXT("changed"), Now.GetPtr<FTalefoldGenerateParams>()->SystemPrompt, Reply->SystemPrompt);
				TestFalse(TEXT("back at the default"), Now.GetPtr<FTalefoldGenerateParams>()->bStream);
				TestTrue(TEXT("within"), Now.GetPtr<FTalefoldGenerateParams>()->Sampling.Temperature == 0.5);
				Reply->Sampling = FTalefoldSamplingOverrides();
				TestTrue(TEXT("unset"), Game.Agent->SetNodeParams(TEXT("reply"), Params, Error));
				TestTrue(TEXT("get"), Game.Agent->GetNodeParams(TEXT("reply"), Now, Error));
				TestFalse(TEXT("unset"), Now.GetPtr<FTalefoldGenerateParams>()->Sampling.bOverrideTemperature); });
		});

		LatentIt(TEXT("keeps its params when others do not fit"), [this](const FDoneDelegate& Done) {
			Game.When(Done, [this] { return Game.Agent->IsReady(); }, [this] {
				FInstancedStruct Params;
				TestFalse(TEXT("no such node"), Game.Agent->GetNodeParams(TEXT("nobody"), Params, Error));
				TestEqual(TEXT("error"), Error.Name, TEXT("UnknownNode"));
				TestTrue(Error.Message, Error.Message.Contains(TEXT("reply")));
				TestFalse(TEXT("another type"), Game.Agent->SetNodeParams(TEXT("reply"), FInstancedStruct::Make(FTalefoldSummarizeParams()), Error));
				TestEqual(TEXT("error"), Error.Name, TEXT("InvalidParamValue"));
				TestTrue(TEXT("get"), Game.Agent->GetNodeParams(TEXT("reply"), Params, Error));
				Params.GetMutablePtr<FTalefoldGenerateParams>()->SystemPrompt = TEXT("x");
				Params.GetMutablePtr<FTalefoldGenerateParams>()->ContextSize = 512;
				TestFalse(TEXT("frozen"), Game.Agent->SetNodeParams(TEXT("reply"), Params, Error));
				TestEqual(TEXT("error"), Error.Name, TEXT("ParamNotMutable"));
				TestTrue(TEXT("get"), Game.Agent->GetNodeParams(TEXT("reply"), Params, Error));
				TestEqual(TEXT("kept"), Params.GetPtr<FTalefoldGenerateParams>()->SystemPrompt, TEXT("You are Edric, an innkeeper.")); });
		});

		LatentIt(TEXT("talks in a Say node"), [this](const FDoneDelegate& Done) {
			UTalefoldSayAction* Action = UTalefoldSayAction::Say(Game.Agent, TEXT("Hello."));
			Game.Listener->Listen(Action);
			Action->Activate();
			CollectGarbage(RF_NoFlags); // the game instance keeps the node
			Game.When(Done, [this] { return Game.Listener->Has(TEXT("say complete Aye, one.")); }, [this] { TestTrue(TEXT("deltas"), Game.Listener->Lines.ContainsByPredicate(
																																		 [](const FString& Line) { return Line.StartsWith(TEXT("say delta ")); })); });
		});

		LatentIt(TEXT("goes on when a Say node of an earlier conversation is collected"), [this](const FDoneDelegate& Done) {
			UTalefoldSayAction* Action = UTalefoldSayAction::Say(Game.Agent, TEXT("Hello."));
			Action->Activate();
			Game.When(FDoneDelegate::CreateLambda([] {}), [this] { return Game.Listener->Has(TEXT("finished 1 success")); }, [this, Done] {
				Game.Listener->Lines.Reset();
				Game.Agent->StartConversation(FTalefoldConversationState(), Error);
				Say(TEXT("Hello again.")); // request 1 of the new conversation
				CollectGarbage(RF_NoFlags); // the engine cancels nodes that it collects
				Game.When(Done, [this] { return Game.Listener->Lines.ContainsByPredicate([](const FString& Line) { return Line.StartsWith(TEXT("finished 1 ")); }); }, [this] { TestTrue(TEXT("success"), Game.Listener->Has(TEXT("finished 1 success"))); }); });
		});

		It(TEXT("is missed by a Say node without an agent"), [this] {
			UTalefoldSayAction* Action = UTalefoldSayAction::Say(nullptr, TEXT("Hello."));
			Game.Listener->Listen(Action);
			Action->Activate();
			TestEqual(TEXT("outcome"), Heard(0), TEXT("say failed InvalidArgument"));
		});

		LatentIt(TEXT("has its events spread over frames"), [this](const FDoneDelegate& Done) {
			GetMutableDefault<UTalefoldSettings>()->MaxEventsPerFrame = 1;
			Say(TEXT("Hello."));
			const TSharedRef<int32> Before = MakeShared<int32>(0);
			const TSharedRef<int32> Most = MakeShared<int32>(0);
			Game.When(Done, [this, Before, Most] {
				*Most = FMath::Max(*Most, Game.Listener->Lines.Num() - *Before);
				*Before = Game.Listener->Lines.Num();
				return Game.Listener->Has(TEXT("finished 1 success")); }, [this, Most] {
				GetMutableDefault<UTalefoldSettings>()->MaxEventsPerFrame = 64;
				TestTrue(TEXT("at most one of the library, and the start of a turn"), *Most <= 2); });
		});
	});

	Describe(TEXT("A character that stalls"), [this] {
		BeforeEach([this] {
			Game.Begin(TEXT("{\"replies\": [{\"text\": \"Well now\", \"outcome\": \"stall\"}, \"Aye.\"]}"));
			Say(TEXT("One?"));
		});
		AfterEach([this] { Game.End(); });
		const auto IsTalking = [this] { return Game.Listener->Lines.Num() > 2; };

		LatentIt(TEXT("is cancelled, once"), [this, IsTalking](const FDoneDelegate& Done) {
			Say(TEXT("Two?"));
			Game.When(FDoneDelegate::CreateLambda([] {}), IsTalking, [this] {
				TestTrue(TEXT("cancel"), Game.Agent->CancelTurn(0));
				Game.Agent->CancelTurn(1);
			});
			Game.When(Done, [this] { return Game.Listener->Has(TEXT("finished 2 success")); }, [this] { TestEqual(TEXT("cancelled"), Game.Listener->Count(TEXT("finished 1 cancelled")), 1); });
		});

		LatentIt(TEXT("is silenced by Cancel on a Say node"), [this](const FDoneDelegate& Done) {
			Game.End();
			Game.Begin(TEXT("{\"replies\": [{\"text\": \"Well now\", \"outcome\": \"stall\"}]}"));
			UTalefoldSayAction* Action = UTalefoldSayAction::Say(Game.Agent, TEXT("Two?"));
			Game.Listener->Listen(Action);
			Action->Activate();
			Game.When(FDoneDelegate::CreateLambda([] {}), [this] { return Game.Listener->Has(TEXT("started 1")); }, [Action] { Action->Cancel(); });
			Game.When(Done, [this] { return Game.Listener->Has(TEXT("finished 1 cancelled")); }, [this] { TestFalse(TEXT("the node"), Game.Listener->Has(TEXT("say cancelled"))); });
		});

		LatentIt(TEXT("refuses more, by that policy"), [this, IsTalking](const FDoneDelegate& Done) {
			Game.When(Done, IsTalking, [this] {
				TestEqual(TEXT("request"), Say(TEXT("Two?"), ETalefoldBusyPolicy::Reject), 0);
				TestEqual(TEXT("error"), Error.Name, TEXT("AgentBusy"));
				TestFalse(TEXT("pin"), Game.Agent->Pin(TEXT("a"), TEXT("b"), Error));
				TestEqual(TEXT("error"), Error.Name, TEXT("AgentBusy"));
			});
		});

		LatentIt(TEXT("is interrupted, by that policy"), [this, IsTalking](const FDoneDelegate& Done) {
			Game.When(FDoneDelegate::CreateLambda([] {}), IsTalking, [this] {
				Say(TEXT("Two?"));
				Say(TEXT("Stop!"), ETalefoldBusyPolicy::Interrupt);
			});
			Game.When(Done, [this] { return Game.Listener->Has(TEXT("finished 3 success")); }, [this] {
				TestTrue(TEXT("running"), Game.Listener->Has(TEXT("finished 1 cancelled")));
				TestTrue(TEXT("waiting"), Game.Listener->Has(TEXT("finished 2 cancelled"))); });
		});

		LatentIt(TEXT("times out"), [this](const FDoneDelegate& Done) {
			Game.Agent->StartTurn(TEXT("Quick!"), ETalefoldBusyPolicy::Interrupt, 0.05f, Error);
			Game.When(Done, [this] { return Game.Listener->Has(TEXT("finished 2 error")); }, [this] {
				TestEqual(TEXT("error"), Game.Listener->LastResult.Error.Name, TEXT("InferenceTimeout"));
				TestTrue(TEXT("the one that waited"), Game.Listener->Has(TEXT("finished 1 cancelled"))); });
		});
	});

	Describe(TEXT("A model of the settings"), [this] {
		BeforeEach([this] {
			FTalefoldModelEntry Entry;
			Entry.Name = TEXT("weights");
			Entry.File.FilePath = TEXT("/nowhere/weights.gguf");
			GetMutableDefault<UTalefoldSettings>()->Models = {Entry};
			Game.Begin(TEXT("{\"replies\": [\"x\"]}"));
		});
		AfterEach([this] {
			Game.End();
			GetMutableDefault<UTalefoldSettings>()->Models.Empty();
		});

		It(TEXT("is offered by dropdowns, after none"), [this] {
			TestEqual(TEXT("names"), FString::Join(UTalefoldSettings::GetModelNames(), TEXT(", ")), TEXT(", weights"));
		});

		LatentIt(TEXT("is loaded for others when one node that waits is cancelled"), [this](const FDoneDelegate& Done) {
			for (const bool bCancelled : {true, false})
			{
				UTalefoldLoadAction* Action = UTalefoldLoadAction::LoadModel(Game.Agent, TEXT("weights"));
				Game.Listener->Listen(Action);
				Action->Activate();
				if (bCancelled)
				{
					Action->Cancel();
				}
			}
			Game.When(FDoneDelegate::CreateLambda([] {}), [this] { return Game.Listener->Has(TEXT("load failed ModelNotFound")); }, [this, Done] { Game.After(3, Done, [this] { TestEqual(TEXT("told"), Game.Listener->Count(TEXT("load failed ModelNotFound")), 1); }); });
		});
	});

	Describe(TEXT("A character without a model"), [this] {
		AfterEach([this] { Game.End(); });

		LatentIt(TEXT("says so, and ends what waits"), [this](const FDoneDelegate& Done) {
			Game.Begin(TEXT("{\"replies\": [\"Aye.\"]}"));
			Game.Agent->ModelName = TEXT("nobody");
			TestTrue(TEXT("start"), Game.Agent->StartConversation(FTalefoldConversationState(), Error));
			Say(TEXT("Hello?"));
			Game.When(Done, [this] { return Game.Listener->Has(TEXT("finished 1 error")); }, [this] {
				TestTrue(TEXT("failed"), Game.Listener->Has(TEXT("failed ModelNotFound")));
				TestEqual(TEXT("request"), Say(TEXT("Hello?")), 0);
				TestEqual(TEXT("error"), Error.Name, TEXT("ModelNotFound")); });
		});

		LatentIt(TEXT("talks by five nodes, where settings ask for the scripted model alone"), [this](const FDoneDelegate& Done) {
			GetMutableDefault<UTalefoldSettings>()->bUseScriptedModel = true;
			Game.Begin(TEXT("{\"replies\": [\"x\"]}"));
			Game.Agent->ModelName = FString();
			Game.Agent->StartConversation(FTalefoldConversationState(), Error);
			UTalefoldLoadAction* Load = UTalefoldLoadAction::LoadModel(Game.Agent, FString());
			Game.Listener->Listen(Load);
			Load->Activate();
			UTalefoldSayAction* Action = UTalefoldSayAction::Say(Game.Agent, TEXT("Good evening."));
			Game.Listener->Listen(Action);
			Action->Activate();
			Game.When(Done, [this] { return Game.Listener->Lines.ContainsByPredicate([](const FString& Line) { return Line.StartsWith(TEXT("finished 1 ")); }); }, [this] {
				GetMutableDefault<UTalefoldSettings>()->bUseScriptedModel = false;
				TestTrue(TEXT("loaded"), Game.Listener->Has(TEXT("loaded")));
				TestTrue(TEXT("reply"), Game.Listener->Has(TEXT("say complete Aye."))); });
		});

		LatentIt(TEXT("is scripted, by the settings"), [this](const FDoneDelegate& Done) {
			GetMutableDefault<UTalefoldSettings>()->bUseScriptedModel = true;
			Game.Begin(TEXT("{\"replies\": [\"x\"]}"));
			Game.Agent->ModelName = TEXT("anybody");
			Game.Agent->StartConversation(FTalefoldConversationState(), Error);
			Say(TEXT("Hello?"));
			Game.When(Done, [this] { return Game.Listener->Has(TEXT("finished 1 success")); }, [this] {
				GetMutableDefault<UTalefoldSettings>()->bUseScriptedModel = false;
				TestEqual(TEXT("reply"), Game.Listener->LastResult.Text, TEXT("Aye.")); });
		});
	});
}
