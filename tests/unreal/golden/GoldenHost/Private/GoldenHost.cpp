// unreal_golden PLUGIN_FOLDER PROJECT_FOLDER: does what a scenario wants, through the plugin. A line of
// JSON in, {"do": ...}; a line out, {"value": ...} or {"error": code}.
#include "Bridge/TalefoldConversation.h"
#include "Bridge/TalefoldJson.h"
#include "Bridge/TalefoldText.h"
#include "GoldenListener.h"
#include "TalefoldAgentComponent.h"
#include "TalefoldGraphAsset.h"
#include "TalefoldParams.h"
#include "TalefoldSettings.h"
#include "TalefoldSubsystem.h"
#include "ue_shim/Control.h"

#include <chrono>
#include <iostream>

namespace
{
	using FValue = TSharedPtr<FJsonValue>;

	struct FCharacter
	{
		UTalefoldAgentComponent* Agent;
		UGoldenListener* Listener;
	};

	UGameInstance* Instance = nullptr;
	TArray<FCharacter> Characters;

	void Frame()
	{
		ue_shim::TickFrame();
		std::this_thread::sleep_for(std::chrono::microseconds(200));
	}

	FValue Null()
	{
		return MakeShared<FJsonValueNull>();
	}
	FValue Number(double Value)
	{
		return MakeShared<FJsonValueNumber>(Value);
	}

	/** {"value": ...}, unless Error is one. */
	FValue Answer(const FTalefoldError& Error, const FValue& Value)
	{
		const TSharedRef<FJsonObject> Made = MakeShared<FJsonObject>();
		Made->SetField(Error.IsError() ? TEXT("error") : TEXT("value"), Error.IsError() ? Number(Error.Code) : Value);
		return MakeShared<FJsonValueObject>(Made);
	}
	FValue Answer(const FTalefoldError& Error)
	{
		return Answer(Error, Null());
	}

	FString Text(const FJsonObject& Command, const TCHAR* Name)
	{
		FString Found;
		Command.TryGetStringField(Name, Found);
		return Found;
	}
	bool HasText(const FJsonObject& Command, const TCHAR* Name)
	{
		FString Ignored;
		return Command.TryGetStringField(Name, Ignored);
	}
	int32 Whole(const FJsonObject& Command, const TCHAR* Name)
	{
		int32 Found = 0;
		Command.TryGetNumberField(Name, Found);
		return Found;
	}

	FValue Open(const FJsonObject& Command)
	{
		UTalefoldSettings* Settings = GetMutableDefault<UTalefoldSettings>();
		Command.TryGetNumberField(TEXT("max_message_bytes"), Settings->MaxMessageBytes);
		Command.TryGetNumberField(TEXT("max_steps_per_turn"), Settings->MaxStepsPerTurn);
		Command.TryGetBoolField(TEXT("deterministic"), Settings->bDeterministic);
		Command.TryGetBoolField(TEXT("prewarm"), Settings->bPrewarm);
		Instance = NewObject<UGameInstance>(GEngine);
		Instance->AddToRoot();
		Instance->InitializeStandalone();
		Instance->GetWorld()->SetGameMode(FURL());
		Instance->GetWorld()->InitializeActorsForPlay(FURL());
		Instance->GetWorld()->BeginPlay();
		return Answer(Instance->GetSubsystem<UTalefoldSubsystem>()->GetUnavailableReason());
	}

	/** Waits for a load: Begin(Finished). */
	template <typename BeginType>
	FValue Loaded(BeginType&& Begin)
	{
		bool bDone = false;
		FTalefoldError Error;
		Begin([&](const FTalefoldError& Found) {
			Error = Found;
			bDone = true;
		});
		while (!bDone)
		{
			Frame();
		}
		return Answer(Error);
	}

