#include "TalefoldAgentComponent.h"

#include "Bridge/TalefoldConversation.h"
#include "Bridge/TalefoldJson.h"
#include "Bridge/TalefoldText.h"
#include "TalefoldAgentListener.h"
#include "TalefoldGraphAsset.h"
#include "TalefoldLog.h"
#include "TalefoldNodeType.h"
#include "TalefoldSettings.h"
#include "TalefoldSubsystem.h"

namespace
{
	FTalefoldError NoConversation()
	{
		return FTalefoldError::Make(
			ETalefoldErrorCode::AgentClosed,
			TEXT("There is no conversation"),
			TEXT("Start Conversation, or switch on Auto Start"));
	}

	/** Calls the library for the agent of a conversation: Function(Api, Agent) returns a status. */
	template <typename FunctionType>
	bool CallAgent(const TSharedPtr<FTalefoldConversation>& Conversation, FTalefoldError& Error, FunctionType&& Function)
	{
		Error = FTalefoldError();
		if (!Conversation)
		{
			Error = NoConversation();
			return false;
		}
		const talefold_agent Agent = Conversation->Agent(Error);
		if (Agent == 0)
		{
			return false;
		}
		const FTalefoldRuntime& Runtime = Conversation->GetRuntime();
		return Runtime.Check(Function(Runtime.Api(), Agent), Error);
	}

	/** The same for a call that returns JSON; empty when it fails. */
	template <typename FunctionType>
	FString ReadAgent(const TSharedPtr<FTalefoldConversation>& Conversation, FunctionType&& Function)
	{
		talefold_text Json = {};
		FTalefoldError Error;
		const bool bRead = CallAgent(Conversation, Error, [&](const talefold_api& Api, talefold_agent Agent) {
			return Function(Api, Agent, &Json);
		});
		return bRead ? TalefoldText::ToString(Json) : FString();
	}
} // namespace

UTalefoldAgentComponent::UTalefoldAgentComponent()
{
	PrimaryComponentTick.bCanEverTick = false; // the subsystem hands out everything, also while paused
}

void UTalefoldAgentComponent::BeginPlay()
{
	Super::BeginPlay();
	if (bAutoStart && GraphAsset != nullptr && !Conversation)
	{
		FTalefoldError Error;
		if (!StartConversation(FTalefoldConversationState(), Error))
		{
			UE_LOG(LogTalefold, Warning, TEXT("%s: %s"), *GetPathName(), *Error.ToString());
			OnFailed.Broadcast(Error);
		}
	}
}

void UTalefoldAgentComponent::EndPlay(const EEndPlayReason::Type EndPlayReason)
{
	EndConversation();
	Super::EndPlay(EndPlayReason);
}

void UTalefoldAgentComponent::BeginDestroy()
{
	EndConversation(); // of a component that never played
	Super::BeginDestroy();
}

bool UTalefoldAgentComponent::StartConversation(const FTalefoldConversationState& State, FTalefoldError& Error)
{
	Error = FTalefoldError();
	if (GraphAsset == nullptr)
	{
		Error = FTalefoldError::Make(
			ETalefoldErrorCode::GraphAssetMissing,
			FString::Printf(TEXT("%s has no graph asset"), *GetPathName()),
			TEXT("Choose one in the component's details"));
		return false;
	}
	UTalefoldSubsystem* Subsystem = UTalefoldSubsystem::Get(this);
	if (Subsystem == nullptr || !Subsystem->IsAvailable())
	{
		Error = Subsystem == nullptr
					? FTalefoldError::Make(ETalefoldErrorCode::EngineClosed, TEXT("The component is in no game"))
					: Subsystem->GetUnavailableReason();
		return false;
	}
	FString Graph;
	if (!GraphAsset->LocalizedJson(Graph, Error))
	{
		return false;
	}
	EndConversation();
	Open(*Subsystem, Graph, State);
	return true;
}

