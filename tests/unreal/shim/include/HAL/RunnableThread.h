// A real thread. Its end asks the runnable to stop, and waits: the runnable must live until then.
// https://dev.epicgames.com/documentation/en-us/unreal-engine/API/Runtime/Core/FRunnableThread
#pragma once

#include "HAL/Runnable.h"

#include <thread>

class FRunnableThread
{
public:
	/** Returns after Init. Ends the program while default objects are built: they own no threads. */
	static FRunnableThread* Create(FRunnable* Runnable, const TCHAR* Name);
	~FRunnableThread();
	/** On the game thread too: whoever calls this there blocks it, and should know. */
	void WaitForCompletion();

private:
	explicit FRunnableThread(FRunnable* InRunnable);
	FRunnable* Runnable;
	std::thread Thread;
};