	FValue LoadModel(UTalefoldSubsystem& Subsystem, const FJsonObject& Command)
	{
		const FString Name = Text(Command, TEXT("name"));
		FTalefoldModelEntry Entry;
		Entry.Name = Name;
		Entry.File.FilePath = Text(Command, TEXT("path"));
		Command.TryGetNumberField(TEXT("n_gpu_layers"), Entry.GpuLayers);
		Command.TryGetNumberField(TEXT("default_context_size"), Entry.DefaultContextSize);
		const TSharedPtr<FJsonObject>* Sampling = nullptr;
		FString Problem;
		if (Command.TryGetObjectField(TEXT("default_sampling"), Sampling))
		{
			TalefoldParams::FromJson(**Sampling, Entry.DefaultSampling, Problem);
			check(Problem.IsEmpty());
		}
		GetMutableDefault<UTalefoldSettings>()->Models.Add(Entry);
		return Loaded([&](auto Finished) { Subsystem.LoadModel(Name, [](float) {}, Finished); });
	}

	FValue LoadKnowledge(UTalefoldSubsystem& Subsystem, const FJsonObject& Command)
	{
		return Loaded([&](auto Finished) {
			Subsystem.LoadKnowledgeFromJson(
				Text(Command, TEXT("name")), Text(Command, TEXT("config")), Text(Command, TEXT("records")), Finished);
		});
	}

	/** Nodes ask for lists and maps alone. */
	FValue AddStorage(UTalefoldSubsystem& Subsystem, const FJsonObject& Command)
	{
		const FString Name = Text(Command, TEXT("name"));
		FTalefoldError Error;
		const TArray<FValue>* Lines = nullptr;
		if (Command.TryGetArrayField(TEXT("lines"), Lines))
		{
			TArray<FString> Added;
			for (const FValue& Each : *Lines)
			{
				Added.Add(Each->AsString());
			}
			Subsystem.AddLines(Name, Added, Error);
			return Answer(Error);
		}
		TMap<FString, FString> Added;
		const TSharedPtr<FJsonObject>* Texts = nullptr;
		check(Command.TryGetObjectField(TEXT("texts"), Texts));
		for (const auto& Each : (*Texts)->Values)
		{
			Added.Add(FString(Each.Key), Each.Value->AsString());
		}
		Subsystem.AddTexts(Name, Added, Error);
		return Answer(Error);
	}

	FValue CreateAgent(const FJsonObject& Command)
	{
		FTalefoldError Error;
		UTalefoldGraphAsset* Asset = NewObject<UTalefoldGraphAsset>();
		if (!Asset->FromJson(Text(Command, TEXT("graph")), Error))
		{
			return Answer(Error);
		}
		Command.TryGetBoolField(TEXT("enable_diagnostics"), Asset->bEnableDiagnostics);
		AActor* Actor = Instance->GetWorld()->SpawnActor<AActor>();
		FCharacter Made{NewObject<UTalefoldAgentComponent>(Actor), NewObject<UGoldenListener>()};
		Made.Listener->Listen(Made.Agent);
		Made.Agent->GraphAsset = Asset;
		Made.Agent->ModelName = Text(Command, TEXT("default_model_name"));
		Made.Agent->bAutoStart = false;
		Made.Agent->RegisterComponent();
		FTalefoldConversationState State;
		State.Snapshot = Text(Command, TEXT("snapshot"));
		if (!Made.Agent->StartConversation(State, Error))
		{
			return Answer(Error);
		}
		while (!Made.Listener->bReady && Made.Listener->FailedCode == 0)
		{
			Frame();
		}
		if (Made.Listener->FailedCode != 0)
		{
			return Answer(FTalefoldError::Make(Made.Listener->FailedCode, FString()));
		}
		Made.Listener->AddToRoot();
		return Answer(FTalefoldError(), Number(Characters.Add(Made)));
	}

	/** A turn that was refused is an error, as where a call starts it. */
	FValue Started(const FCharacter& Character, int32 Request, const FTalefoldError& Error)
	{
		if (Request == 0)
		{
			return Answer(Error);
		}
		// Asked for anew each time: a frame may add another.
		const auto IsKnown = [&] { return Character.Listener->Turn(Request).bStarted || Character.Listener->Turn(Request).bFinished; };
		while (!IsKnown())
		{
			Frame();
		}
		const UGoldenListener::FTurn& Turn = Character.Listener->Turn(Request);
		return Turn.bStarted ? Answer(FTalefoldError(), Number(Request)) : Answer(Turn.Result.Error);
	}

