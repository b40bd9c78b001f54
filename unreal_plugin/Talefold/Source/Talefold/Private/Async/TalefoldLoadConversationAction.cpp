#include "Async/TalefoldLoadConversationAction.h"

#include "Bridge/TalefoldConversation.h"
#include "Kismet/GameplayStatics.h"
#include "TalefoldAgentComponent.h"
#include "TalefoldSaveGame.h"

UTalefoldLoadConversationAction* UTalefoldLoadConversationAction::LoadConversation(
	UTalefoldAgentComponent* Agent, const FString& SlotName, int32 UserIndex)
{
	UTalefoldLoadConversationAction* Action = RestoreConversation(Agent, FTalefoldConversationState());
	Action->SlotName = SlotName;
	Action->UserIndex = UserIndex;
	return Action;
}

UTalefoldLoadConversationAction* UTalefoldLoadConversationAction::RestoreConversation(
	UTalefoldAgentComponent* Agent, const FTalefoldConversationState& State)
{
	UTalefoldLoadConversationAction* Action = NewObject<UTalefoldLoadConversationAction>();
	Action->Agent = Agent;
	Action->State = State;
	if (Agent != nullptr)
	{
		Action->RegisterWithGameInstance(Agent);
	}
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
		FAsyncLoadGameFromSlotDelegate::CreateLambda([Weak](const FString& Slot, const int32, USaveGame* Loaded) {
			UTalefoldLoadConversationAction* Action = Weak.Get();
			if (Action == nullptr)
			{
				return;
			}
			const UTalefoldSaveGame* SaveGame = Cast<UTalefoldSaveGame>(Loaded);
			if (SaveGame == nullptr)
			{
				Action->FinishSlot(FString::Printf(TEXT("Save slot '%s' has no conversation"), *Slot));
				return;
			}
			Action->State = SaveGame->Conversation;
			Action->Restore();
		}));
}

void UTalefoldLoadConversationAction::Restore()
{
	const UTalefoldAgentComponent* Character = Agent.Get();
	const TSharedPtr<FTalefoldConversation> Conversation = Character == nullptr ? nullptr : Character->GetConversation();
	if (!Conversation)
	{
		Finish(FTalefoldError::Make(
			ETalefoldErrorCode::AgentClosed, TEXT("Load Conversation: there is no conversation")));
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

void UTalefoldLoadConversationAction::FinishSlot(const FString& Message)
{
	Finish(FTalefoldError::Make(
		ETalefoldErrorCode::SaveSlotFailed, Message, TEXT("Save Conversation writes such slots")));
}

void UTalefoldLoadConversationAction::Finish(const FTalefoldError& Error)
{
	if (MayBroadcast())
	{
		(Error.IsError() ? OnFailed : OnLoaded).Broadcast(Error);
	}
	SetReadyToDestroy();
}
