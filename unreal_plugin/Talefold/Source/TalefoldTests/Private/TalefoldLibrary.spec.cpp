#include "Bridge/TalefoldLibrary.h"
#include "Engine/GameInstance.h"
#include "Misc/AutomationTest.h"
#include "Misc/Paths.h"
#include "TalefoldAgentComponent.h"
#include "TalefoldModule.h"
#include "TalefoldSubsystem.h"
#include "TalefoldTestGame.h"

BEGIN_DEFINE_SPEC(FTalefoldLibrarySpec, "Talefold.Library", EAutomationTestFlags::EditorContext | EAutomationTestFlags::ProductFilter)
FTalefoldError Error;

bool IsMissing() const
{
	return !FTalefoldModule::Get().GetLibrary();
}
END_DEFINE_SPEC(FTalefoldLibrarySpec)

void FTalefoldLibrarySpec::Define()
{
	Describe(TEXT("The native library"), [this] {
		It(TEXT("is looked for in the plugin, then beside the program"), [this] {
			const TArray<FString> Paths = FTalefoldLibrary::CandidatePaths(TEXT("/game/Plugins/Talefold"), TEXT("/game/Binaries"));
			TestEqual(TEXT("places"), Paths.Num(), 2);
			TestTrue(Paths[0], Paths[0].Contains(TEXT("/game/Plugins/Talefold/Binaries/ThirdParty/TalefoldLibrary/")));
			TestTrue(Paths[1], FPaths::GetPath(Paths[1]).EndsWith(TEXT("/game/Binaries")));
			TestEqual(TEXT("file"), FPaths::GetCleanFilename(Paths[0]), FPaths::GetCleanFilename(Paths[1]));
		});

		It(TEXT("is opened by its full path"), [this] {
			if (IsMissing())
			{
				AddInfo(TEXT("the library is not there"));
				return;
			}
			const FString File = FTalefoldModule::Get().GetLibrary()->Path();
			AddInfo(FString::Printf(TEXT("opened %s"), *File));
			TestFalse(TEXT("relative"), FPaths::IsRelative(File));
			TestTrue(TEXT("there"), FPaths::FileExists(File));
		});

		It(TEXT("is named with all places where it is not"), [this] {
			TestFalse(TEXT("open"), FTalefoldLibrary::Open({TEXT("/nowhere/first"), TEXT("/nowhere/second")}, Error).IsValid());
			TestEqual(TEXT("error"), Error.Name, TEXT("LibraryNotFound"));
			TestTrue(Error.Message, Error.Message.Contains(TEXT("/nowhere/first, /nowhere/second")));
		});

		It(TEXT("is refused where it is another file"), [this] {
			if (!IsMissing())
			{
				const FString Folder = FPaths::GetPath(FTalefoldModule::Get().GetLibrary()->Path());
				const FString Version = FPaths::Combine(Folder, TEXT("VERSION.json"));
				TestFalse(TEXT("open"), FTalefoldLibrary::Open({Version}, Error).IsValid());
				TestEqual(TEXT("error"), Error.Name, TEXT("LibraryIncompatible"));
			}
		});
	});

	Describe(TEXT("A game without the library"), [this] {
		It(TEXT("runs, and says why nobody talks"), [this] {
			if (!IsMissing())
			{
				AddInfo(TEXT("the library is there"));
				return;
			}
			FTalefoldTestGame Game;
			Game.Begin(TEXT("{}"));
			TestFalse(TEXT("available"), Game.Subsystem->IsAvailable());
			TestEqual(TEXT("reason"), Game.Subsystem->GetUnavailableReason().Name, TEXT("LibraryNotFound"));
			TestTrue(TEXT("failed"), Game.Listener->Has(TEXT("failed LibraryNotFound")));
			TestEqual(TEXT("request"), Game.Agent->StartTurn(TEXT("Hello?"), ETalefoldBusyPolicy::Queue, 0.0f, Error), 0);
			TestFalse(TEXT("load"), Game.Subsystem->LoadScriptedModel(TEXT("edric"), {TEXT("Aye.")}, Error));
			TestEqual(TEXT("error"), Error.Name, TEXT("LibraryNotFound"));
			Game.End();
		});
	});
}