	FValue Start(const FCharacter& Character, const FJsonObject& Command)
	{
		constexpr ETalefoldBusyPolicy Policy = ETalefoldBusyPolicy::Reject;
		UTalefoldAgentComponent& Agent = *Character.Agent;
		const FString Do = Text(Command, TEXT("do"));
		const FString First = Text(Command, TEXT("first"));
		const FString Second = Text(Command, TEXT("second"));
		FTalefoldError Error;
		int32 Request = 0;
		if (Agent.IsBusy())
		{
			return Answer(FTalefoldError::Make(3004, FString()));
		}
		if (Do == TEXT("start"))
		{
			Request = HasText(Command, TEXT("first")) ? Agent.StartTurn(First, Policy, 0.0f, Error) : Agent.LetSpeak(Policy, 0.0f, Error);
		}
		else if (Do == TEXT("start_regenerate"))
		{
			Request = Agent.Regenerate(Policy, 0.0f, Error);
		}
		else if (Do == TEXT("start_replay"))
		{
			Request = Agent.ReplayTurn(First, Second, Error);
		}
		else if (Do == TEXT("start_refold"))
		{
			Request = Agent.Refold(Error);
		}
		else
		{
			Request = Agent.CompleteToolCall(First, Second, Error);
		}
		return Started(Character, Request, Error);
	}

	FValue WaitEvent(const FCharacter& Character, const FJsonObject& Command)
	{
		const int32 Request = Whole(Command, TEXT("turn"));
		const auto End = std::chrono::steady_clock::now() + std::chrono::milliseconds(Whole(Command, TEXT("timeout_ms")));
		while (Character.Listener->Turn(Request).Events.IsEmpty() && std::chrono::steady_clock::now() < End)
		{
			Frame();
		}
		UGoldenListener::FTurn& Turn = Character.Listener->Turn(Request);
		if (Turn.Events.IsEmpty())
		{
			return Answer(FTalefoldError());
		}
		const FValue Event = Turn.Events[0];
		Turn.Events.RemoveAt(0);
		return Answer(FTalefoldError(), Event);
	}

	FValue Result(const FCharacter& Character, const FJsonObject& Command)
	{
		const FTalefoldTurnResult& Found = Character.Listener->Turn(Whole(Command, TEXT("turn"))).Result;
		const TSharedRef<FJsonObject> Made = MakeShared<FJsonObject>();
		Made->SetStringField(TEXT("text"), Found.Text);
		Made->SetStringField(TEXT("debug_info"), Found.DebugInfoJson);
		return Answer(FTalefoldError(), MakeShared<FJsonValueObject>(Made));
	}

	/** What the component has in words, as JSON with everything: a text, for numbers to stay as they are. */
	template <typename FunctionType>
	FValue Read(const FCharacter& Character, FunctionType&& Function)
	{
		const TSharedPtr<FTalefoldConversation> Conversation = Character.Agent->GetConversation();
		FTalefoldError Error = FTalefoldError::Make(3001, FString());
		if (!Conversation)
		{
			return Answer(Error);
		}
		Error = FTalefoldError();
		talefold_text Json = {};
		const talefold_agent Agent = Conversation->Agent(Error);
		const FTalefoldRuntime& Runtime = Conversation->GetRuntime();
		const bool bRead = Agent != 0 && Runtime.Check(Function(Runtime.Api(), Agent, &Json), Error);
		return Answer(Error, MakeShared<FJsonValueString>(bRead ? TalefoldText::ToString(Json) : FString()));
	}

