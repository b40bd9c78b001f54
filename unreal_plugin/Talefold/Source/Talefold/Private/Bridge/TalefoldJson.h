#pragma once

#include "CoreMinimal.h"
#include "Dom/JsonObject.h"
#include "TalefoldFoundRecord.h"
#include "TalefoldTranscript.h"

/** JSON of the library's results. Any thread. */
namespace TalefoldJson
{
	/** Null when the text is no JSON object. */
	TSharedPtr<FJsonObject> Parse(const FString& Json);

	/** Of an array: its objects. */
	TArray<TSharedPtr<FJsonObject>> ParseObjects(const FString& Json);

	/** Without line breaks. */
	FString Write(const TSharedRef<FJsonObject>& Object);

	FString WriteArray(const TArray<TSharedPtr<FJsonValue>>& Values);

	/** A text member of an object; empty when it is not there. */
	FString ReadField(const FString& Json, const FString& Name);

	/** ["a", "b"] */
	TArray<FString> ReadTexts(const FString& Json);

	/** The names of [{"name": ...}]. */
	TArray<FString> ReadNames(const FString& Json);

	/** An object of texts, as of node events. */
	TMap<FString, FString> ReadPairs(const FString& Json);

	FTalefoldInteraction ReadInteraction(const FJsonObject& Object);
	TArray<FTalefoldInteraction> ReadDialog(const FString& Json);
	FTalefoldSummary ReadSummary(const FString& Json);
	TArray<FTalefoldPin> ReadPins(const FString& Json);
	TArray<FTalefoldFoundRecord> ReadFoundRecords(const FString& Json);
} // namespace TalefoldJson
