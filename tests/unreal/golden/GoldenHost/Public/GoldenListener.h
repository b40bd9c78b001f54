#pragma once

#include "CoreMinimal.h"
#include "Dom/JsonObject.h"
#include "TalefoldTurn.h"
#include "UObject/Object.h"

#include "GoldenListener.generated.h"

class UTalefoldAgentComponent;

/** Keeps a component's events as the scenarios' plain values. */
UCLASS()
class UGoldenListener : public UObject
{
	GENERATED_BODY()

public:
	void Listen(UTalefoldAgentComponent* Agent);

	struct FTurn
	{
		bool bStarted = false;
		bool bFinished = false;
		FTalefoldTurnResult Result;
		TArray<TSharedPtr<FJsonValue>> Events; // that were not taken yet
	};
	FTurn& Turn(int32 Request) { return Turns.FindOrAdd(Request); }

	bool bReady = false;
	int32 FailedCode = 0;

	UFUNCTION()
	void TakeReady();
	UFUNCTION()
	void TakeFailed(const FTalefoldError& Error);
	UFUNCTION()
	void TakeStarted(int32 Request);
	UFUNCTION()
	void TakeText(int32 Request, const FString& Node, const FString& Text, bool bIsDelta, bool bIsFinal);
	UFUNCTION()
	void TakeNodeEvent(int32 Request, const FTalefoldNodeEvent& Event);
	UFUNCTION()
	void TakeFinished(const FTalefoldTurnResult& Result);

private:
	TMap<int32, FTurn> Turns; // 0 = beside turns
};