	FValue Restore(const FCharacter& Character, const FJsonObject& Command)
	{
		const TSharedPtr<FTalefoldConversation> Conversation = Character.Agent->GetConversation();
		FTalefoldConversationState State;
		State.Snapshot = Text(Command, TEXT("snapshot"));
		FTalefoldError Error = FTalefoldError::Make(3001, FString());
		bool bDone = !Conversation;
		if (Conversation)
		{
			Conversation->Restore(State, [&](const FTalefoldError& Found) {
				Error = Found;
				bDone = true;
			});
		}
		while (!bDone)
		{
			Frame();
		}
		return Answer(Error);
	}

	FValue WaitBackground(const FCharacter& Character)
	{
		int32 bDone = 0;
		const FValue Waited = Read(Character, [&](const talefold_api& Api, talefold_agent Agent, talefold_text*) {
			return Api.agent_wait_background(Agent, 60000, &bDone);
		});
		const TSharedPtr<FJsonValue> Failed = Waited->AsObject()->TryGetField(TEXT("error"));
		Frame(); // hears of a fold
		Frame();
		return Failed ? Waited : Answer(FTalefoldError(), MakeShared<FJsonValueBoolean>(bDone != 0));
	}

	FValue TakeBackground(const FCharacter& Character)
	{
		UGoldenListener::FTurn& Beside = Character.Listener->Turn(0);
		const TArray<FValue> Events = Beside.Events;
		Beside.Events.Reset();
		return Answer(FTalefoldError(), MakeShared<FJsonValueArray>(Events));
	}

	FValue Edit(const FCharacter& Character, const FJsonObject& Command)
	{
		const int32 Index = Whole(Command, TEXT("index"));
		const TArray<FTalefoldInteraction> Said = Character.Agent->GetTranscript();
		const FTalefoldInteraction Old = Said.IsValidIndex(Index) ? Said[Index] : FTalefoldInteraction();
		FTalefoldError Error;
		Character.Agent->EditInteraction(
			Index, HasText(Command, TEXT("user")) ? Text(Command, TEXT("user")) : Old.User,
			HasText(Command, TEXT("assistant")) ? Text(Command, TEXT("assistant")) : Old.Assistant, Error);
		return Answer(Error);
	}

	FValue Undo(const FCharacter& Character)
	{
		const FString Before = Character.Agent->GetTranscriptJson(); // the last of which it takes away
		FTalefoldInteraction Removed;
		FTalefoldError Error;
		Character.Agent->UndoLastTurn(Removed, Error);
		return Answer(Error, MakeShared<FJsonValueString>(Before));
	}

