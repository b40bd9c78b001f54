#include "Misc/AutomationTest.h"

#include "ue_shim/Control.h"

#include <chrono>
#include <cstdio>
#include <thread>

namespace
{
	constexpr auto LongestTest = std::chrono::seconds(60);

	TArray<ue_shim::FMakeSpec>& Specs()
	{
		static TArray<ue_shim::FMakeSpec> All;
		return All;
	}

	void Print(const char* Verdict, const FString& Name)
	{
		std::printf("%s %s\n", Verdict, ue_shim::ToUtf8(Name.View()).c_str());
	}

	/** What the log has and should not, or should have and has not. */
	void CheckLog(FAutomationSpecBase& Spec)
	{
		using FExpected = FAutomationTestBase::FExpected;
		for (const ue_shim::FLogLine& Line : ue_shim::Log())
		{
			if (Line.Verbosity > ELogVerbosity::Error)
			{
				continue;
			}
			FExpected* const Expected = Spec.Expected.FindByPredicate([&Line](const FExpected& Each) {
				return Each.Match == EAutomationExpectedErrorFlags::Exact ? Line.Text.Equals(Each.Pattern)
																		  : Line.Text.Contains(Each.Pattern, ESearchCase::CaseSensitive);
			});
			if (Expected == nullptr)
			{
				Spec.AddError(TEXT("log: ") + Line.Text);
			}
			else
			{
				++Expected->Seen;
			}
		}
		for (const FExpected& Each : Spec.Expected)
		{
			if (Each.Occurrences == 0 ? Each.Seen == 0 : Each.Seen != Each.Occurrences)
			{
				Spec.AddError(FString::Printf(TEXT("expected in the log, and was there %d times: %s"), Each.Seen, *Each.Pattern));
			}
		}
	}

	bool Run(FAutomationSpecBase& Spec, const FAutomationSpecBase::FTest& Test)
	{
		Spec.Failures.Empty();
		Spec.Expected.Empty();
		Spec.Notes.Empty();
		ue_shim::ClearLog();
		for (const TFunction<void()>& Each : Test.Before)
		{
			Each();
		}
		const TSharedRef<bool> Done = MakeShared<bool>(false);
		Test.Body(FDoneDelegate::CreateLambda([Done] { *Done = true; }));
		const auto Start = std::chrono::steady_clock::now();
		while (!*Done)
		{
			ue_shim::TickFrame();
			std::this_thread::sleep_for(std::chrono::milliseconds(1));
			if (std::chrono::steady_clock::now() - Start > LongestTest)
			{
				Spec.AddError(TEXT("did not end"));
				break;
			}
		}
		for (int32 Index = Test.After.Num() - 1; Index >= 0; --Index)
		{
			Test.After[Index]();
		}
		CheckLog(Spec);
		Print(Spec.Failures.IsEmpty() ? "PASS" : "FAIL", Spec.Name + TEXT(" ") + Test.Name);
		for (const FString& Failure : Spec.Failures)
		{
			Print("    ", Failure);
		}
		for (const FString& Note : Spec.Notes)
		{
			Print("INFO", Note);
		}
		std::fflush(stdout);
		return Spec.Failures.IsEmpty();
	}
} // namespace

ue_shim::FRegisterSpec::FRegisterSpec(FMakeSpec Make)
{
	Specs().Add(Make);
}

int32 ue_shim::RunSpecs(const FString& Filter)
{
	int32 Failed = 0;
	for (const FMakeSpec Make : Specs())
	{
		const std::unique_ptr<FAutomationSpecBase> Spec(Make());
		Spec->Define();
		for (const FAutomationSpecBase::FTest& Test : Spec->Tests)
		{
			if ((Spec->Name + TEXT(" ") + Test.Name).Contains(Filter))
			{
				Failed += Run(*Spec, Test) ? 0 : 1;
			}
		}
	}
	return Failed;
}
