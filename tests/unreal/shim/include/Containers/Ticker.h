// FTSTicker: any thread adds and removes; called once a frame on the game thread, also while paused.
// https://dev.epicgames.com/documentation/en-us/unreal-engine/API/Runtime/Core/FTSTicker
#pragma once

#include "Delegates/Delegate.h"

#include <mutex>

using FTickerDelegate = TDelegate<bool(float)>;

class FTSTicker
{
	struct FElement
	{
		FTickerDelegate Delegate;
		float Delay = 0;
		double FireTime = 0;
	};

public:
	using FDelegateHandle = TWeakPtr<FElement>; // another type than ::FDelegateHandle, as with the engine
	static FTSTicker& GetCoreTicker();
	/** Called while it returns true, every Delay seconds; 0 = in each frame from the next on. */
	FDelegateHandle AddTicker(const FTickerDelegate& Delegate, float Delay = 0.0f);
	static void RemoveTicker(FDelegateHandle Handle);
	void Tick(float DeltaTime);

private:
	std::mutex Mutex;
	TArray<TSharedRef<FElement>> Elements;
	double Now = 0;
};
