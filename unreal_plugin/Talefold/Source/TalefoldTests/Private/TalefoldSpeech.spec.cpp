#include "Bridge/TalefoldLibrary.h"
#include "TalefoldAgentComponent.h"
#include "TalefoldGraphAsset.h"
#include "TalefoldSubsystem.h"
#include "TalefoldTestGame.h"

namespace
{
	int32_t KnowsVoice(void* /*User*/, talefold_text /*Voice*/, int32_t /*SpeakerId*/)
	{
		return TALEFOLD_OK;
	}

	/** Two samples for each sentence. `User` is the library's table. */
	int32_t GiveTwoSamples(void* User, const talefold_speech_request* /*Request*/, talefold_speech Speech)
	{
		const int16_t Samples[] = {1, -2};
		int32_t bWanted = 0;
		return static_cast<const talefold_api*>(User)->speech_give(Speech, 16000, Samples, 2, &bWanted);
	}
} // namespace

BEGIN_DEFINE_SPEC(FTalefoldSpeechSpec, "Talefold.Speech", EAutomationTestFlags::EditorContext | EAutomationTestFlags::ProductFilter)
FTalefoldTestGame Game;
FTalefoldError Error;

UTalefoldGraphAsset* MakeGraph() const
{
	FTalefoldGenerateAndSpeakParams Reply;
	Reply.ContextSize = 4096;
	UTalefoldGraphAsset* Asset = NewObject<UTalefoldGraphAsset>();
	Asset->Graph.AddGenerateAndSpeak(TEXT("reply"), Reply);
	Asset->Graph.StartNode = TEXT("reply");
	return Asset;
}
void Begin()
{
	Game.Begin(TEXT("{\"replies\": [\"Two coppers a night.\"]}"));
	Game.Agent->GraphAsset = MakeGraph();
}
END_DEFINE_SPEC(FTalefoldSpeechSpec)

void FTalefoldSpeechSpec::Define()
{
	Describe(TEXT("A character that speaks"), [this] {
		AfterEach([this] { Game.End(); });

		LatentIt(TEXT("is heard, by a backend of the game"), [this](const FDoneDelegate& Done) {
			Begin();
			talefold_speech_backend Backend = {};
			Backend.size = sizeof Backend;
			Backend.user = const_cast<talefold_api*>(Game.Subsystem->GetApi());
			Backend.check_voice = KnowsVoice;
			Backend.synthesize = GiveTwoSamples;
			TestTrue(TEXT("backend"), Game.Subsystem->SetSpeechBackend(&Backend, Error));
			TestTrue(TEXT("start"), Game.Agent->StartConversation(FTalefoldConversationState(), Error));
			Game.Agent->StartTurn(TEXT("A room?"), ETalefoldBusyPolicy::Queue, 0.0f, Error);
			Game.When(Done, [this] { return Game.Listener->Has(TEXT("finished 1 success")); }, [this] {
				TestTrue(TEXT("audio"), Game.Listener->Has(TEXT("audio 1 16000 Two coppers a night.")));
				TestTrue(TEXT("samples"), Game.Listener->Audio == TArray<uint8>({1, 0, 0xfe, 0xff})); });
		});

		LatentIt(TEXT("cannot begin without one"), [this](const FDoneDelegate& Done) {
			Begin();
			TestTrue(TEXT("none"), Game.Subsystem->SetSpeechBackend(nullptr, Error));
			TestTrue(TEXT("start"), Game.Agent->StartConversation(FTalefoldConversationState(), Error));
			Game.When(Done, [this] { return Game.Listener->Has(TEXT("failed SpeechUnavailable")); }, [this] { TestFalse(TEXT("ready"), Game.Agent->IsReady()); });
		});
	});
}
