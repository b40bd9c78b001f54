#include "ue_shim/Threads.h"

namespace
{
	const std::thread::id GameThread = std::this_thread::get_id(); // that which starts the program
} // namespace

bool IsInGameThread()
{
	return GameThread == std::thread::id() || std::this_thread::get_id() == GameThread;
}

void FEvent::Trigger()
{
	{
		const std::lock_guard Lock(Mutex);
		bTriggered = true;
	}
	Condition.notify_all();
}

void FEvent::Wait()
{
	std::unique_lock Lock(Mutex);
	Condition.wait(Lock, [this] { return bTriggered; });
	bTriggered = Mode == EEventMode::ManualReset;
}

FRunnableThread* FRunnableThread::Create(FRunnable* Runnable, const TCHAR*)
{
	return new FRunnableThread(Runnable);
}

FRunnableThread::FRunnableThread(FRunnable* Runnable)
	: Thread([Runnable] {
		if (Runnable->Init())
		{
			Runnable->Run();
			Runnable->Exit();
		}
	})
{
}

FRunnableThread::~FRunnableThread()
{
	WaitForCompletion();
}

void FRunnableThread::WaitForCompletion()
{
	if (Thread.joinable())
	{
		Thread.join();
	}
}