void UTalefoldAgentComponent::Open(UTalefoldSubsystem& Subsystem, const FString& Graph, const FTalefoldConversationState& State)
{
	Listener = MakeShared<FTalefoldAgentListener>(*this);
	const TSharedRef<FTalefoldConversation> Opened =
		FTalefoldConversation::Create(Subsystem.GetRuntime().ToSharedRef(), *Listener);
	Conversation = Opened;
	const TSharedRef<FJsonObject> Options = MakeShared<FJsonObject>();
	const FString Model = DefaultModelName();
	Options->SetStringField(TEXT("default_model_name"), Model);
	Options->SetBoolField(TEXT("enable_diagnostics"), GraphAsset->bEnableDiagnostics);
	TArray<FString> Models = GraphAsset->ModelNames();
	Models.AddUnique(Model);
	Subsystem.LoadNeeded(
		Models, GraphAsset->KnowledgeNames(), [Weak = Opened->AsWeak(), Graph, Json = TalefoldJson::Write(Options), State](const FTalefoldError& Error) {
			const TSharedPtr<FTalefoldConversation> Waiting = Weak.Pin();
			if (Waiting && Error.IsError())
			{
				Waiting->Fail(Error);
			}
			else if (Waiting)
			{
				Waiting->Open(Graph, Json, State);
			}
		});
}

FString UTalefoldAgentComponent::DefaultModelName() const
{
	if (!ModelName.IsEmpty())
	{
		return ModelName;
	}
	if (!GraphAsset->DefaultModelName.IsEmpty())
	{
		return GraphAsset->DefaultModelName;
	}
	return GetDefault<UTalefoldSettings>()->DefaultModel();
}

void UTalefoldAgentComponent::EndConversation()
{
	if (const TSharedPtr<FTalefoldConversation> Ended = MoveTemp(Conversation))
	{
		Conversation.Reset();
		const TSharedPtr<FTalefoldAgentListener> KeptAlive = MoveTemp(Listener);
		Ended->Close();
	}
}

bool UTalefoldAgentComponent::IsReady() const
{
	return Conversation && Conversation->IsReady();
}

bool UTalefoldAgentComponent::IsBusy() const
{
	return Conversation && Conversation->IsBusy();
}

int32 UTalefoldAgentComponent::RequestTurn(
	const FTalefoldTurnRequest& Turn, ETalefoldBusyPolicy WhenBusy, FTalefoldError& Error)
{
	Error = FTalefoldError();
	if (!Conversation)
	{
		Error = NoConversation();
		return 0;
	}
	const TSharedPtr<FTalefoldConversation> KeptAlive = Conversation;
	return KeptAlive->Request(Turn, WhenBusy, Error);
}

int32 UTalefoldAgentComponent::StartTurn(
	const FString& Text, ETalefoldBusyPolicy WhenBusy, float TimeoutSeconds, FTalefoldError& Error)
{
	return RequestTurn({ETalefoldTurnKind::Say, Text, FString(), TimeoutSeconds}, WhenBusy, Error);
}

int32 UTalefoldAgentComponent::LetSpeak(ETalefoldBusyPolicy WhenBusy, float TimeoutSeconds, FTalefoldError& Error)
{
	return RequestTurn({ETalefoldTurnKind::CharacterFirst, FString(), FString(), TimeoutSeconds}, WhenBusy, Error);
}

int32 UTalefoldAgentComponent::Regenerate(ETalefoldBusyPolicy WhenBusy, float TimeoutSeconds, FTalefoldError& Error)
{
	return RequestTurn({ETalefoldTurnKind::Regenerate, FString(), FString(), TimeoutSeconds}, WhenBusy, Error);
}

int32 UTalefoldAgentComponent::ReplayTurn(const FString& User, const FString& Assistant, FTalefoldError& Error)
{
	return RequestTurn({ETalefoldTurnKind::Replay, User, Assistant}, ETalefoldBusyPolicy::Queue, Error);
}

int32 UTalefoldAgentComponent::Refold(FTalefoldError& Error)
{
	return RequestTurn({ETalefoldTurnKind::Refold, FString(), FString()}, ETalefoldBusyPolicy::Queue, Error);
}

bool UTalefoldAgentComponent::CancelTurn(int32 Request)
{
	const TSharedPtr<FTalefoldConversation> KeptAlive = Conversation;
	return KeptAlive && KeptAlive->Cancel(Request);
}

bool UTalefoldAgentComponent::ResolveDecision(const FString& Option, FTalefoldError& Error)
{
	Error = Conversation ? FTalefoldError() : NoConversation();
	return Conversation && Conversation->Resolve(Option, Error);
}

int32 UTalefoldAgentComponent::CompleteToolCall(const FString& CallId, const FString& ResultJson, FTalefoldError& Error)
{
	return RequestTurn({ETalefoldTurnKind::ToolResult, CallId, ResultJson}, ETalefoldBusyPolicy::Queue, Error);
}

