#include "Bridge/TalefoldConversation.h"

#include "Bridge/TalefoldJson.h"
#include "Bridge/TalefoldText.h"
#include "TalefoldLog.h"

namespace
{
	talefold_bytes ToBytes(const TArray<uint8>& Bytes)
	{
		return {Bytes.GetData(), static_cast<size_t>(Bytes.Num())};
	}

	FTalefoldError AgentBusy()
	{
		return FTalefoldError::Make(
			ETalefoldErrorCode::AgentBusy,
			TEXT("The character is still at an earlier turn"),
			TEXT("Wait for its end, cancel it, or choose another policy"));
	}

	FTalefoldError HasEnded()
	{
		return FTalefoldError::Make(
			ETalefoldErrorCode::AgentClosed, TEXT("The conversation has ended"), TEXT("Start it again"));
	}

	ETalefoldStatus ToStatus(talefold_status Status)
	{
		switch (Status)
		{
		case TALEFOLD_STATUS_SUCCESS:
			return ETalefoldStatus::Success;
		case TALEFOLD_STATUS_CANCELLED:
			return ETalefoldStatus::Cancelled;
		default:
			return ETalefoldStatus::Error;
		}
	}
} // namespace

TSharedRef<FTalefoldConversation> FTalefoldConversation::Create(
	const TSharedRef<FTalefoldRuntime>& Runtime, ITalefoldConversationListener& Listener)
{
	const TSharedRef<FTalefoldConversation> Made = MakeShareable(new FTalefoldConversation(Runtime, Listener));
	Runtime->OnClosing().AddSP(Made, &FTalefoldConversation::Close);
	return Made;
}

void FTalefoldConversation::Open(const FString& Graph, const FString& Options, const FTalefoldConversationState& State)
{
	// The worker has weak pointers alone, so that nothing of the game thread's ever dies there.
	const TWeakPtr<FTalefoldConversation> Weak = AsWeak();
	const TWeakPtr<FTalefoldRuntime> WeakRuntime = Runtime;
	const TSharedRef<const FTalefoldLibrary> Library = Runtime->ShareLibrary();
	const talefold_engine Engine = Runtime->Engine();
	Runtime->InBackground([Weak, WeakRuntime, Library, Engine, Graph, Options, State]() -> FTalefoldRuntime::FThen {
		talefold_agent Agent = 0;
		FTalefoldError Error;
		Library->Check(
			Library->Api().engine_create_agent(
				Engine, FTalefoldUtf8(Graph), FTalefoldUtf8(Options), FTalefoldUtf8(State.Snapshot), ToBytes(State.KvCache), &Agent),
			Error);
		return [Weak, WeakRuntime, Agent, Error]() {
			if (const TSharedPtr<FTalefoldConversation> Conversation = Weak.Pin())
			{
				Conversation->Opened(Agent, Error);
			}
			else if (const TSharedPtr<FTalefoldRuntime> Owner = WeakRuntime.Pin())
			{
				EndAgent(*Owner, Agent);
			}
		};
	});
}

FTalefoldConversation::FTalefoldConversation(
	const TSharedRef<FTalefoldRuntime>& InRuntime, ITalefoldConversationListener& InListener)
	: Runtime(InRuntime)
	, Listener(&InListener)
{
}

FTalefoldConversation::~FTalefoldConversation()
{
	Close();
}

void FTalefoldConversation::Opened(talefold_agent NewAgent, const FTalefoldError& Error)
{
	if (Phase == EPhase::Closed)
	{
		EndAgent(*Runtime, NewAgent);
		return;
	}
	Handle = NewAgent;
	OpenError = Error;
	Phase = Error.IsError() ? EPhase::Failed : EPhase::Ready;
	if (Phase == EPhase::Ready)
	{
		Runtime->EachTick([Weak = AsWeak()]() {
			const TSharedPtr<FTalefoldConversation> Conversation = Weak.Pin();
			return Conversation && Conversation->PollBackground();
		});
	}
	const TSharedRef<FTalefoldConversation> KeptAlive = AsShared();
	Listener->OnOpened(Error);
	while (Phase == EPhase::Failed && Waiting.Num() > 0)
	{
		const int32 Number = Waiting[0].Number;
		Waiting.RemoveAt(0);
		Finish(Number, ETalefoldStatus::Error, OpenError);
	}
	RestoreNext(); // before the turns that wait: what is said is said to the loaded conversation
	StartNext();
}

