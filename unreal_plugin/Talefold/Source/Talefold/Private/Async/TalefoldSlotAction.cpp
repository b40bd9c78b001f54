#include "Async/TalefoldSlotAction.h"

#include "Bridge/TalefoldConversation.h"
#include "TalefoldAgentComponent.h"

void UTalefoldSlotAction::BeginWith(UTalefoldAgentComponent* InAgent, const FString& InSlotName, int32 InUserIndex)
{
	Agent = InAgent;
	SlotName = InSlotName;
	UserIndex = InUserIndex;
	BeginIn(InAgent);
}

TSharedPtr<FTalefoldConversation> UTalefoldSlotAction::FindConversation()
{
	const UTalefoldAgentComponent* Character = Agent.Get();
	const TSharedPtr<FTalefoldConversation> Conversation = Character == nullptr ? nullptr : Character->GetConversation();
	if (!Conversation)
	{
		Finish(FTalefoldError::Make(
			ETalefoldErrorCode::AgentClosed, TEXT("There is no conversation to save or to go on with"),
			TEXT("Connect the pin Agent to a character whose conversation has begun")));
	}
	return Conversation;
}

void UTalefoldSlotAction::FailSlot(const FString& Problem, const FString& Hint)
{
	Finish(FTalefoldError::Make(
		ETalefoldErrorCode::SaveSlotFailed, FString::Printf(TEXT("Save slot '%s' %s"), *SlotName, *Problem), Hint));
}
