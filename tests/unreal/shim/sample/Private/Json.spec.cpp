#include "CoreMinimal.h"
#include "Misc/AutomationTest.h"
#include "Policies/CondensedJsonPrintPolicy.h"
#include "Serialization/JsonSerializer.h"

BEGIN_DEFINE_SPEC(FShimJsonSpec, "Shim.Json", EAutomationTestFlags::EditorContext | EAutomationTestFlags::EngineFilter)
TSharedPtr<FJsonObject> Read(const TCHAR* Text) const
{
	TSharedPtr<FJsonObject> Object;
	FJsonSerializer::Deserialize(TJsonReaderFactory<TCHAR>::Create(Text), Object);
	return Object;
}
FString Write(const TSharedPtr<FJsonObject>& Object) const
{
	FString Text;
	FJsonSerializer::Serialize(Object.ToSharedRef(), TJsonWriterFactory<TCHAR, TCondensedJsonPrintPolicy<TCHAR>>::Create(&Text));
	return Text;
}
END_DEFINE_SPEC(FShimJsonSpec)

void FShimJsonSpec::Define()
{
	Describe(TEXT("A JSON object"), [this] {
		It(TEXT("is read and written, condensed"), [this] {
			const TCHAR* const Text = TEXT("{\"a\":[1,-0.5,true,null],\"b\":{\"c\":\"\\\"\\u4f60\\uD83D\\uDC3A\"}}");
			TestEqual(TEXT("same"), Write(Read(Text)), TEXT("{\"a\":[1,-0.5,true,null],\"b\":{\"c\":\"\\\"\u4f60\U0001F43A\"}}"));
			TestTrue(TEXT("cut"), Read(TEXT("{\"a\":")) == nullptr);
			TestTrue(TEXT("no object"), Read(TEXT("[1]")) == nullptr);
		});
		It(TEXT("has numbers that are doubles, and keys without case"), [this] {
			double Number = 0;
			TestTrue(TEXT("number"), Read(TEXT("{\"Id\":9007199254740993}"))->TryGetNumberField(TEXT("id"), Number));
			TestTrue(TEXT("rounded"), Number == 9007199254740992.0);
			int32 Small = 5;
			TestFalse(TEXT("too large"), Read(TEXT("{\"id\":4294967296}"))->TryGetNumberField(TEXT("id"), Small));
			TestEqual(TEXT("unchanged"), Small, 5);
		});
		It(TEXT("converts where it can"), [this] {
			FString Text;
			double Number = 0;
			bool bTruth = false;
			const TSharedPtr<FJsonObject> Object = Read(TEXT("{\"n\":1,\"s\":\"2.5\",\"b\":true,\"t\":\"x\",\"z\":null}"));
			TestTrue(TEXT("number as text"), Object->TryGetStringField(TEXT("n"), Text));
			TestTrue(TEXT("text as number"), Object->TryGetNumberField(TEXT("s"), Number) && Number == 2.5);
			TestTrue(TEXT("truth as text"), Object->TryGetStringField(TEXT("b"), Text) && Text == TEXT("true"));
			TestTrue(TEXT("number as truth"), Object->TryGetBoolField(TEXT("n"), bTruth) && bTruth);
			TestFalse(TEXT("letters as number"), Object->TryGetNumberField(TEXT("t"), Number));
			TestFalse(TEXT("null as text"), Object->TryGetStringField(TEXT("z"), Text));
		});
		It(TEXT("logs an error for what it cannot be"), [this] {
			AddExpectedError(TEXT("Json Value of type 'Null' used as a 'String'."), EAutomationExpectedErrorFlags::Contains, 1);
			TestEqual(TEXT("empty"), FJsonValueNull().AsString(), TEXT(""));
		});
	});
}
