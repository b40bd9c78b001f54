#include "Bridge/TalefoldRuntime.h"

#include "Bridge/TalefoldText.h"
#include "TalefoldLog.h"

TSharedPtr<FTalefoldRuntime> FTalefoldRuntime::Create(
	const TSharedRef<const FTalefoldLibrary>& Library, const FString& Options, FTalefoldError& Error)
{
	talefold_engine Engine = 0;
	if (!Library->Check(Library->Api().engine_create(FTalefoldUtf8(Options), &Engine), Error))
	{
		return nullptr;
	}
	return MakeShareable(new FTalefoldRuntime(Library, Engine));
}

FTalefoldRuntime::FTalefoldRuntime(const TSharedRef<const FTalefoldLibrary>& InLibrary, talefold_engine InHandle)
	: Library(InLibrary)
	, Handle(InHandle)
	, Worker(MakeShared<FTalefoldWorker>())
	, Done(MakeShared<FDone, ESPMode::ThreadSafe>())
{
}

FTalefoldRuntime::~FTalefoldRuntime()
{
	Close();
}

TSharedRef<FTalefoldWorker> FTalefoldRuntime::Close()
{
	if (!bClosed)
	{
		Closing.Broadcast();
		bClosed = true;
		for (const TSharedRef<FWatch>& Watched : Watches)
		{
			Watched->bForgotten = true;
			Api().task_cancel(Watched->Task); // at once; the worker may have other work first
		}
		Watches.Empty();
		Polls.Empty();
		PollLog();
		Worker->Enqueue([Kept = Library, Engine = Handle]() { Kept->Api().engine_destroy(Engine); });
		Worker->Close();
	}
	return Worker;
}

void FTalefoldRuntime::Watch(talefold_task Task, FEventHandler Handler)
{
	Watches.Add(MakeShareable(new FWatch{Task, MoveTemp(Handler)}));
}

void FTalefoldRuntime::Forget(talefold_task Task)
{
	for (const TSharedRef<FWatch>& Watched : Watches)
	{
		if (Watched->Task == Task)
		{
			Watched->bForgotten = true;
		}
	}
}

void FTalefoldRuntime::EachTick(TFunction<bool()> Poll)
{
	Polls.Add(MoveTemp(Poll));
}

void FTalefoldRuntime::InBackground(TUniqueFunction<FThen()> Work)
{
	if (bClosed)
	{
		return;
	}
	Worker->Enqueue([Results = Done, Work = MoveTemp(Work)]() mutable {
		if (FThen Then = Work())
		{
			Results->Queue.Enqueue(MoveTemp(Then));
		}
	});
}

// Handlers may do anything, such as close this runtime: what is called is held, and bClosed is read
// after each call.
void FTalefoldRuntime::Tick(int32 MaxEvents)
{
	const TSharedRef<FTalefoldRuntime> KeptAlive = AsShared();
	int32 Budget = FMath::Max(MaxEvents, 1);
	PollLog();
	FinishBackgroundWork(Budget);
	PollTasks(Budget);
	CallEachTick();
}

void FTalefoldRuntime::FinishBackgroundWork(int32& Budget)
{
	FThen Then;
	while (Budget > 0 && !bClosed && Done->Queue.Dequeue(Then))
	{
		--Budget;
		Then();
	}
}

void FTalefoldRuntime::PollTasks(int32& Budget)
{
	// One event of each task, then of each again: a talkative one does not hold up the others.
	int32 Silent = 0; // tasks in a row that had nothing
	while (Budget > 0 && !bClosed && Silent < Watches.Num())
	{
		const TSharedRef<FWatch> Watched = Watches[0];
		Watches.RemoveAt(0);
		if (Watched->bForgotten)
		{
			Api().task_release(Watched->Task);
			continue;
		}
		Watches.Add(Watched);
		const bool bHadEvent = PollTask(*Watched);
		Budget -= bHadEvent ? 1 : 0;
		Silent = bHadEvent ? 0 : Silent + 1;
	}
}

bool FTalefoldRuntime::PollTask(FWatch& Watched)
{
	talefold_event Event = {};
	Event.size = sizeof Event;
	if (Api().task_poll(Watched.Task, &Event) != TALEFOLD_OK)
	{
		// Its handle was taken back, which only this class does: nothing can come any more.
		Watched.bForgotten = true;
		return false;
	}
	if (Event.kind == TALEFOLD_EVENT_NONE)
	{
		return false;
	}
	const FTalefoldEvent Copy(Event);
	Watched.bForgotten = Copy.Kind == TALEFOLD_EVENT_COMPLETE;
	Watched.Handler(Copy);
	return true;
}

void FTalefoldRuntime::CallEachTick()
{
	TArray<TFunction<bool()>> Called = MoveTemp(Polls);
	Polls.Reset();
	for (TFunction<bool()>& Poll : Called)
	{
		if (!bClosed && Poll())
		{
			Polls.Add(MoveTemp(Poll));
		}
	}
}

void FTalefoldRuntime::PollLog() const
{
	for (;;)
	{
		talefold_log_line Line = {};
		Line.size = sizeof Line;
		if (Api().engine_poll_log(Handle, &Line) != TALEFOLD_OK || Line.level < TALEFOLD_LOG_DEBUG)
		{
			return;
		}
		const FString Category = TalefoldText::ToString(Line.category);
		const FString Text = TalefoldText::ToString(Line.text);
		switch (Line.level)
		{
		case TALEFOLD_LOG_ERROR:
			UE_LOG(LogTalefold, Error, TEXT("%s: %s"), *Category, *Text);
			break;
		case TALEFOLD_LOG_WARNING:
			UE_LOG(LogTalefold, Warning, TEXT("%s: %s"), *Category, *Text);
			break;
		case TALEFOLD_LOG_INFO:
			UE_LOG(LogTalefold, Log, TEXT("%s: %s"), *Category, *Text);
			break;
		default:
			UE_LOG(LogTalefold, Verbose, TEXT("%s: %s"), *Category, *Text);
			break;
		}
	}
}
