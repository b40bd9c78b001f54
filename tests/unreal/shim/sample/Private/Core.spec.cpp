// Texts, containers, formats, queues, threads, paths.
#include "Containers/Queue.h"
#include "Containers/StringConv.h"
#include "Containers/Ticker.h"
#include "CoreMinimal.h"
#include "EndsProgram.h"
#include "HAL/PlatformProcess.h"
#include "HAL/Event.h"
#include "HAL/RunnableThread.h"
#include "Misc/AutomationTest.h"
#include "Misc/FileHelper.h"
#include "Misc/Paths.h"

#include <thread>

DEFINE_SPEC(FShimCoreSpec, "Shim.Core", EAutomationTestFlags::EditorContext | EAutomationTestFlags::EngineFilter)

namespace
{
	struct FStoppable final : FRunnable
	{
		FEventRef Stopped{EEventMode::ManualReset};
		bool bInit = false;
		bool bExit = false;
		virtual bool Init() override { return bInit = !IsInGameThread(); }
		virtual uint32 Run() override
		{
			Stopped->Wait();
			return 0;
		}
		virtual void Stop() override { Stopped->Trigger(); }
		virtual void Exit() override { bExit = true; }
	};
} // namespace

void FShimCoreSpec::Define()
{
	Describe(TEXT("A text"), [this] {
		It(TEXT("is compared without case unless told otherwise"), [this] {
			const FString Text = TEXT("Edric");
			TestTrue(TEXT("=="), Text == TEXT("eDRIC"));
			TestFalse(TEXT("Equals"), Text.Equals(TEXT("edric")));
			TestTrue(TEXT("Equals, told"), Text.Equals(TEXT("edric"), ESearchCase::IgnoreCase));
			TestTrue(TEXT("Contains"), Text.Contains(TEXT("DRI")));
			TestFalse(TEXT("Contains, told"), Text.Contains(TEXT("DRI"), ESearchCase::CaseSensitive));
			TestTrue(TEXT("StartsWith"), Text.StartsWith(TEXT("ed")));
			TestTrue(TEXT("EndsWith"), Text.EndsWith(TEXT("RIC")));
			TestTrue(TEXT("FName"), FName(TEXT("Edric")) == FName(TEXT("edric")));
			TMap<FString, int32> Map;
			Map.Add(TEXT("Key"), 1);
			Map.Add(TEXT("KEY"), 2);
			TestEqual(TEXT("keys"), Map.Num(), 1);
			TestEqual(TEXT("value"), Map.FindRef(TEXT("key")), 2);
		});
		It(TEXT("is counted and cut in units of UTF-16"), [this] {
			const FString Wolf = TEXT("\U0001F43A!");
			TestEqual(TEXT("units"), Wolf.Len(), 3);
			const FString Half = Wolf.Left(1);
			TestEqual(TEXT("half"), Half.Len(), 1);
			const FTCHARToUTF8 Cut(*Half);
			TestEqual(TEXT("half a pair is no letter"), FString(FUTF8ToTCHAR(Cut.Get()).Get()), TEXT("?"));
			TestEqual(TEXT("negative"), Wolf.Left(-1), TEXT(""));
		});
		It(TEXT("is converted with and without a length"), [this] {
			const FString Text = TEXT("\u00bfQu\u00e9? \u4f60\U0001F43A");
			const FTCHARToUTF8 Utf8(*Text, Text.Len());
			TestEqual(TEXT("bytes"), Utf8.Length(), 15);
			const FUTF8ToTCHAR Back(Utf8.Get(), Utf8.Length());
			TestTrue(TEXT("same"), FString::ConstructFromPtrSize(Back.Get(), Back.Length()).Equals(Text));
			TestTrue(TEXT("an empty text is not none"), FTCHARToUTF8(TEXT(""), 0).Get() != nullptr);
		});
		It(TEXT("is formatted by what the format says"), [this] {
			const int64 Long = -5;
			TestEqual(TEXT("all"), FString::Printf(TEXT("%s %hs %d %lld %u %.2f %%"), TEXT("a"), "b", -1, Long, 2u, 0.5), TEXT("a b -1 -5 2 0.50 %"));
			const FText Pattern = FText::FromString(TEXT("{1}, {0}"));
			TestEqual(TEXT("FText"), FText::Format(Pattern, FText::FromString(TEXT("a")), FText::FromString(TEXT("b"))).ToString(), TEXT("b, a"));
		});
	});

	Describe(TEXT("An array"), [this] {
		It(TEXT("ends the program out of bounds"), [this] {
			TArray<int32> Numbers = {1, 2};
			TestTrue(TEXT("[2]"), EndsProgram([Numbers]() mutable { Numbers[2] = 0; }));
			TestTrue(TEXT("[-1]"), EndsProgram([Numbers]() mutable { Numbers[-1] = 0; }));
			TestTrue(TEXT("Last of none"), EndsProgram([] { TArray<int32>().Last() = 0; }));
		});
		It(TEXT("ends the program when it adds its own element"), [this] {
			TArray<FString> Texts = {TEXT("a")};
			TestTrue(TEXT("Add"), EndsProgram([Texts]() mutable { Texts.Add(Texts[0]); }));
		});
		It(TEXT("ends the program when it is changed while it is gone through"), [this] {
			TestTrue(TEXT("Add"), EndsProgram([] {
				TArray<int32> Numbers = {1, 2};
				for (const int32 Number : Numbers)
				{
					Numbers.Add(Number + 1);
				}
			}));
		});
	});

	Describe(TEXT("A queue"), [this] {
		It(TEXT("of one producer ends the program at a second"), [this] {
			TestTrue(TEXT("Spsc"), EndsProgram([] {
				TQueue<int32> Queue;
				Queue.Enqueue(1);
				std::thread([&Queue] { Queue.Enqueue(2); }).join();
			}));
			TestFalse(TEXT("Mpsc"), EndsProgram([] {
				TQueue<int32, EQueueMode::Mpsc> Queue;
				Queue.Enqueue(1);
				std::thread([&Queue] { Queue.Enqueue(2); }).join();
			}));
		});
	});

	Describe(TEXT("A thread"), [this] {
		It(TEXT("runs elsewhere, and is stopped by its end"), [this] {
			FStoppable Runnable;
			delete FRunnableThread::Create(&Runnable, TEXT("Sample"));
			TestTrue(TEXT("Init"), Runnable.bInit);
			TestTrue(TEXT("Exit"), Runnable.bExit);
		});
	});

	Describe(TEXT("The ticker"), [this] {
		LatentIt(TEXT("calls from the next frame on while it is wanted"), [this](const FDoneDelegate& Done) {
			const TSharedRef<int32> Calls = MakeShared<int32>(0);
			FTSTicker::GetCoreTicker().AddTicker(FTickerDelegate::CreateLambda([Calls](float) { return ++*Calls < 3; }));
			TestEqual(TEXT("at once"), *Calls, 0);
			FTSTicker::GetCoreTicker().AddTicker(FTickerDelegate::CreateLambda([this, Calls, Done, Frames = 0](float) mutable {
				if (++Frames < 6)
				{
					return true;
				}
				TestEqual(TEXT("calls"), *Calls, 3);
				Done.Execute();
				return false;
			}));
		});
		LatentIt(TEXT("does not call what was removed, and waits for a delay"), [this](const FDoneDelegate& Done) {
			const FTSTicker::FDelegateHandle Removed = FTSTicker::GetCoreTicker().AddTicker(FTickerDelegate::CreateLambda([this](float) {
				AddError(TEXT("called"));
				return true;
			}));
			FTSTicker::GetCoreTicker().RemoveTicker(Removed);
			const TSharedRef<int32> Frames = MakeShared<int32>(0);
			FTSTicker::GetCoreTicker().AddTicker(FTickerDelegate::CreateLambda([Frames](float) { return ++*Frames < 100; }));
			FTSTicker::GetCoreTicker().AddTicker(
				FTickerDelegate::CreateLambda([this, Frames, Done](float) {
					TestTrue(TEXT("frames before"), *Frames > 3);
					*Frames = 100;
					Done.Execute();
					return false;
				}),
				0.1f);
		});
	});

	Describe(TEXT("A path"), [this] {
		It(TEXT("of the project is relative to the program"), [this] {
			TestTrue(TEXT("relative"), FPaths::IsRelative(FPaths::ProjectDir()));
			TestFalse(TEXT("full"), FPaths::IsRelative(FPaths::ConvertRelativePathToFull(FPaths::ProjectDir())));
			TestTrue(TEXT("there"), FPaths::DirectoryExists(FPaths::ProjectDir()));
		});
		It(TEXT("has a file where one was written"), [this] {
			const FString File = FPaths::Combine(FPaths::ProjectDir(), TEXT("a b/c.txt"));
			TestTrue(TEXT("written"), FFileHelper::SaveStringToFile(TEXT("text"), *File));
			TestTrue(TEXT("there"), FPaths::FileExists(File));
			TestFalse(TEXT("a folder"), FFileHelper::SaveStringToFile(TEXT("text"), *FPaths::GetPath(File)));
		});
		It(TEXT("has a folder and a name"), [this] {
			TestEqual(TEXT("folder"), FPaths::GetPath(TEXT("/a b/c/d.so")), TEXT("/a b/c"));
			TestEqual(TEXT("name"), FPaths::GetCleanFilename(TEXT("/a b/c/d.so")), TEXT("d.so"));
		});
		It(TEXT("of a library must be full"), [this] {
			TestTrue(TEXT("name"), EndsProgram([] { FPlatformProcess::GetDllHandle(TEXT("libm.so.6")); }));
			TestTrue(TEXT("missing"), FPlatformProcess::GetDllHandle(TEXT("/nowhere/lib.so")) == nullptr);
		});
	});
}
