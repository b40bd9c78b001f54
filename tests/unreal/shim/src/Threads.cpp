#include "HAL/Event.h"
#include "HAL/RunnableThread.h"
#include "UObject/Object.h"

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
	const std::lock_guard Lock(Mutex); // notifies in it: the event may be gone right after
	bTriggered = true;
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
	UE_SHIM_CHECK(!ue_shim::IsBuildingDefaults());
	return new FRunnableThread(Runnable);
}

FRunnableThread::FRunnableThread(FRunnable* InRunnable)
	: Runnable(InRunnable)
{
	FEventRef Ready;
	Thread = std::thread([InRunnable, &Ready] {
		const bool bInit = InRunnable->Init();
		Ready->Trigger();
		if (bInit)
		{
			InRunnable->Run();
			InRunnable->Exit();
		}
	});
	Ready->Wait();
}

FRunnableThread::~FRunnableThread()
{
	Runnable->Stop();
	WaitForCompletion();
}

void FRunnableThread::WaitForCompletion()
{
	if (Thread.joinable())
	{
		Thread.join();
	}
}
