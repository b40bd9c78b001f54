#include "Async/TalefoldLoadConversationAction.h"
#include "Async/TalefoldSaveConversationAction.h"
#include "Kismet/GameplayStatics.h"
#include "TalefoldAgentComponent.h"
#include "TalefoldTestGame.h"

BEGIN_DEFINE_SPEC(FTalefoldSaveSpec, "Talefold.Save", EAutomationTestFlags::EditorContext | EAutomationTestFlags::ProductFilter)
FTalefoldTestGame Game;
FTalefoldError Error;

void Say(const TCHAR* Text)
{
	Game.Agent->StartTurn(Text, ETalefoldBusyPolicy::Queue, 0.0f, Error);
}
void Load(const TCHAR* Slot)
{
	UTalefoldLoadConversationAction* Action = UTalefoldLoadConversationAction::LoadConversation(Game.Agent, Slot);
	Game.Listener->Listen(Action);
	Action->Activate();
}
void Restore(const FString& Snapshot)
{
	FTalefoldConversationState State;
	State.Snapshot = Snapshot;
	UTalefoldLoadConversationAction* Action = UTalefoldLoadConversationAction::RestoreConversation(Game.Agent, State);
	Game.Listener->Listen(Action);
	Action->Activate();
}
UTalefoldSaveConversationAction* Save(const TCHAR* Slot)
{
	UTalefoldSaveConversationAction* Action = UTalefoldSaveConversationAction::SaveConversation(Game.Agent, Slot);
	Game.Listener->Listen(Action);
	Action->Activate();
	return Action;
}
FDoneDelegate Nothing() const
{
	return FDoneDelegate::CreateLambda([] {});
}
END_DEFINE_SPEC(FTalefoldSaveSpec)