void FTalefoldConversation::Close()
{
	if (Phase == EPhase::Closed)
	{
		return;
	}
	// From here on requests are refused, also those that a listener makes while it hears of the end.
	Phase = EPhase::Closed;
	if (Current.IsSet())
	{
		const FPending Ended = Current.GetValue();
		Current.Reset();
		Runtime->Api().task_cancel(Ended.Task);
		Runtime->Forget(Ended.Task);
		Finish(Ended.Number, ETalefoldStatus::Cancelled);
	}
	CancelWaiting();
	RestoreNext(); // which all fail now
	Listener = nullptr;
	EndAgent(*Runtime, Handle);
	Handle = 0;
}

// Closing waits for the turn that was cancelled, so the worker does it.
void FTalefoldConversation::EndAgent(FTalefoldRuntime& Runtime, talefold_agent Ended)
{
	if (Ended == 0)
	{
		return;
	}
	Runtime.InBackground([Library = Runtime.ShareLibrary(), Ended]() -> FTalefoldRuntime::FThen {
		Library->Api().agent_close(Ended);
		Library->Api().agent_release(Ended);
		return nullptr;
	});
}

int32 FTalefoldConversation::Request(const FTalefoldTurnRequest& Turn, ETalefoldBusyPolicy Policy, FTalefoldError& Error)
{
	if (Phase == EPhase::Closed || Phase == EPhase::Failed)
	{
		Error = NotReady();
		return 0;
	}
	if (Policy == ETalefoldBusyPolicy::Reject && IsBusy())
	{
		Error = AgentBusy();
		return 0;
	}
	const int32 Number = ++LastNumber;
	if (Policy == ETalefoldBusyPolicy::Interrupt)
	{
		CancelWaiting();
		Cancel(0);
	}
	if (Phase == EPhase::Closed) // by a listener that heard of what was cancelled
	{
		Error = NotReady();
		return 0;
	}
	Waiting.Add(FPending{Number, Turn});
	return Number;
}

bool FTalefoldConversation::Cancel(int32 Request)
{
	if (Current.IsSet() && (Request == 0 || Request == Current->Number))
	{
		return Runtime->Api().task_cancel(Current->Task) == TALEFOLD_OK;
	}
	const int32 Index = Waiting.IndexOfByPredicate(
		[Request](const FPending& Each) { return Request == 0 || Each.Number == Request; });
	if (Index == INDEX_NONE)
	{
		return false;
	}
	const int32 Number = Waiting[Index].Number;
	Waiting.RemoveAt(Index);
	Finish(Number, ETalefoldStatus::Cancelled);
	return true;
}

void FTalefoldConversation::CancelWaiting()
{
	const TArray<FPending> Cancelled = MoveTemp(Waiting);
	Waiting.Reset();
	for (const FPending& Each : Cancelled)
	{
		Finish(Each.Number, ETalefoldStatus::Cancelled);
	}
}

bool FTalefoldConversation::Resolve(const FString& Option, FTalefoldError& Error)
{
	if (!Current.IsSet())
	{
		Error = FTalefoldError::Make(
			ETalefoldErrorCode::NoDecisionPending, TEXT("No turn runs that waits for a decision"));
		return false;
	}
	return Runtime->Check(Runtime->Api().task_resolve(Current->Task, FTalefoldUtf8(Option)), Error);
}

