#pragma once

#include "CoreMinimal.h"
#include "TalefoldError.h"
#include "TalefoldFoundRecord.h"
#include "TalefoldTranscript.h"
#include "TalefoldTurn.h"
#include "UObject/Object.h"

#include "TalefoldTestListener.generated.h"

class UTalefoldAgentComponent;
class UTalefoldLoadConversationAction;
class UTalefoldLoadAction;
class UTalefoldSaveConversationAction;
class UTalefoldSayAction;
class UTalefoldSearchKnowledgeAction;

/** Writes down what the plugin tells, a line each. */
UCLASS()
class UTalefoldTestListener : public UObject
{
	GENERATED_BODY()

public:
	/** Binds all events of a component. */
	void Listen(UTalefoldAgentComponent* Agent);
	void Listen(UTalefoldSayAction* Action);
	void Listen(UTalefoldLoadAction* Action);
	void Listen(UTalefoldSaveConversationAction* Action);
	void Listen(UTalefoldLoadConversationAction* Action);
	void Listen(UTalefoldSearchKnowledgeAction* Action);

	bool Has(const FString& Line) const { return Lines.Contains(Line); }
	int32 Count(const FString& Line) const;

	TArray<FString> Lines;
	FTalefoldTurnResult LastResult;
	FTalefoldToolCall LastCall;
	FTalefoldError LastError;
	TArray<FTalefoldFoundRecord> LastFound;
	TArray<uint8> Audio;

	/** The next event ends the conversation. */
	UPROPERTY()
	TObjectPtr<UTalefoldAgentComponent> EndsAtDelta;

	UFUNCTION()
	void TakeReady();
	UFUNCTION()
	void TakeFailed(const FTalefoldError& Error);
	UFUNCTION()
	void TakeStarted(int32 Request);
	UFUNCTION()
	void TakeText(int32 Request, const FString& Node, const FString& Text, bool bIsDelta, bool bIsFinal);
	UFUNCTION()
	void TakeAudio(int32 Request, const FTalefoldAudioChunk& Chunk);
	UFUNCTION()
	void TakeFinished(const FTalefoldTurnResult& Result);
	UFUNCTION()
	void TakeToolCall(int32 Request, const FTalefoldToolCall& Call);
	UFUNCTION()
	void TakeSummary(const FString& Summary, int32 CoveredThrough);
	UFUNCTION()
	void TakeNodeEvent(int32 Request, const FTalefoldNodeEvent& Event);
	UFUNCTION()
	void TakeSayDelta(const FString& Text, const FTalefoldTurnResult& Result);
	UFUNCTION()
	void TakeSayComplete(const FString& Text, const FTalefoldTurnResult& Result);
	UFUNCTION()
	void TakeSayFailed(const FString& Text, const FTalefoldTurnResult& Result);
	UFUNCTION()
	void TakeSayCancelled(const FString& Text, const FTalefoldTurnResult& Result);
	UFUNCTION()
	void TakeProgress(float Progress, const FTalefoldError& Error);
	UFUNCTION()
	void TakeLoaded(float Progress, const FTalefoldError& Error);
	UFUNCTION()
	void TakeLoadFailed(float Progress, const FTalefoldError& Error);
	UFUNCTION()
	void TakeSaved(const FTalefoldError& Error);
	UFUNCTION()
	void TakeSaveFailed(const FTalefoldError& Error);
	UFUNCTION()
	void TakeRestored(const FTalefoldError& Error);
	UFUNCTION()
	void TakeRestoreFailed(const FTalefoldError& Error);
	UFUNCTION()
	void TakeFound(const TArray<FTalefoldFoundRecord>& Records, const FTalefoldError& Error);
	UFUNCTION()
	void TakeSearchFailed(const TArray<FTalefoldFoundRecord>& Records, const FTalefoldError& Error);
};