void FTalefoldSaveSpec::Define()
{
	Describe(TEXT("A conversation"), [this] {
		BeforeEach([this] {
			Game.Begin(TEXT("{\"replies\": [\"Well met, Rowan.\", \"Two coppers.\"]}"));
			Say(TEXT("I am Rowan."));
		});
		AfterEach([this] { Game.End(); });
		const auto Said = [this] { return Game.Listener->Has(TEXT("finished 1 success")); };

		LatentIt(TEXT("goes on in another game"), [this, Said](const FDoneDelegate& Done) {
			Game.When(Nothing(), Said, [this, Done] {
				UTalefoldSaveConversationAction* Action =
					UTalefoldSaveConversationAction::SaveConversation(Game.Agent, TEXT("tavern"), 0, true);
				Game.Listener->Listen(Action);
				Action->Activate();
				Game.When(Nothing(), [this] { return Game.Listener->Has(TEXT("saved")); }, [this, Done] {
					Game.End();
					Game.Begin(TEXT("{\"replies\": [\"Two coppers.\"]}"));
					Game.When(Nothing(), [this] { return Game.Agent->IsReady(); }, [this] { Load(TEXT("tavern")); });
					Game.When(Nothing(), [this] { return Game.Listener->Has(TEXT("restored")); }, [this] { Say(TEXT("A room?")); });
					Game.When(Done, [this] { return Game.Listener->Has(TEXT("finished 1 success")); }, [this] {
						const TArray<FTalefoldInteraction> Transcript = Game.Agent->GetTranscript();
						TestEqual(TEXT("turns"), Transcript.Num(), 2);
						TestEqual(TEXT("first"), Transcript[0].User, TEXT("I am Rowan."));
						TestEqual(TEXT("last"), Transcript[1].Assistant, TEXT("Two coppers."));
					}); });
			});
		});

		LatentIt(TEXT("is loaded before anything is said, by a character that is not ready yet"), [this, Said](const FDoneDelegate& Done) {
			Game.When(Nothing(), Said, [this] { Save(TEXT("early")); });
			Game.When(Nothing(), [this] { return Game.Listener->Has(TEXT("saved")); }, [this, Done] {
				Game.End();
				Game.Begin(TEXT("{\"replies\": [\"Two coppers.\"]}"));
				TestFalse(TEXT("ready"), Game.Agent->IsReady());
				Restore(TEXT("{}")); // which fails, and then the next one has its turn
				Load(TEXT("early"));
				Game.When(Nothing(), [this] { return Game.Listener->Has(TEXT("restored")); }, [this] { Say(TEXT("A room?")); });
				Game.When(Done, [this] { return Game.Listener->Has(TEXT("finished 1 success")); }, [this] {
					TestTrue(TEXT("failed"), Game.Listener->Has(TEXT("restore failed MalformedSnapshot")));
					TestEqual(TEXT("turns"), Game.Agent->GetTranscript().Num(), 2);
					TestEqual(TEXT("first"), Game.Agent->GetTranscript()[0].User, TEXT("I am Rowan.")); }); });
		});

		LatentIt(TEXT("hears what was said while it is restored, afterwards"), [this, Said](const FDoneDelegate& Done) {
			Game.When(Nothing(), Said, [this, Done] {
				FTalefoldConversationState State;
				TestTrue(TEXT("state"), Game.Agent->GetState(State, Error));
				TestTrue(TEXT("start"), Game.Agent->StartConversation(FTalefoldConversationState(), Error));
				Say(TEXT("A room?"));
				Restore(State.Snapshot);
				Game.When(Done, [this] { return Game.Listener->Count(TEXT("finished 1 success")) == 2; }, [this] {
					TestTrue(TEXT("restored"), Game.Listener->Has(TEXT("restored")));
					TestEqual(TEXT("turns"), Game.Agent->GetTranscript().Num(), 2);
					TestEqual(TEXT("last"), Game.Agent->GetTranscript()[1].User, TEXT("A room?")); }); });
		});

		LatentIt(TEXT("cannot be loaded where the character cannot begin"), [this, Said](const FDoneDelegate& Done) {
			Game.When(Nothing(), Said, [this, Done] {
				Game.Agent->ModelName = TEXT("nobody");
				TestTrue(TEXT("start"), Game.Agent->StartConversation(FTalefoldConversationState(), Error));
				Restore(TEXT("{}"));
				Game.When(Done, [this] { return Game.Listener->Has(TEXT("restore failed ModelNotFound")); }, [] {}); });
		});

		LatentIt(TEXT("is not saved by a node that was cancelled"), [this, Said](const FDoneDelegate& Done) {
			UGameplayStatics::DeleteGameInSlot(TEXT("cancelled"), 0);
			Game.When(Nothing(), Said, [this, Done] {
				Save(TEXT("cancelled"))->Cancel();
				Save(TEXT("other")); // the worker has then done the first
				Game.When(Done, [this] { return Game.Listener->Has(TEXT("saved")); }, [this] {
					TestEqual(TEXT("told"), Game.Listener->Count(TEXT("saved")), 1);
					TestFalse(TEXT("slot"), UGameplayStatics::DoesSaveGameExist(TEXT("cancelled"), 0)); }); });
		});

		LatentIt(TEXT("begins from a state that the game kept"), [this, Said](const FDoneDelegate& Done) {
			Game.When(Nothing(), Said, [this, Done] {
				FTalefoldConversationState State;
				TestTrue(TEXT("state"), Game.Agent->GetState(State, Error));
				TestTrue(TEXT("start"), Game.Agent->StartConversation(State, Error));
				Game.When(Done, [this] { return Game.Agent->IsReady(); }, [this] { TestEqual(TEXT("first"), Game.Agent->GetTranscript()[0].User, TEXT("I am Rowan.")); });
			});
		});

		LatentIt(TEXT("is saved although it ends, and loaded into none that ends"), [this, Said](const FDoneDelegate& Done) {
			Game.When(Nothing(), Said, [this, Done] {
				FTalefoldConversationState State;
				TestTrue(TEXT("state"), Game.Agent->GetState(State, Error));
				UTalefoldSaveConversationAction* Action =
					UTalefoldSaveConversationAction::SaveConversation(Game.Agent, TEXT("ending"));
				Game.Listener->Listen(Action);
				Action->Activate();
				Restore(State.Snapshot);
				Game.Agent->EndConversation();
				Game.When(Done, [this] { return Game.Listener->Has(TEXT("saved")) && Game.Listener->Has(TEXT("restore failed AgentClosed")); }, [] {}); });
		});

		LatentIt(TEXT("is kept when what is loaded is none"), [this, Said](const FDoneDelegate& Done) {
			Game.When(Nothing(), Said, [this, Done] {
				Restore(TEXT("{\"format\": \"something else\"}"));
				Say(TEXT("A room?"));
				Game.When(Done, [this] { return Game.Listener->Has(TEXT("finished 2 success")); }, [this] {
					TestTrue(TEXT("refused"), Game.Listener->Has(TEXT("restore failed MalformedSnapshot")));
					TestEqual(TEXT("turns"), Game.Agent->GetTranscript().Num(), 2); });
			});
		});

		LatentIt(TEXT("is kept when there is no such slot"), [this, Said](const FDoneDelegate& Done) {
			Game.When(Nothing(), Said, [this, Done] {
				Load(TEXT("nowhere"));
				Game.When(Done, [this] { return Game.Listener->Has(TEXT("restore failed SaveSlotFailed")); }, [this] { TestEqual(TEXT("turns"), Game.Agent->GetTranscript().Num(), 1); });
			});
		});
	});
}
