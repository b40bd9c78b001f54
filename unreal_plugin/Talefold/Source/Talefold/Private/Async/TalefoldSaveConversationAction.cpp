#include "Async/TalefoldSaveConversationAction.h"

#include "Bridge/TalefoldConversation.h"
#include "Kismet/GameplayStatics.h"
#include "TalefoldAgentComponent.h"
#include "TalefoldSaveGame.h"

UTalefoldSaveConversationAction* UTalefoldSaveConversationAction::SaveConversation(
	UTalefoldAgentComponent* Agent, const FString& SlotName, int32 UserIndex, bool bWithKvCache)
{
	UTalefoldSaveConversationAction* Action = NewObject<UTalefoldSaveConversationAction>();
	Action->bWithKvCache = bWithKvCache;
	Action->BeginWith(Agent, SlotName, UserIndex);
	return Action;
}

void UTalefoldSaveConversationAction::Activate()
{
	const TSharedPtr<FTalefoldConversation> Conversation = FindConversation();
	if (!Conversation)
	{
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
	if (HasEnded()) // cancelled: the slot keeps what it has
	{
		return;
	}
	UTalefoldSaveGame* SaveGame = NewObject<UTalefoldSaveGame>();
	SaveGame->Conversation = State;
	const TWeakObjectPtr<UTalefoldSaveConversationAction> Weak(this);
	UGameplayStatics::AsyncSaveGameToSlot(
		SaveGame, SlotName, UserIndex,
		FAsyncSaveGameToSlotDelegate::CreateLambda([Weak](const FString& /*Slot*/, const int32, const bool bSaved) {
			UTalefoldSaveConversationAction* Action = Weak.Get();
			if (Action == nullptr)
			{
				return;
			}
			if (!bSaved)
			{
				Action->FailSlot(TEXT("could not be written"), TEXT("Check the name, and that there is room"));
				return;
			}
			Action->Finish(FTalefoldError());
		}));
}

void UTalefoldSaveConversationAction::TellEnd(const FTalefoldError& Error)
{
	(Error.IsError() ? OnFailed : OnSaved).Broadcast(Error);
}
