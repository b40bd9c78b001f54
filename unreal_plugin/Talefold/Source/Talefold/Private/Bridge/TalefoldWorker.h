#pragma once

#include "Containers/Queue.h"
#include "CoreMinimal.h"
#include "HAL/Event.h"
#include "HAL/Runnable.h"
#include "HAL/RunnableThread.h"
#include "Templates/Function.h"

#include <atomic>

/**
 * A thread for calls that wait or compute, so that the game thread never does: it makes agents,
 * saves, loads, and ends engines. Work is done in the order in which it came.
 */
class FTalefoldWorker final : public FRunnable
{
public:
	FTalefoldWorker();

	/** Waits for all work. */
	virtual ~FTalefoldWorker() override;

	/** Any thread; not after Close. */
	void Enqueue(TUniqueFunction<void()> Work);

	/** The thread ends when all work is done. Does not wait for it. */
	void Close();

	/** Any thread: whether the thread has ended. */
	bool IsFinished() const { return bFinished; }

private:
	virtual uint32 Run() override;

	TQueue<TUniqueFunction<void()>, EQueueMode::Mpsc> Queue;
	FEventRef Wake{EEventMode::AutoReset};
	std::atomic<bool> bClosing{false};
	std::atomic<bool> bFinished{false};
	TUniquePtr<FRunnableThread> Thread; // last: it uses the others from its first moment
};
