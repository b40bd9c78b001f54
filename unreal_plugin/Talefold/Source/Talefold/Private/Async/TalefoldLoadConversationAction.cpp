#include "Async/TalefoldLoadConversationAction.h"

#include "Bridge/TalefoldConversation.h"
#include "Kismet/GameplayStatics.h"
#include "TalefoldAgentComponent.h"
#include "TalefoldSaveGame.h"

UTalefoldLoadConversationAction* UTalefoldLoadConversationAction::LoadConversation(
	UTalefoldAgentComponent* Agent, const FString& SlotName, int32 UserIndex)
{
	UTalefoldLoadConversationAction* Action = NewObject<UTalefoldLoadConversationAction>();
	Action->BeginWith(Agent, SlotName, UserIndex);
	return Action;
}

UTalefoldLoadConversationAction* UTalefoldLoadConversationAction::RestoreConversation(
	UTalefoldAgentComponent* Agent, const FTalefoldConversationState& State)
{
	UTalefoldLoadConversationAction* Action = LoadConversation(Agent, FString(), 0);
	Action->State = State;
	return Action;
}

void UTalefoldLoadConversationAction::Activate()
{
	if (SlotName.IsEmpty())
	{
		Restore();
		return;
	}
	const TWeakObjectPtr<UTalefoldLoadConversationAction> Weak(this);
	UGameplayStatics::AsyncLoadGameFromSlot(
		SlotName, UserIndex,
		FAsyncLoadGameFromSlotDelegate::CreateLambda([Weak](const FString& /*Slot*/, const int32, USaveGame* Loaded) {
			UTalefoldLoadConversationAction* Action = Weak.Get();
			if (Action == nullptr || Action->HasEnded()) // cancelled: the conversation stays
			{
				return;
			}
			const UTalefoldSaveGame* SaveGame = Cast<UTalefoldSaveGame>(Loaded);
			if (SaveGame == nullptr)
			{
				Action->FailSlot(TEXT("has no conversation"), TEXT("Save Conversation writes such slots"));
				return;
			}
			Action->State = SaveGame->Conversation;
			Action->Restore();
		}));
}

void UTalefoldLoadConversationAction::Restore()
{
	const TSharedPtr<FTalefoldConversation> Conversation = FindConversation();
	if (!Conversation)
	{
		return;
	}
	const TWeakObjectPtr<UTalefoldLoadConversationAction> Weak(this);
	Conversation->Restore(State, [Weak](const FTalefoldError& Error) {
		if (UTalefoldLoadConversationAction* Action = Weak.Get())
		{
			Action->Finish(Error);
		}
	});
}

void UTalefoldLoadConversationAction::TellEnd(const FTalefoldError& Error)
{
	(Error.IsError() ? OnFailed : OnLoaded).Broadcast(Error);
}