int32 FTalefoldConversation::Start(const FTalefoldTurnRequest& Turn, talefold_task& Task) const
{
	const talefold_api& Api = Runtime->Api();
	const int64 TimeoutMs = static_cast<int64>(FMath::Max(Turn.TimeoutSeconds, 0.0f) * 1000.0f);
	const FTalefoldUtf8 First(Turn.First);
	const FTalefoldUtf8 Second(Turn.Second);
	switch (Turn.Kind)
	{
	case ETalefoldTurnKind::CharacterFirst:
		return Api.agent_start(Handle, talefold_text{nullptr, 0}, TimeoutMs, &Task);
	case ETalefoldTurnKind::Regenerate:
		return Api.agent_start_regenerate(Handle, TimeoutMs, &Task);
	case ETalefoldTurnKind::Replay:
		return Api.agent_start_replay(Handle, First, Second, TimeoutMs, &Task);
	case ETalefoldTurnKind::Refold:
		return Api.agent_start_refold(Handle, TimeoutMs, &Task);
	case ETalefoldTurnKind::ToolResult:
		return Api.agent_start_tool_result(Handle, First, Second, TimeoutMs, &Task);
	case ETalefoldTurnKind::Say:
	default:
		return Api.agent_start(Handle, First, TimeoutMs, &Task);
	}
}

void FTalefoldConversation::StartNext()
{
	while (Phase == EPhase::Ready && !Current.IsSet() && Waiting.Num() > 0)
	{
		talefold_task Task = 0;
		FTalefoldError Error;
		const bool bStarted = Runtime->Check(Start(Waiting[0].Turn, Task), Error);
		if (Error.Code == TALEFOLD_AGENT_BUSY)
		{
			return; // what was cancelled has not stopped yet: the next frame tries again
		}
		FPending Next = Waiting[0];
		Waiting.RemoveAt(0);
		if (!bStarted)
		{
			Finish(Next.Number, ETalefoldStatus::Error, Error);
			continue;
		}
		Next.Task = Task;
		Current = Next;
		Runtime->Watch(Task, [Weak = AsWeak(), Number = Next.Number](const FTalefoldEvent& Event) {
			if (const TSharedPtr<FTalefoldConversation> Conversation = Weak.Pin())
			{
				Conversation->TakeEvent(Number, Event);
			}
		});
		Listener->OnTurnStarted(Next.Number);
	}
}

void FTalefoldConversation::TakeEvent(int32 Number, const FTalefoldEvent& Event)
{
	if (Listener == nullptr)
	{
		return;
	}
	if (Event.Kind != TALEFOLD_EVENT_COMPLETE)
	{
		Listener->OnTurnEvent(Number, Event);
		return;
	}
	const FTalefoldTurnResult Result = ReadResult(Current.GetValue(), Event);
	Current.Reset();
	Listener->OnTurnFinished(Result);
	StartNext();
}

FTalefoldTurnResult FTalefoldConversation::ReadResult(const FPending& Turn, const FTalefoldEvent& Event) const
{
	FTalefoldTurnResult Result;
	Result.Request = Turn.Number;
	Result.Status = ToStatus(Event.Status);
	Result.TokensGenerated = Event.TokensGenerated;
	Result.Error = Event.Error;
	Result.DebugInfoJson = Event.Json;
	talefold_text Json = {};
	FTalefoldError Error;
	if (Runtime->Check(Runtime->Api().task_result(Turn.Task, &Json), Error))
	{
		Result.Text = TalefoldJson::ReadField(TalefoldText::ToString(Json), TEXT("text"));
	}
	return Result;
}

void FTalefoldConversation::Finish(int32 Number, ETalefoldStatus Status, const FTalefoldError& Error)
{
	if (Listener == nullptr)
	{
		return;
	}
	FTalefoldTurnResult Result;
	Result.Request = Number;
	Result.Status = Status;
	Result.Error = Error;
	Listener->OnTurnFinished(Result);
}

bool FTalefoldConversation::PollBackground()
{
	if (Phase == EPhase::Closed)
	{
		return false;
	}
	StartNext();
	talefold_event Event = {};
	Event.size = sizeof Event;
	// Tells of one fold a frame. While a turn runs, the turn commits folds itself.
	if (Phase == EPhase::Ready && !Current.IsSet() && Runtime->Api().agent_poll_background(Handle, &Event) == TALEFOLD_OK && Event.kind != TALEFOLD_EVENT_NONE)
	{
		Listener->OnBackgroundEvent(FTalefoldEvent(Event));
	}
	return Phase != EPhase::Closed;
}

