// What tests do to the stand-in, and see of it. The engine has nothing of this.
#pragma once

#include "Engine/Engine.h"
#include "Engine/GameInstance.h"
#include "Engine/World.h"
#include "GameFramework/Actor.h"
#include "Components/ActorComponent.h"
#include "Logging/LogMacros.h"
#include "Serialization/JsonSerializer.h"

namespace ue_shim
{
	/** Before the first module is loaded; absolute, and end in /. */
	struct FFolders
	{
		FString Plugin;
		FString Program;
		FString Project;
	};
	void SetFolders(const FFolders& Folders);

	/** One frame: tickers, then what other threads have for the game thread. */
	void TickFrame(float DeltaTime = 0.016f);
	/** Does Work on another thread, and what that returns in a later frame. */
	void InThread(TUniqueFunction<TUniqueFunction<void()>()> Work);

	struct FLogLine
	{
		FString Category;
		ELogVerbosity::Type Verbosity;
		FString Text;
	};
	TArray<FLogLine> Log();
	void ClearLog();

	/** A member of a save object of the game's own, whose archive writes what is marked SaveGame alone. */
	template <typename StructType>
	FString SaveMarked(StructType& Struct);
	/** What the text lacks stays as it is; what is unknown in it is left out. */
	template <typename StructType>
	void LoadMarked(const FString& Saved, StructType& Struct);

	/** Waits for other threads' work, collects garbage, ends modules; the number of objects left. */
	int32 Shutdown();
	/** All objects but classes' default ones and the engine. */
	int32 CountObjects();

	FString SaveMarkedBy(void* Memory, void (*Visit)(void*, FPropertyVisitor&));
	void LoadMarkedBy(const FString& Saved, void* Memory, void (*Visit)(void*, FPropertyVisitor&));
} // namespace ue_shim

template <typename StructType>
FString ue_shim::SaveMarked(StructType& Struct)
{
	return SaveMarkedBy(&Struct, &StructType::ShimVisit);
}
template <typename StructType>
void ue_shim::LoadMarked(const FString& Saved, StructType& Struct)
{
	LoadMarkedBy(Saved, &Struct, &StructType::ShimVisit);
}
