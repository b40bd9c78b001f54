#pragma once

#include "CoreMinimal.h"
#include "GameFramework/SaveGame.h"
#include "TalefoldConversationState.h"

#include "TalefoldSaveGame.generated.h"

/** What Save Conversation writes into a slot: one conversation. */
UCLASS(BlueprintType)
class TALEFOLD_API UTalefoldSaveGame : public USaveGame
{
	GENERATED_BODY()

public:
	UPROPERTY(BlueprintReadWrite, SaveGame, Category = "Talefold|Save")
	FTalefoldConversationState Conversation;
};