int32 UTalefoldAgentComponent::RejectToolCall(const FString& CallId, const FString& Reason, FTalefoldError& Error)
{
	const TSharedRef<FJsonObject> Result = MakeShared<FJsonObject>();
	Result->SetStringField(TEXT("error"), Reason);
	return CompleteToolCall(CallId, TalefoldJson::Write(Result), Error);
}

bool UTalefoldAgentComponent::KeepToolResult(const FString& CallId, const FString& ResultJson, FTalefoldError& Error)
{
	return CallAgent(Conversation, Error, [&](const talefold_api& Api, talefold_agent Agent) {
		return Api.agent_submit_tool_result(Agent, FTalefoldUtf8(CallId), FTalefoldUtf8(ResultJson));
	});
}

TArray<FTalefoldInteraction> UTalefoldAgentComponent::GetTranscript() const
{
	return TalefoldJson::ReadDialog(GetTranscriptJson());
}

FString UTalefoldAgentComponent::GetTranscriptJson() const
{
	return ReadAgent(Conversation, [](const talefold_api& Api, talefold_agent Agent, talefold_text* Json) {
		return Api.agent_dialog(Agent, Json);
	});
}

bool UTalefoldAgentComponent::AppendInteraction(const FString& User, const FString& Assistant, FTalefoldError& Error)
{
	return CallAgent(Conversation, Error, [&](const talefold_api& Api, talefold_agent Agent) {
		return Api.agent_append_interaction(Agent, FTalefoldUtf8(User), FTalefoldUtf8(Assistant));
	});
}

bool UTalefoldAgentComponent::EditInteraction(
	int32 Index, const FString& User, const FString& Assistant, FTalefoldError& Error)
{
	return CallAgent(Conversation, Error, [&](const talefold_api& Api, talefold_agent Agent) {
		return Api.agent_edit_interaction(Agent, Index, FTalefoldUtf8(User), FTalefoldUtf8(Assistant));
	});
}

bool UTalefoldAgentComponent::UndoLastTurn(FTalefoldInteraction& Removed, FTalefoldError& Error)
{
	talefold_text Json = {};
	if (!CallAgent(Conversation, Error, [&](const talefold_api& Api, talefold_agent Agent) {
			return Api.agent_undo_last_turn(Agent, &Json);
		}))
	{
		return false;
	}
	if (const TSharedPtr<FJsonObject> Object = TalefoldJson::Parse(TalefoldText::ToString(Json)))
	{
		Removed = TalefoldJson::ReadInteraction(*Object);
	}
	return true;
}

FTalefoldSummary UTalefoldAgentComponent::GetSummary() const
{
	return TalefoldJson::ReadSummary(
		ReadAgent(Conversation, [](const talefold_api& Api, talefold_agent Agent, talefold_text* Json) {
			return Api.agent_get_summary(Agent, Json);
		}));
}

bool UTalefoldAgentComponent::SetSummary(const FString& Text, FTalefoldError& Error)
{
	return CallAgent(Conversation, Error, [&](const talefold_api& Api, talefold_agent Agent) {
		return Api.agent_set_summary(Agent, FTalefoldUtf8(Text));
	});
}

TArray<FString> UTalefoldAgentComponent::GetHistoryStates(const FString& Node) const
{
	return TalefoldJson::ReadTexts(
		ReadAgent(Conversation, [&](const talefold_api& Api, talefold_agent Agent, talefold_text* Json) {
			return Api.agent_history_states(Agent, FTalefoldUtf8(Node), Json);
		}));
}

bool UTalefoldAgentComponent::Pin(const FString& Key, const FString& Text, FTalefoldError& Error)
{
	return CallAgent(Conversation, Error, [&](const talefold_api& Api, talefold_agent Agent) {
		return Api.agent_pin(Agent, FTalefoldUtf8(Key), FTalefoldUtf8(Text));
	});
}

bool UTalefoldAgentComponent::Unpin(const FString& Key, FTalefoldError& Error)
{
	int32 Removed = 0;
	CallAgent(Conversation, Error, [&](const talefold_api& Api, talefold_agent Agent) {
		return Api.agent_unpin(Agent, FTalefoldUtf8(Key), &Removed);
	});
	return Removed != 0;
}

