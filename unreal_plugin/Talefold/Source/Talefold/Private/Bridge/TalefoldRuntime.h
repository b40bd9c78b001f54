#pragma once

#include "Bridge/TalefoldEvent.h"
#include "Bridge/TalefoldLibrary.h"
#include "Bridge/TalefoldWorker.h"
#include "CoreMinimal.h"

/**
 * An engine of the library, and everything of it that the game waits for. Each game instance has
 * its own. Game thread; what it hands out, it hands out in Tick.
 */
class FTalefoldRuntime final : public TSharedFromThis<FTalefoldRuntime>
{
public:
	using FEventHandler = TFunction<void(const FTalefoldEvent&)>;
	using FThen = TUniqueFunction<void()>;

	/** Null, and why, when the options are not valid. `Options` is JSON, as of engine_create. */
	static TSharedPtr<FTalefoldRuntime> Create(
		const TSharedRef<const FTalefoldLibrary>& Library, const FString& Options, FTalefoldError& Error);

	~FTalefoldRuntime();

	/**
	 * Ends the engine, on the worker. Nothing is handed out afterwards, and whatever was on its way
	 * is dropped. Returns the worker, which must live until it has finished.
	 */
	TSharedRef<FTalefoldWorker> Close();

	/** Called at the beginning of Close, while everything still works. */
	FSimpleMulticastDelegate& OnClosing() { return Closing; }

	/** Hands out what has come: at most MaxEvents, the tasks in turn, the rest in the next frame. */
	void Tick(int32 MaxEvents);

	/** Calls Handler with each event of the task; forgets the task after its last one. */
	void Watch(talefold_task Task, FEventHandler Handler);

	/** The handler is not called again. The task itself goes on: see task_cancel. */
	void Forget(talefold_task Task);

	/** Calls Poll in each Tick until it returns false; for what has no task. */
	void EachTick(TFunction<bool()> Poll);

	/** Does Work on the worker, and what it returns on the game thread. May return nothing. */
	void InBackground(TUniqueFunction<FThen()> Work);

	const TSharedRef<const FTalefoldLibrary>& ShareLibrary() const { return Library; }
	const talefold_api& Api() const { return Library->Api(); }
	talefold_engine Engine() const { return Handle; }

	/** Whether a call of the library worked; if not, sets Error. */
	bool Check(int32 Status, FTalefoldError& Error) const { return Library->Check(Status, Error); }

private:
	struct FWatch
	{
		talefold_task Task;
		FEventHandler Handler;
		bool bForgotten = false;
	};

	/** What both threads have: the worker may be done after the runtime is gone. */
	struct FDone
	{
		TQueue<FThen, EQueueMode::Mpsc> Queue;
	};

	FTalefoldRuntime(const TSharedRef<const FTalefoldLibrary>& InLibrary, talefold_engine InHandle);

	void FinishBackgroundWork(int32& Budget);
	void PollTasks(int32& Budget);
	bool PollTask(FWatch& Watched);
	void CallEachTick();
	void PollLog() const;

	const TSharedRef<const FTalefoldLibrary> Library;
	const talefold_engine Handle;
	const TSharedRef<FTalefoldWorker> Worker;
	const TSharedRef<FDone, ESPMode::ThreadSafe> Done;
	TArray<TSharedRef<FWatch>> Watches; // the one to be served next comes first
	TArray<TFunction<bool()>> Polls;
	FSimpleMulticastDelegate Closing;
	bool bClosed = false;
};
