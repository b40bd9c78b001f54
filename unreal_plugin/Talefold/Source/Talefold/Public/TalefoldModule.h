#pragma once

#include "CoreMinimal.h"
#include "Modules/ModuleInterface.h"
#include "TalefoldError.h"

class FTalefoldLibrary;
class FTalefoldWorker;

/**
 * Opens the native library when the plugin starts, and closes it when the plugin ends. Without
 * the library everything else still loads, and says why it cannot talk. Game thread.
 */
class FTalefoldModule : public IModuleInterface
{
public:
	FTalefoldModule();
	virtual ~FTalefoldModule() override;

	TALEFOLD_API static FTalefoldModule& Get();

	virtual void StartupModule() override;
	virtual void ShutdownModule() override;

	/** Null when it could not be opened: see GetLibraryError. */
	TSharedPtr<const FTalefoldLibrary> GetLibrary() const { return Library; }
	const FTalefoldError& GetLibraryError() const { return LibraryError; }

	/** Keeps a worker that has still to end an engine; it is waited for before the library goes. */
	void Retire(const TSharedRef<FTalefoldWorker>& Worker);

private:
	TSharedPtr<const FTalefoldLibrary> Library;
	FTalefoldError LibraryError;
	TArray<TSharedRef<FTalefoldWorker>> Retired;
};
