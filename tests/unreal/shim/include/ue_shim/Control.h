// What tests do to the stand-in, and see of it. The engine has nothing of this.
#pragma once

#include "ue_shim/Engine.h"
#include "ue_shim/Log.h"

namespace ue_shim
{
	/** Before the first module is loaded; folders end in /. */
	struct FFolders
	{
		FString Plugin;
		FString Program;
		FString Project;
	};
	void SetFolders(const FFolders& Folders);

	/** One frame: tickers, then what other threads have for the game thread. */
	void TickFrame(float DeltaTime = 0.016f);
	void OnNextFrame(TUniqueFunction<void()> Call);

	struct FLogLine
	{
		FString Category;
		ELogVerbosity::Type Verbosity;
		FString Text;
	};
	const TArray<FLogLine>& Log();
	void ClearLog();

	void ShutdownModules();
	/** All objects but classes' default ones. */
	int32 CountObjects();
} // namespace ue_shim
