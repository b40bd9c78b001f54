#include "TalefoldAgentComponent.h"
#include "TalefoldGraphAsset.h"
#include "TalefoldTestGame.h"
#include "TalefoldToolCallLibrary.h"

BEGIN_DEFINE_SPEC(FTalefoldToolsSpec, "Talefold.Tools", EAutomationTestFlags::EditorContext | EAutomationTestFlags::ProductFilter)
FTalefoldTestGame Game;
FTalefoldError Error;

UTalefoldGraphAsset* MakeGraph() const
{
	FTalefoldToolParameter Item;
	Item.Name = TEXT("item");
	Item.bRequired = true;
	Item.Enum = {TEXT("ale"), TEXT("stew")};
	FTalefoldToolParameter Portions;
	Portions.Name = TEXT("portions");
	Portions.Type = ETalefoldToolParameterType::Integer;
	FTalefoldToolDescription Serve;
	Serve.Name = TEXT("serve");
	Serve.Description = TEXT("Has the kitchen bring something.");
	Serve.Parameters = {Item, Portions};
	FTalefoldToolCallParams Tools;
	Tools.SystemPrompt = TEXT("You are Edric.");
	Tools.ContextSize = 2048;
	Tools.Tools = {Serve};
	Tools.bGenerateOnNoTool = true;
	Tools.bNotifyClient = true;
	UTalefoldGraphAsset* Asset = NewObject<UTalefoldGraphAsset>();
	Asset->Graph.AddToolCall(TEXT("tools"), Tools);
	Asset->Graph.StartNode = TEXT("tools");
	return Asset;
}
END_DEFINE_SPEC(FTalefoldToolsSpec)

void FTalefoldToolsSpec::Define()
{
	Describe(TEXT("The arguments of a tool call"), [this] {
		It(TEXT("are read by what they are"), [this] {
			FTalefoldToolCall Call;
			Call.ArgumentsJson = TEXT("{\"whole\": -3, \"half\": 2.5, \"huge\": 1e300, \"text\": \"7\", \"yes\": true}");
			bool bFound = false;
			TestEqual(TEXT("whole"), static_cast<int32>(UTalefoldToolCallLibrary::GetIntegerArgument(Call, TEXT("whole"), bFound)), -3);
			TestTrue(TEXT("whole"), bFound);
			for (const TCHAR* Argument : {TEXT("half"), TEXT("huge"), TEXT("text"), TEXT("yes"), TEXT("none")})
			{
				TestEqual(Argument, static_cast<int32>(UTalefoldToolCallLibrary::GetIntegerArgument(Call, Argument, bFound)), 0);
				TestFalse(Argument, bFound);
			}
			TestTrue(TEXT("half"), UTalefoldToolCallLibrary::GetNumberArgument(Call, TEXT("half"), bFound) == 2.5 && bFound);
			TestTrue(TEXT("yes"), UTalefoldToolCallLibrary::GetBooleanArgument(Call, TEXT("yes"), bFound) && bFound);
			TestFalse(TEXT("text as a truth"), UTalefoldToolCallLibrary::GetBooleanArgument(Call, TEXT("text"), bFound) || bFound);
		});
	});

	Describe(TEXT("A tool call"), [this] {
		BeforeEach([this] {
			Game.Begin(TEXT("{\"replies\": [\"{\\\"tool\\\": \\\"serve\\\", \\\"arguments\\\": {\\\"item\\\": \\\"ale\\\", \\\"portions\\\": 2}}\", \"Six coppers.\"]}"));
			Game.Agent->GraphAsset = MakeGraph();
			TestTrue(TEXT("start"), Game.Agent->StartConversation(FTalefoldConversationState(), Error));
			Game.Agent->StartTurn(TEXT("Two ales, please."), ETalefoldBusyPolicy::Queue, 0.0f, Error);
		});
		AfterEach([this] { Game.End(); });
		const auto Called = [this] { return Game.Listener->Has(TEXT("finished 1 success")); };

		LatentIt(TEXT("is carried out, and spoken of"), [this, Called](const FDoneDelegate& Done) {
			Game.When(FDoneDelegate::CreateLambda([] {}), Called, [this] {
				bool bFound = false;
				const FTalefoldToolCall& Call = Game.Listener->LastCall;
				TestEqual(TEXT("tool"), Call.ToolName, TEXT("serve"));
				TestEqual(TEXT("item"), UTalefoldToolCallLibrary::GetTextArgument(Call, TEXT("item"), bFound), TEXT("ale"));
				TestEqual(TEXT("portions"), static_cast<int32>(UTalefoldToolCallLibrary::GetIntegerArgument(Call, TEXT("portions"), bFound)), 2);
				UTalefoldToolCallLibrary::GetTextArgument(Call, TEXT("portions"), bFound);
				TestFalse(TEXT("a number as a text"), bFound);
				TMap<FString, FString> Result;
				Result.Add(TEXT("price"), TEXT("6"));
				Game.Agent->CompleteToolCall(Call.Id, UTalefoldToolCallLibrary::MakeToolResult(Result), Error);
			});
			Game.When(Done, [this] { return Game.Listener->Has(TEXT("finished 2 success")); }, [this] {
				TestEqual(TEXT("reply"), Game.Listener->LastResult.Text, TEXT("Six coppers."));
				TestEqual(TEXT("result"), Game.Agent->GetTranscript()[0].ToolCalls[0].ResultJson, TEXT("{\"price\": \"6\"}")); });
		});

		LatentIt(TEXT("is refused, and spoken of"), [this, Called](const FDoneDelegate& Done) {
			Game.When(FDoneDelegate::CreateLambda([] {}), Called, [this] {
				Game.Agent->RejectToolCall(Game.Listener->LastCall.Id, TEXT("The \"kitchen\" is closed"), Error);
			});
			Game.When(Done, [this] { return Game.Listener->Has(TEXT("finished 2 success")); }, [this] { TestTrue(TEXT("why"), Game.Agent->GetTranscript()[0].ToolCalls[0].ResultJson.Contains(TEXT("kitchen"))); });
		});

		LatentIt(TEXT("has an unknown id"), [this, Called](const FDoneDelegate& Done) {
			Game.When(Done, Called, [this] {
				TestFalse(TEXT("kept"), Game.Agent->KeepToolResult(TEXT("nobody"), TEXT("1"), Error));
				TestEqual(TEXT("error"), Error.Name, TEXT("ToolCallNotFound"));
				TestTrue(TEXT("kept"), Game.Agent->KeepToolResult(Game.Listener->LastCall.Id, TEXT("1"), Error));
			});
		});
	});
}
