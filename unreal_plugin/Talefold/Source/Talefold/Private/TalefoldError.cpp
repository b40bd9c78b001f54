#include "TalefoldError.h"

FTalefoldError FTalefoldError::Make(ETalefoldErrorCode Code, const FString& Message, const FString& Hint)
{
	return Make(static_cast<int32>(Code), Message, Hint);
}

FTalefoldError FTalefoldError::Make(int32 Code, const FString& Message, const FString& Hint)
{
	FTalefoldError Error;
	Error.Code = Code;
	Error.Name = TalefoldErrorName(Code);
	Error.Message = Message;
	Error.Hint = Hint;
	return Error;
}

FString FTalefoldError::ToString() const
{
	if (!IsError())
	{
		return FString();
	}
	const FString Advice = Hint.IsEmpty() ? FString() : FString::Printf(TEXT(" (%s)"), *Hint);
	return FString::Printf(TEXT("%d %s: %s%s"), Code, *Name, *Message, *Advice);
}