TArray<FTalefoldPin> UTalefoldAgentComponent::GetPins() const
{
	return TalefoldJson::ReadPins(
		ReadAgent(Conversation, [](const talefold_api& Api, talefold_agent Agent, talefold_text* Json) {
			return Api.agent_pins(Agent, Json);
		}));
}

bool UTalefoldAgentComponent::ChangeParams(const FString& Node, const FString& ParamsJson, FTalefoldError& Error)
{
	return CallAgent(Conversation, Error, [&](const talefold_api& Api, talefold_agent Agent) {
		return Api.agent_change_params(Agent, FTalefoldUtf8(Node), FTalefoldUtf8(ParamsJson));
	});
}

bool UTalefoldAgentComponent::FindNode(const FString& Name, FTalefoldGraphNode& Node, FTalefoldError& Error) const
{
	talefold_text Json = {};
	FTalefoldGraphDescription Graph;
	if (!CallAgent(Conversation, Error, [&](const talefold_api& Api, talefold_agent Agent) {
			return Api.agent_graph(Agent, &Json);
		}) ||
		!FTalefoldGraphDescription::FromJson(TalefoldText::ToString(Json), Graph, Error))
	{
		return false;
	}
	TArray<FString> Names;
	for (const FTalefoldGraphNode& Each : Graph.Nodes)
	{
		if (Each.Name.Equals(Name, ESearchCase::CaseSensitive))
		{
			Node = Each;
			return true;
		}
		Names.Add(Each.Name);
	}
	Error = FTalefoldError::Make(
		ETalefoldErrorCode::UnknownNode,
		FString::Printf(TEXT("No node is called '%s'; the graph has %s"), *Name, *FString::Join(Names, TEXT(", "))));
	return false;
}

bool UTalefoldAgentComponent::GetNodeParams(const FString& Node, FInstancedStruct& Params, FTalefoldError& Error) const
{
	FTalefoldGraphNode Found;
	if (!FindNode(Node, Found, Error))
	{
		return false;
	}
	Params = Found.Params;
	return true;
}

bool UTalefoldAgentComponent::SetNodeParams(const FString& Node, const FInstancedStruct& Params, FTalefoldError& Error)
{
	FTalefoldGraphNode Found;
	if (!FindNode(Node, Found, Error))
	{
		return false;
	}
	const FTalefoldNodeType* Type = FTalefoldNodeType::Find(Found.Params.GetScriptStruct());
	if (Params.GetScriptStruct() != Found.Params.GetScriptStruct())
	{
		Error = FTalefoldError::Make(
			ETalefoldErrorCode::InvalidParamValue,
			FString::Printf(TEXT("node '%s' is of type %s: these are params of another type"), *Node, Type->Name),
			TEXT("Get Node Params gives a struct of the right type"));
		return false;
	}
	return ChangeParams(Node, TalefoldJson::Write(Type->WriteChanges(Found.Params, Params)), Error);
}

bool UTalefoldAgentComponent::GetState(FTalefoldConversationState& State, FTalefoldError& Error) const
{
	talefold_text Snapshot = {};
	if (!CallAgent(Conversation, Error, [&](const talefold_api& Api, talefold_agent Agent) {
			return Api.agent_export_snapshot(Agent, &Snapshot);
		}))
	{
		return false;
	}
	State = FTalefoldConversationState();
	State.Snapshot = TalefoldText::ToString(Snapshot);
	return true;
}

void UTalefoldAgentComponent::TakeNodeEvent(int32 Request, const FTalefoldNodeEvent& Event)
{
	const TSharedPtr<FTalefoldConversation> Told = Conversation;
	if (Event.Type == TEXT("tool_call"))
	{
		FTalefoldToolCall Call;
		Call.Id = Event.Pairs.FindRef(TEXT("call_id"));
		Call.Node = Event.Node;
		Call.ToolName = Event.Pairs.FindRef(TEXT("tool_name"));
		Call.ArgumentsJson = Event.Pairs.FindRef(TEXT("arguments"));
		OnToolCall.Broadcast(Request, Call);
	}
	else if (Event.Type == TEXT("summarized"))
	{
		OnSummaryUpdated.Broadcast(
			Event.Pairs.FindRef(TEXT("summary_text")), FCString::Atoi(*Event.Pairs.FindRef(TEXT("covered_through"))));
	}
	if (Conversation == Told) // the handler has not ended the conversation
	{
		OnNodeEvent.Broadcast(Request, Event);
	}
}
