// Threads, events and queues. https://dev.epicgames.com/documentation/en-us/unreal-engine/API/Runtime/Core/HAL/FRunnable
#pragma once

#include "ue_shim/Platform.h"

#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

bool IsInGameThread();

enum class EEventMode
{
	AutoReset,
	ManualReset
};

class FEvent
{
public:
	explicit FEvent(EEventMode InMode)
		: Mode(InMode)
	{
	}
	void Trigger();
	void Wait();

private:
	const EEventMode Mode;
	std::mutex Mutex;
	std::condition_variable Condition;
	bool bTriggered = false;
};

/** An event that is given back at its end. */
class FEventRef
{
public:
	explicit FEventRef(EEventMode Mode = EEventMode::AutoReset)
		: Event(Mode)
	{
	}
	FEvent* operator->() { return &Event; }

private:
	FEvent Event;
};

class FRunnable
{
public:
	virtual ~FRunnable() = default;
	virtual bool Init() { return true; }
	virtual uint32 Run() = 0;
	virtual void Stop() {}
	virtual void Exit() {}
};

class FRunnableThread
{
public:
	static FRunnableThread* Create(FRunnable* Runnable, const TCHAR* Name);
	~FRunnableThread();
	/** On the game thread too: whoever calls this there blocks it, and should know. */
	void WaitForCompletion();

private:
	explicit FRunnableThread(FRunnable* Runnable);
	std::thread Thread;
};

enum class EQueueMode
{
	Spsc,
	Mpsc
};

/** One consumer; a second producer of an Spsc queue ends the program. */
template <typename T, EQueueMode Mode = EQueueMode::Spsc>
class TQueue
{
public:
	template <typename U>
	bool Enqueue(U&& Item)
	{
		const std::lock_guard Lock(Mutex);
		if constexpr (Mode == EQueueMode::Spsc)
		{
			UE_SHIM_CHECK(Producer == std::thread::id() || Producer == std::this_thread::get_id());
			Producer = std::this_thread::get_id();
		}
		Items.emplace_back(std::forward<U>(Item));
		return true;
	}
	bool Dequeue(T& Item)
	{
		const std::lock_guard Lock(Mutex);
		if (Items.empty())
		{
			return false;
		}
		Item = std::move(Items.front());
		Items.pop_front();
		return true;
	}
	bool IsEmpty() const
	{
		const std::lock_guard Lock(Mutex);
		return Items.empty();
	}

private:
	mutable std::mutex Mutex;
	std::deque<T> Items;
	std::thread::id Producer;
};