	FValue PerformOn(const FCharacter& Character, const FJsonObject& Command)
	{
		UTalefoldAgentComponent& Agent = *Character.Agent;
		const FString Do = Text(Command, TEXT("do"));
		FTalefoldError Error;
		if (Do.StartsWith(TEXT("start")))
		{
			return Start(Character, Command);
		}
		if (Do == TEXT("wait_event"))
		{
			return WaitEvent(Character, Command);
		}
		if (Do == TEXT("cancel"))
		{
			Agent.CancelTurn(Whole(Command, TEXT("turn")));
			return Answer(Error);
		}
		if (Do == TEXT("result"))
		{
			return Result(Character, Command);
		}
		if (Do == TEXT("submit_tool_result"))
		{
			Agent.KeepToolResult(Text(Command, TEXT("first")), Text(Command, TEXT("second")), Error);
		}
		else if (Do == TEXT("append_interaction"))
		{
			Agent.AppendInteraction(Text(Command, TEXT("first")), Text(Command, TEXT("second")), Error);
		}
		else if (Do == TEXT("edit_interaction"))
		{
			return Edit(Character, Command);
		}
		else if (Do == TEXT("undo_last_turn"))
		{
			return Undo(Character);
		}
		else if (Do == TEXT("dialog"))
		{
			return Read(Character, [](const talefold_api& Api, talefold_agent Handle, talefold_text* Json) {
				return Api.agent_dialog(Handle, Json);
			});
		}
		else if (Do == TEXT("history_states"))
		{
			return Read(Character, [&](const talefold_api& Api, talefold_agent Handle, talefold_text* Json) {
				return Api.agent_history_states(Handle, FTalefoldUtf8(Text(Command, TEXT("first"))), Json);
			});
		}
		else if (Do == TEXT("get_summary"))
		{
			return Read(Character, [](const talefold_api& Api, talefold_agent Handle, talefold_text* Json) {
				return Api.agent_get_summary(Handle, Json);
			});
		}
		else if (Do == TEXT("pins"))
		{
			return Read(Character, [](const talefold_api& Api, talefold_agent Handle, talefold_text* Json) {
				return Api.agent_pins(Handle, Json);
			});
		}
		else if (Do == TEXT("set_summary"))
		{
			Agent.SetSummary(Text(Command, TEXT("first")), Error);
		}
		else if (Do == TEXT("pin"))
		{
			Agent.Pin(Text(Command, TEXT("first")), Text(Command, TEXT("second")), Error);
		}
		else if (Do == TEXT("unpin"))
		{
			const bool bRemoved = Agent.Unpin(Text(Command, TEXT("first")), Error);
			return Answer(Error, MakeShared<FJsonValueBoolean>(bRemoved));
		}
		else if (Do == TEXT("change_params"))
		{
			Agent.ChangeParams(Text(Command, TEXT("first")), Text(Command, TEXT("second")), Error);
		}
		else if (Do == TEXT("poll_background"))
		{
			return TakeBackground(Character);
		}
		else if (Do == TEXT("wait_background"))
		{
			return WaitBackground(Character);
		}
		else if (Do == TEXT("export_snapshot"))
		{
			FTalefoldConversationState State;
			Agent.GetState(State, Error);
			return Answer(Error, MakeShared<FJsonValueString>(State.Snapshot));
		}
		else if (Do == TEXT("import_snapshot"))
		{
			return Restore(Character, Command);
		}
		else
		{
			check(Do == TEXT("close"));
			Agent.EndConversation();
		}
		return Answer(Error);
	}

	FValue Perform(const FJsonObject& Command)
	{
		const FString Do = Text(Command, TEXT("do"));
		if (Do == TEXT("open"))
		{
			return Open(Command);
		}
		UTalefoldSubsystem& Subsystem = *Instance->GetSubsystem<UTalefoldSubsystem>();
		FTalefoldError Error;
		if (Do == TEXT("load_scripted_model"))
		{
			Subsystem.LoadScriptedModelFromJson(Text(Command, TEXT("name")), Text(Command, TEXT("options")), Error);
			return Answer(Error);
		}
		if (Do == TEXT("load_model"))
		{
			return LoadModel(Subsystem, Command);
		}
		if (Do == TEXT("load_knowledge"))
		{
			return LoadKnowledge(Subsystem, Command);
		}
		if (Do == TEXT("add_storage"))
		{
			return AddStorage(Subsystem, Command);
		}
		if (Do == TEXT("create_agent"))
		{
			return CreateAgent(Command);
		}
		return PerformOn(Characters[Whole(Command, TEXT("agent"))], Command);
	}
} // namespace

int main(int, char** Arguments)
{
	ue_shim::SetFolders(
		{FString(ue_shim::FromUtf8(Arguments[1])), TEXT("/nowhere/"), FString(ue_shim::FromUtf8(Arguments[2])) + TEXT("/")});
	for (std::string Line; std::getline(std::cin, Line);)
	{
		const TSharedPtr<FJsonObject> Command = TalefoldJson::Parse(FString(ue_shim::FromUtf8(Line)));
		check(Command.IsValid());
		std::cout << ue_shim::ToUtf8(ue_shim::WriteJson(*Perform(*Command)).View()) << std::endl;
	}
	if (Instance != nullptr)
	{
		Instance->Shutdown();
		Instance->RemoveFromRoot();
	}
	for (const FCharacter& Each : Characters)
	{
		Each.Listener->RemoveFromRoot();
	}
	ue_shim::Shutdown();
	return 0;
}
