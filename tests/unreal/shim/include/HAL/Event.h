// https://dev.epicgames.com/documentation/en-us/unreal-engine/API/Runtime/Core/FEvent https://dev.epicgames.com/documentation/en-us/unreal-engine/API/Runtime/Core/FEventRef
#pragma once

#include "Misc/AssertionMacros.h"

#include <condition_variable>
#include <mutex>

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
