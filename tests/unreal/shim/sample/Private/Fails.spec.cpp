// Each of these must fail: test_shim.py runs them apart.
#include "CoreMinimal.h"
#include "Misc/AutomationTest.h"

DECLARE_LOG_CATEGORY_EXTERN(LogSample, Log, All);
DEFINE_LOG_CATEGORY(LogSample);

DEFINE_SPEC(FFailsSpec, "Fails", EAutomationTestFlags::EditorContext | EAutomationTestFlags::EngineFilter)

void FFailsSpec::Define()
{
	It(TEXT("a test of something untrue"), [this] { TestEqual(TEXT("one"), 1, 2); });
	It(TEXT("an error in the log"), [] { UE_LOG(LogSample, Error, TEXT("broken %d"), 1); });
	It(TEXT("an expected error that does not come"), [this] {
		AddExpectedError(TEXT("broken"), EAutomationExpectedErrorFlags::Contains, 1);
	});
	It(TEXT("an expected error that comes too often"), [this] {
		AddExpectedError(TEXT("broken"), EAutomationExpectedErrorFlags::Contains, 1);
		UE_LOG(LogSample, Error, TEXT("broken once"));
		UE_LOG(LogSample, Error, TEXT("broken twice"));
	});
}
