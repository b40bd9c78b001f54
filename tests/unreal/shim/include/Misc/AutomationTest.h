// Automation specs: Describe, It, LatentIt. An error in the log that was not expected fails the test, and
// so does one that was expected and did not come, as often as was said.
// https://dev.epicgames.com/documentation/en-us/unreal-engine/automation-spec-in-unreal-engine
// https://dev.epicgames.com/documentation/en-us/unreal-engine/API/Runtime/Core/FAutomationTestBase
#pragma once

#include "Delegates/Delegate.h"

namespace EAutomationTestFlags
{
	enum Type
	{
		EditorContext = 1,
		ClientContext = 2,
		ProductFilter = 4,
		EngineFilter = 8
	};
} // namespace EAutomationTestFlags

namespace EAutomationExpectedErrorFlags
{
	enum MatchType
	{
		Exact,
		Contains
	};
} // namespace EAutomationExpectedErrorFlags

using FDoneDelegate = FSimpleDelegate;

class FAutomationTestBase
{
public:
	explicit FAutomationTestBase(const FString& InName)
		: Name(InName)
	{
	}
	virtual ~FAutomationTestBase() = default;

	bool TestTrue(const FString& What, bool bValue) { return Test(What, bValue, TEXT("true was expected")); }
	bool TestFalse(const FString& What, bool bValue) { return Test(What, !bValue, TEXT("false was expected")); }
	/** Without case, as FString compares. */
	bool TestEqual(const FString& What, const FString& Found, const FString& Wanted)
	{
		return Test(What, Found == Wanted, FString::Printf(TEXT("expected '%s', found '%s'"), *Wanted, *Found));
	}
	bool TestEqual(const FString& What, int32 Found, int32 Wanted)
	{
		return Test(What, Found == Wanted, FString::Printf(TEXT("expected %d, found %d"), Wanted, Found));
	}
	bool TestEqual(const FString& What, uint32 Found, uint32 Wanted)
	{
		return TestEqual(What, static_cast<int32>(Found), static_cast<int32>(Wanted));
	}
	void AddError(const FString& Text) { Failures.Add(Text); }
	void AddInfo(const FString& Text) { Notes.Add(Text); }
	/** Occurrences: exactly so many; 0 = one or more. The pattern is a regular expression: keep it plain. */
	void AddExpectedError(
		const FString& Pattern, EAutomationExpectedErrorFlags::MatchType Match = EAutomationExpectedErrorFlags::Exact,
		int32 Occurrences = 1)
	{
		Expected.Add({Pattern, Match, Occurrences});
	}

	// The shim's own.
	struct FExpected
	{
		FString Pattern;
		EAutomationExpectedErrorFlags::MatchType Match;
		int32 Occurrences;
		int32 Seen = 0;
	};
	FString Name;
	TArray<FString> Failures;
	TArray<FString> Notes;
	TArray<FExpected> Expected;

private:
	bool Test(const FString& What, bool bHolds, const FString& Why)
	{
		if (!bHolds)
		{
			AddError(What + TEXT(": ") + Why);
		}
		return bHolds;
	}
};

class FAutomationSpecBase : public FAutomationTestBase
{
public:
	using FAutomationTestBase::FAutomationTestBase;

	virtual void Define() = 0;

	struct FTest
	{
		FString Name;
		TArray<TFunction<void()>> Before;
		TArray<TFunction<void()>> After;
		TFunction<void(const FDoneDelegate&)> Body;
	};
	TArray<FTest> Tests;

protected:
	void Describe(const FString& What, TFunction<void()> Body)
	{
		const TArray<TFunction<void()>> OuterBefore = BeforeEach_;
		const TArray<TFunction<void()>> OuterAfter = AfterEach_;
		Path.Add(What);
		Body();
		Path.RemoveAt(Path.Num() - 1);
		BeforeEach_ = OuterBefore;
		AfterEach_ = OuterAfter;
	}
	void BeforeEach(TFunction<void()> Body) { BeforeEach_.Add(std::move(Body)); }
	void AfterEach(TFunction<void()> Body) { AfterEach_.Add(std::move(Body)); }
	void It(const FString& What, TFunction<void()> Body)
	{
		LatentIt(What, [Body](const FDoneDelegate& Done) {
			Body();
			Done.Execute();
		});
	}
	void LatentIt(const FString& What, TFunction<void(const FDoneDelegate&)> Body)
	{
		Tests.Add({FString::Join(Path, TEXT(" ")) + TEXT(" ") + What, BeforeEach_, AfterEach_, std::move(Body)});
	}

private:
	TArray<FString> Path;
	TArray<TFunction<void()>> BeforeEach_;
	TArray<TFunction<void()>> AfterEach_;
};

namespace ue_shim
{
	using FMakeSpec = FAutomationSpecBase* (*)();
	struct FRegisterSpec
	{
		explicit FRegisterSpec(FMakeSpec Make);
	};
	/** Runs those whose name contains Filter; prints a line for each; the number of failures. */
	int32 RunSpecs(const FString& Filter);
} // namespace ue_shim

#define UE_SHIM_SPEC_NAME(Literal) u##Literal
#define BEGIN_DEFINE_SPEC(Class, PrettyName, Flags)              \
	class Class : public FAutomationSpecBase                     \
	{                                                            \
	public:                                                      \
		Class()                                                  \
			: FAutomationSpecBase(UE_SHIM_SPEC_NAME(PrettyName)) \
		{                                                        \
			(void)(Flags);                                       \
		}                                                        \
		void Define() override;
#define END_DEFINE_SPEC(Class) \
	}                          \
	;                          \
	static const ue_shim::FRegisterSpec Class##Registered([]() -> FAutomationSpecBase* { return new Class(); });
#define DEFINE_SPEC(Class, PrettyName, Flags)   \
	BEGIN_DEFINE_SPEC(Class, PrettyName, Flags) \
	END_DEFINE_SPEC(Class)
