#pragma once

#include "Containers/Ticker.h"
#include "CoreMinimal.h"
#include "Misc/AutomationTest.h"
#include "TalefoldTestListener.h"

class AActor;
class UGameInstance;
class UTalefoldAgentComponent;
class UTalefoldGraphAsset;
class UTalefoldSubsystem;

/** A game instance with a character whose model is a script. Begin and End it in each test. */
class FTalefoldTestGame
{
public:
	/** Options of the scripted model, as JSON. */
	void Begin(const FString& ModelOptions);
	/** Ends actors and game instance, collects garbage. Again: nothing. */
	void End(bool bInstanceFirst = false);

	/** A graph of a node that generates, `reply`, and streams. */
	static UTalefoldGraphAsset* MakeGraph();

	/** Another character, which plays already. */
	UTalefoldAgentComponent* AddCharacter(UTalefoldGraphAsset* Graph, UTalefoldTestListener* Hears);

	/** Calls Then in the frame in which Condition holds, and ends the test. */
	static void When(const FDoneDelegate& Done, TFunction<bool()> Condition, TFunction<void()> Then);
	/** The same some frames later. */
	static void After(int32 Frames, const FDoneDelegate& Done, TFunction<void()> Then);

	UGameInstance* Instance = nullptr;
	UTalefoldSubsystem* Subsystem = nullptr;
	UTalefoldAgentComponent* Agent = nullptr;
	UTalefoldTestListener* Listener = nullptr;

private:
	void EndActors();
	TArray<TWeakObjectPtr<AActor>> Actors;
};
