// TQueue: one consumer; a second producer of an Spsc queue ends the program.
// https://dev.epicgames.com/documentation/en-us/unreal-engine/API/Runtime/Core/TQueue
#pragma once

#include "Misc/AssertionMacros.h"

#include <deque>
#include <mutex>
#include <thread>

enum class EQueueMode
{
	Mpsc,
	Spsc
};

template <typename T, EQueueMode Mode = EQueueMode::Spsc>
class TQueue
{
public:
	TQueue() = default;
	TQueue(const TQueue&) = delete;
	TQueue& operator=(const TQueue&) = delete;
	template <typename U>
	bool Enqueue(U&& Item)
	{
		const std::lock_guard Lock(Mutex);
		if constexpr (Mode == EQueueMode::Spsc)
		{
			CheckThread(Producer);
		}
		Items.emplace_back(std::forward<U>(Item));
		return true;
	}
	bool Dequeue(T& Item)
	{
		const std::lock_guard Lock(Mutex);
		CheckThread(Consumer);
		if (Items.empty())
		{
			return false;
		}
		Item = std::move(Items.front());
		Items.pop_front();
		return true;
	}

private:
	/** The first thread that comes, and no other. */
	static void CheckThread(std::thread::id& Owner)
	{
		UE_SHIM_CHECK(Owner == std::thread::id() || Owner == std::this_thread::get_id());
		Owner = std::this_thread::get_id();
	}
	std::mutex Mutex;
	std::deque<T> Items;
	std::thread::id Producer;
	std::thread::id Consumer;
};
