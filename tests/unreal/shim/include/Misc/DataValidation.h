// https://dev.epicgames.com/documentation/en-us/unreal-engine/data-validation-in-unreal-engine
#pragma once

#include "Internationalization/Text.h"

enum class EDataValidationResult : uint8
{
	Invalid,
	Valid,
	NotValidated
};
EDataValidationResult CombineDataValidationResults(EDataValidationResult First, EDataValidationResult Second);
class FDataValidationContext
{
public:
	void AddError(const FText& Text) { Errors.Add(Text); }
	void AddWarning(const FText& Text) { Warnings.Add(Text); }
	uint32 GetNumErrors() const { return static_cast<uint32>(Errors.Num()); }
	void SplitIssues(TArray<FText>& OutWarnings, TArray<FText>& OutErrors) const
	{
		OutWarnings = Warnings;
		OutErrors = Errors;
	}

private:
	TArray<FText> Errors;
	TArray<FText> Warnings;
};
