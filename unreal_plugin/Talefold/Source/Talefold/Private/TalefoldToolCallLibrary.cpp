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
	return Value ? Value->AsString() : FString();
}

int64 UTalefoldToolCallLibrary::GetIntegerArgument(const FTalefoldToolCall& Call, const FString& Name, bool& bFound)
{
	return static_cast<int64>(GetNumberArgument(Call, Name, bFound));
}

double UTalefoldToolCallLibrary::GetNumberArgument(const FTalefoldToolCall& Call, const FString& Name, bool& bFound)
{
	const TSharedPtr<FJsonValue> Value = FindArgument(Call, Name, EJson::Number, bFound);
	return Value ? Value->AsNumber() : 0.0;
}

bool UTalefoldToolCallLibrary::GetBooleanArgument(const FTalefoldToolCall& Call, const FString& Name, bool& bFound)
{
	const TSharedPtr<FJsonValue> Value = FindArgument(Call, Name, EJson::Boolean, bFound);
	return Value && Value->AsBool();
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
