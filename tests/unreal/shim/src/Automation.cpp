#include "ue_shim/Automation.h"

#include "ue_shim/Control.h"

#include <chrono>
#include <cstdio>

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

	/** As with the engine, an error in the log that the test did not expect fails it. */
	void CheckLog(FAutomationSpecBase& Spec)
	{
		for (const ue_shim::FLogLine& Line : ue_shim::Log())
		{
			const bool bExpected =
				Spec.ExpectedErrors.ContainsByPredicate([&Line](const FString& Part) { return Line.Text.Contains(Part); });
			if (Line.Verbosity <= ELogVerbosity::Error && !bExpected)
			{
				Spec.AddError(TEXT("log: ") + Line.Text);
			}
		}
	}

	bool Run(FAutomationSpecBase& Spec, const FAutomationSpecBase::FTest& Test)
	{
		Spec.Failures.Empty();
		Spec.ExpectedErrors.Empty();
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