void FTalefoldConversation::Save(bool bWithKvCache, FSaved Then)
{
	FTalefoldError Error;
	const talefold_agent Saved = Agent(Error);
	const TSharedRef<const FTalefoldLibrary> Library = Runtime->ShareLibrary();
	Runtime->InBackground(
		[Library, Saved, bWithKvCache, Error, Then = MoveTemp(Then)]() mutable -> FTalefoldRuntime::FThen {
			FTalefoldConversationState State;
			talefold_text Snapshot = {};
			talefold_bytes Kv = {};
			if (!Error.IsError() && Library->Check(Library->Api().agent_export_snapshot(Saved, &Snapshot), Error))
			{
				State.Snapshot = TalefoldText::ToString(Snapshot);
				// It is a cache: without it, the conversation is saved all the same.
				if (bWithKvCache && Library->Api().agent_export_kv(Saved, &Kv) == TALEFOLD_OK)
				{
					State.KvCache = TArray<uint8>(Kv.data, static_cast<int32>(Kv.size));
				}
			}
			return [State = MoveTemp(State), Error, Then = MoveTemp(Then)]() mutable { Then(State, Error); };
		});
}

void FTalefoldConversation::Restore(const FTalefoldConversationState& State, FRestored Then)
{
	Restores.Add(FPendingRestore{State, MoveTemp(Then)});
	RestoreNext();
}

void FTalefoldConversation::RestoreNext()
{
	while (Restores.Num() > 0 && Phase != EPhase::Opening && Phase != EPhase::Restoring)
	{
		FPendingRestore Next = MoveTemp(Restores[0]);
		Restores.RemoveAt(0);
		FTalefoldError Error;
		const talefold_agent Restored = Agent(Error);
		if (Restored != 0 && Current.IsSet())
		{
			Error = AgentBusy();
		}
		if (!Error.IsError())
		{
			Phase = EPhase::Restoring;
			Import(Restored, MoveTemp(Next));
			continue;
		}
		Runtime->InBackground([Error, Then = MoveTemp(Next.Then)]() mutable -> FTalefoldRuntime::FThen {
			return [Error, Then = MoveTemp(Then)]() mutable { Then(Error); };
		});
	}
}

void FTalefoldConversation::Import(talefold_agent Restored, FPendingRestore Restore)
{
	const TSharedRef<const FTalefoldLibrary> Library = Runtime->ShareLibrary();
	Runtime->InBackground([Weak = AsWeak(), Library, Restored, Restore = MoveTemp(Restore)]() mutable
							  -> FTalefoldRuntime::FThen {
		FTalefoldError Error;
		const FTalefoldConversationState& State = Restore.State;
		if (Library->Check(Library->Api().agent_import_snapshot(Restored, FTalefoldUtf8(State.Snapshot)), Error) && State.KvCache.Num() > 0)
		{
			Library->Api().agent_import_kv(Restored, ToBytes(State.KvCache)); // a cache: it may not fit
		}
		return [Weak, Error, Then = MoveTemp(Restore.Then)]() mutable {
			const TSharedPtr<FTalefoldConversation> Conversation = Weak.Pin();
			const bool bIsThere = Conversation && Conversation->Phase == EPhase::Restoring;
			if (!bIsThere)
			{
				Then(HasEnded()); // what was restored has gone with it
				return;
			}
			Conversation->Phase = EPhase::Ready;
			Then(Error);
			Conversation->RestoreNext();
		};
	});
}

talefold_agent FTalefoldConversation::Agent(FTalefoldError& Error) const
{
	if (Phase != EPhase::Ready)
	{
		Error = NotReady();
		return 0;
	}
	return Handle;
}

FTalefoldError FTalefoldConversation::NotReady() const
{
	switch (Phase)
	{
	case EPhase::Failed:
		return OpenError;
	case EPhase::Closed:
		return HasEnded();
	default:
		return FTalefoldError::Make(
			ETalefoldErrorCode::NotReady,
			TEXT("The conversation is not ready yet"),
			TEXT("Wait for On Ready; only requests for turns wait by themselves"));
	}
}
