#include "TalefoldToolCallLibrary.h"

#include "Bridge/TalefoldJson.h"

namespace
{
	/** The argument, if it is of this type. */
	TSharedPtr<FJsonValue> FindArgument(const FTalefoldToolCall& Call, const FString& Name, EJson Type, bool& bFound)
	{
		const TSharedPtr<FJsonObject> Arguments = TalefoldJson::Parse(Call.ArgumentsJson);
		const TSharedPtr<FJsonValue> Value = Arguments ? Arguments->TryGetField(Name) : nullptr;
		bFound = Value && Value->Type == Type;
		return bFound ? Value : nullptr;
	}
} // namespace

FString UTalefoldToolCallLibrary::GetTextArgument(const FTalefoldToolCall& Call, const FString& Name, bool& bFound)
{
	const TSharedPtr<FJsonValue> Value = FindArgument(Call, Name, EJson::String, bFound);
	FString Text;
	return Value && Value->TryGetString(Text) ? Text : FString();
}

int64 UTalefoldToolCallLibrary::GetIntegerArgument(const FTalefoldToolCall& Call, const FString& Name, bool& bFound)
{
	const double Number = GetNumberArgument(Call, Name, bFound);
	constexpr double Largest = 9007199254740991.0; // beyond it, a double may stand for another whole number
	bFound = bFound && Number >= -Largest && Number <= Largest && static_cast<double>(static_cast<int64>(Number)) == Number;
	return bFound ? static_cast<int64>(Number) : 0;
}

double UTalefoldToolCallLibrary::GetNumberArgument(const FTalefoldToolCall& Call, const FString& Name, bool& bFound)
{
	const TSharedPtr<FJsonValue> Value = FindArgument(Call, Name, EJson::Number, bFound);
	double Number = 0.0;
	return Value && Value->TryGetNumber(Number) ? Number : 0.0;
}

bool UTalefoldToolCallLibrary::GetBooleanArgument(const FTalefoldToolCall& Call, const FString& Name, bool& bFound)
{
	const TSharedPtr<FJsonValue> Value = FindArgument(Call, Name, EJson::Boolean, bFound);
	bool bValue = false;
	return Value && Value->TryGetBool(bValue) && bValue;
}

FString UTalefoldToolCallLibrary::MakeToolResult(const TMap<FString, FString>& Values)
{
	const TSharedRef<FJsonObject> Result = MakeShared<FJsonObject>();
	for (const TPair<FString, FString>& Value : Values)
	{
		Result->SetStringField(Value.Key, Value.Value);
	}
	return TalefoldJson::Write(Result);
}
