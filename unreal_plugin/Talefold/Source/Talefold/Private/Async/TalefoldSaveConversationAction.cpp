#include "Async/TalefoldSaveConversationAction.h"

#include "Bridge/TalefoldConversation.h"
#include "Kismet/GameplayStatics.h"
#include "TalefoldAgentComponent.h"
#include "TalefoldSaveGame.h"

UTalefoldSaveConversationAction* UTalefoldSaveConversationAction::SaveConversation(
	UTalefoldAgentComponent* Agent, const FString& SlotName, int32 UserIndex, bool bWithKvCache)
{
	UTalefoldSaveConversationAction* Action = NewObject<UTalefoldSaveConversationAction>();
	Action->Agent = Agent;
	Action->SlotName = SlotName;
	Action->UserIndex = UserIndex;
	Action->bWithKvCache = bWithKvCache;
	if (Agent != nullptr)
	{
		Action->RegisterWithGameInstance(Agent);
	}
	return Action;
}

void UTalefoldSaveConversationAction::Activate()
{
	const UTalefoldAgentComponent* Character = Agent.Get();
	const TSharedPtr<FTalefoldConversation> Conversation = Character == nullptr ? nullptr : Character->GetConversation();
	if (!Conversation)
	{
		Finish(FTalefoldError::Make(
			ETalefoldErrorCode::AgentClosed, TEXT("Save Conversation: there is no conversation")));
		return;
	}
	const TWeakObjectPtr<UTalefoldSaveConversationAction> Weak(this);
	Conversation->Save(bWithKvCache, [Weak](const FTalefoldConversationState& State, const FTalefoldError& Error) {
		UTalefoldSaveConversationAction* Action = Weak.Get();
		if (Action == nullptr)
		{
			return;
		}
		if (Error.IsError())
		{
			Action->Finish(Error);
			return;
		}
		Action->Write(State);
	});
}

void UTalefoldSaveConversationAction::Write(const FTalefoldConversationState& State)
{
	UTalefoldSaveGame* SaveGame = NewObject<UTalefoldSaveGame>();
	SaveGame->Conversation = State;
	const TWeakObjectPtr<UTalefoldSaveConversationAction> Weak(this);
	UGameplayStatics::AsyncSaveGameToSlot(
		SaveGame, SlotName, UserIndex,
		FAsyncSaveGameToSlotDelegate::CreateLambda([Weak](const FString& Slot, const int32, const bool bSaved) {
			if (UTalefoldSaveConversationAction* Action = Weak.Get())
			{
				Action->Finish(
					bSaved ? FTalefoldError()
						   : FTalefoldError::Make(
								 ETalefoldErrorCode::SaveSlotFailed,
								 FString::Printf(TEXT("Save slot '%s' could not be written"), *Slot),
								 TEXT("Check the name, and that there is room")));
			}
		}));
}

void UTalefoldSaveConversationAction::Finish(const FTalefoldError& Error)
{
	if (MayBroadcast())
	{
		(Error.IsError() ? OnFailed : OnSaved).Broadcast(Error);
	}
	SetReadyToDestroy();
}
