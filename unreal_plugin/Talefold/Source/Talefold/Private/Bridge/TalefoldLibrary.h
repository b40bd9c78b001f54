#pragma once

#include "CoreMinimal.h"
#include "TalefoldError.h"

THIRD_PARTY_INCLUDES_START
#include "talefold/talefold.h"
THIRD_PARTY_INCLUDES_END

/**
 * The native library, opened by its absolute path, and its table of functions. Open for as long as
 * somebody has it. Any thread may use the table.
 */
class TALEFOLD_API FTalefoldLibrary
{
public:
	/**
	 * The places that are looked at, in this order: the plugin's own folder, and, for packaged games
	 * that have no folder of plugins, the folder of the program.
	 */
	static TArray<FString> CandidatePaths(const FString& PluginDir, const FString& ProgramDir);

	/** Opens the first of these files that there is. Null and an error that names them all if none. */
	static TSharedPtr<const FTalefoldLibrary> Open(const TArray<FString>& Paths, FTalefoldError& Error);

	~FTalefoldLibrary();

	const talefold_api& Api() const { return Functions; }
	const FString& Path() const { return FilePath; }

	/** Whether a call of this thread worked; if not, sets Error to why. */
	bool Check(int32 Status, FTalefoldError& Error) const;

	/** The calling thread's newest failure. */
	FTalefoldError LastError() const;

private:
	FTalefoldLibrary(void* InHandle, const FString& InPath);
	FTalefoldLibrary(const FTalefoldLibrary&) = delete;
	FTalefoldLibrary& operator=(const FTalefoldLibrary&) = delete;

	bool FillTable(FTalefoldError& Error);

	void* Handle;
	FString FilePath;
	talefold_api Functions;
};
