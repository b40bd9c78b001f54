#pragma once

#include "Components/ActorComponent.h"
#include "CoreMinimal.h"
#include "StructUtils/InstancedStruct.h"
#include "TalefoldConversationState.h"
#include "TalefoldError.h"
#include "TalefoldTranscript.h"
#include "TalefoldTurn.h"

#include "TalefoldAgentComponent.generated.h"

class FTalefoldConversation;
class UTalefoldGraphAsset;
class UTalefoldSubsystem;
struct FTalefoldGraphNode;
struct FTalefoldTurnRequest;

DECLARE_DYNAMIC_MULTICAST_DELEGATE(FTalefoldReady);
DECLARE_DYNAMIC_MULTICAST_DELEGATE_OneParam(FTalefoldFailed, const FTalefoldError&, Error);
DECLARE_DYNAMIC_MULTICAST_DELEGATE_OneParam(FTalefoldTurnStarted, int32, Request);
DECLARE_DYNAMIC_MULTICAST_DELEGATE_FiveParams(
	FTalefoldAnswerText, int32, Request, const FString&, Node, const FString&, Text, bool, bIsDelta, bool, bIsFinal);
DECLARE_DYNAMIC_MULTICAST_DELEGATE_TwoParams(FTalefoldAudio, int32, Request, const FTalefoldAudioChunk&, Chunk);
DECLARE_DYNAMIC_MULTICAST_DELEGATE_OneParam(FTalefoldTurnFinished, const FTalefoldTurnResult&, Result);
DECLARE_DYNAMIC_MULTICAST_DELEGATE_ThreeParams(
	FTalefoldDecisionRequired, int32, Request, const FString&, Node, const TArray<FString>&, Options);
DECLARE_DYNAMIC_MULTICAST_DELEGATE_TwoParams(FTalefoldToolCalled, int32, Request, const FTalefoldToolCall&, Call);
DECLARE_DYNAMIC_MULTICAST_DELEGATE_TwoParams(FTalefoldSummaryUpdated, const FString&, Summary, int32, CoveredThrough);
DECLARE_DYNAMIC_MULTICAST_DELEGATE_TwoParams(FTalefoldNodeEventReceived, int32, Request, const FTalefoldNodeEvent&, Event);

DECLARE_MULTICAST_DELEGATE_TwoParams(FTalefoldAnswerTextNative, int32 /*Request*/, const FString& /*Delta*/);
DECLARE_MULTICAST_DELEGATE_OneParam(FTalefoldTurnFinishedNative, const FTalefoldTurnResult&);

/**
 * A character's conversation. Give it a graph asset, and Say something to it: what is said before
 * the model and the character are ready waits for them. All events come on the game thread; when
 * the component ends, its requests end as cancelled, and nothing comes afterwards.
 */
UCLASS(ClassGroup = (Talefold), meta = (BlueprintSpawnableComponent, DisplayName = "Talefold Agent"))
class TALEFOLD_API UTalefoldAgentComponent : public UActorComponent
{
	GENERATED_BODY()

public:
	UTalefoldAgentComponent();

	/** How the character behaves. */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Talefold")
	TObjectPtr<UTalefoldGraphAsset> GraphAsset;

	/** The model, in place of the asset's: one of the project settings, or one that the game has loaded. */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Talefold", meta = (GetOptions = "Talefold.TalefoldSettings.GetModelNames"))
	FString ModelName;

	/** The conversation begins with the game. Otherwise: Start Conversation. */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Talefold")
	bool bAutoStart = true;

	// The conversation

	/**
	 * Begins a conversation, or goes on with a saved one, in place of the one there is. On Ready or
	 * On Failed tells of it; what is said meanwhile waits.
	 */
	UFUNCTION(BlueprintCallable, Category = "Talefold", meta = (AutoCreateRefTerm = "State"))
	bool StartConversation(const FTalefoldConversationState& State, FTalefoldError& Error);

	/** Requests end as cancelled. The dialog is gone unless it was saved. */
	UFUNCTION(BlueprintCallable, Category = "Talefold")
	void EndConversation();

	/** The conversation has begun and takes turns. */
	UFUNCTION(BlueprintPure, Category = "Talefold")
	bool IsReady() const;

	/** A turn runs or waits. */
	UFUNCTION(BlueprintPure, Category = "Talefold")
	bool IsBusy() const;

	// Turns: each returns the number of its request, or 0 and why not. On Turn Finished ends each once.

	/** The player says something. The Say node does the same, with pins for what comes. */
	UFUNCTION(BlueprintCallable, Category = "Talefold|Turns")
	int32 StartTurn(const FString& Text, ETalefoldBusyPolicy WhenBusy, float TimeoutSeconds, FTalefoldError& Error);

	/** The character speaks first, or goes on. */
	UFUNCTION(BlueprintCallable, Category = "Talefold|Turns")
	int32 LetSpeak(ETalefoldBusyPolicy WhenBusy, float TimeoutSeconds, FTalefoldError& Error);

	/** Another reply to the same words. */
	UFUNCTION(BlueprintCallable, Category = "Talefold|Turns")
	int32 Regenerate(ETalefoldBusyPolicy WhenBusy, float TimeoutSeconds, FTalefoldError& Error);

	/** A turn with a given reply: the model writes none, folds happen as in any other. */
	UFUNCTION(BlueprintCallable, Category = "Talefold|Turns")
	int32 ReplayTurn(const FString& User, const FString& Assistant, FTalefoldError& Error);

	/** Makes the summary anew, after edits. */
	UFUNCTION(BlueprintCallable, Category = "Talefold|Turns")
	int32 Refold(FTalefoldError& Error);

	/** Of what runs or waits; 0 = what comes first. It still ends once, as cancelled. */
	UFUNCTION(BlueprintCallable, Category = "Talefold|Turns")
	bool CancelTurn(int32 Request);

	/** Answers On Decision Required with one of its options. */
	UFUNCTION(BlueprintCallable, Category = "Talefold|Turns")
	bool ResolveDecision(const FString& Option, FTalefoldError& Error);

	// Tools

	/** The tool's result, any JSON; the character then speaks of it. */
	UFUNCTION(BlueprintCallable, Category = "Talefold|Tools")
	int32 CompleteToolCall(const FString& CallId, const FString& ResultJson, FTalefoldError& Error);

	/** The game does not do it: the character is told why, and speaks of it. */
	UFUNCTION(BlueprintCallable, Category = "Talefold|Tools")
	int32 RejectToolCall(const FString& CallId, const FString& Reason, FTalefoldError& Error);

	/** A result for later: the character does not speak. For all but the last of several calls. */
	UFUNCTION(BlueprintCallable, Category = "Talefold|Tools")
	bool KeepToolResult(const FString& CallId, const FString& ResultJson, FTalefoldError& Error);

	// What has been said; edits need a conversation in which no turn runs.

	UFUNCTION(BlueprintCallable, Category = "Talefold|Transcript")
	TArray<FTalefoldInteraction> GetTranscript() const;

	/** The same with everything the engine knows of it, as JSON. */
	UFUNCTION(BlueprintCallable, Category = "Talefold|Transcript")
	FString GetTranscriptJson() const;

	/** Something that was said without a turn, such as a scripted scene. */
	UFUNCTION(BlueprintCallable, Category = "Talefold|Transcript")
	bool AppendInteraction(const FString& User, const FString& Assistant, FTalefoldError& Error);

	/** Replaces both texts of an interaction. */
	UFUNCTION(BlueprintCallable, Category = "Talefold|Transcript")
	bool EditInteraction(int32 Index, const FString& User, const FString& Assistant, FTalefoldError& Error);

	UFUNCTION(BlueprintCallable, Category = "Talefold|Transcript")
	bool UndoLastTurn(FTalefoldInteraction& Removed, FTalefoldError& Error);

	UFUNCTION(BlueprintCallable, Category = "Talefold|Transcript")
	FTalefoldSummary GetSummary() const;

	UFUNCTION(BlueprintCallable, Category = "Talefold|Transcript")
	bool SetSummary(const FString& Text, FTalefoldError& Error);

	/** For each interaction: folded, trimmed or replayed by this node. */
	UFUNCTION(BlueprintCallable, Category = "Talefold|Transcript")
	TArray<FString> GetHistoryStates(const FString& Node) const;

	// Memory

	/** Something the character never forgets; replaces what is pinned under the key. */
	UFUNCTION(BlueprintCallable, Category = "Talefold|Memory")
	bool Pin(const FString& Key, const FString& Text, FTalefoldError& Error);

	/** False when nothing is pinned under the key. */
	UFUNCTION(BlueprintCallable, Category = "Talefold|Memory")
	bool Unpin(const FString& Key, FTalefoldError& Error);

	UFUNCTION(BlueprintCallable, Category = "Talefold|Memory")
	TArray<FTalefoldPin> GetPins() const;

	/** Params of a node, as a JSON object such as {"system_prompt": "..."}: all of them or none. */
	UFUNCTION(BlueprintCallable, Category = "Talefold|Graph")
	bool ChangeParams(const FString& Node, const FString& ParamsJson, FTalefoldError& Error);

	/** The params that a node works with now: a struct of its type, such as Talefold Generate Params. */
	UFUNCTION(BlueprintCallable, Category = "Talefold|Graph")
	bool GetNodeParams(const FString& Node, FInstancedStruct& Params, FTalefoldError& Error) const;

	/** Changes what differs from the params that the node works with now: all of it or nothing. */
	UFUNCTION(BlueprintCallable, Category = "Talefold|Graph")
	bool SetNodeParams(const FString& Node, const FInstancedStruct& Params, FTalefoldError& Error);

	// Saving

	/**
	 * The state after the last complete turn, for a save object of your own. Never waits. The Save
	 * Conversation node writes it to a slot.
	 */
	UFUNCTION(BlueprintCallable, Category = "Talefold|Save")
	bool GetState(FTalefoldConversationState& State, FTalefoldError& Error) const;

	// Events

	UPROPERTY(BlueprintAssignable, Category = "Talefold")
	FTalefoldReady OnReady;

	/** The conversation could not begin. */
	UPROPERTY(BlueprintAssignable, Category = "Talefold")
	FTalefoldFailed OnFailed;

	UPROPERTY(BlueprintAssignable, Category = "Talefold|Turns")
	FTalefoldTurnStarted OnTurnStarted;

	/** Pieces of a reply as they come (bIsDelta), then the whole of it (bIsFinal). */
	UPROPERTY(BlueprintAssignable, Category = "Talefold|Turns")
	FTalefoldAnswerText OnAnswerText;

	UPROPERTY(BlueprintAssignable, Category = "Talefold|Turns")
	FTalefoldAudio OnAudio;

	UPROPERTY(BlueprintAssignable, Category = "Talefold|Turns")
	FTalefoldTurnFinished OnTurnFinished;

	UPROPERTY(BlueprintAssignable, Category = "Talefold|Turns")
	FTalefoldDecisionRequired OnDecisionRequired;

	/** The character wants the game to do something; nodes tell of it if Notify Client is on. */
	UPROPERTY(BlueprintAssignable, Category = "Talefold|Tools")
	FTalefoldToolCalled OnToolCall;

	/** Older turns were folded; nodes tell of it if Notify Client is on. */
	UPROPERTY(BlueprintAssignable, Category = "Talefold|Transcript")
	FTalefoldSummaryUpdated OnSummaryUpdated;

	/** Everything that nodes tell, the above too. Request 0: beside turns. */
	UPROPERTY(BlueprintAssignable, Category = "Talefold|Turns")
	FTalefoldNodeEventReceived OnNodeEvent;

	// For C++.

	FTalefoldAnswerTextNative OnAnswerTextNative;
	FTalefoldTurnFinishedNative OnTurnFinishedNative;

	/** Null while there is none. */
	TSharedPtr<FTalefoldConversation> GetConversation() const { return Conversation; }

	virtual void BeginPlay() override;
	virtual void EndPlay(const EEndPlayReason::Type EndPlayReason) override;
	virtual void BeginDestroy() override;

private:
	friend class FTalefoldAgentListener;

	void Open(UTalefoldSubsystem& Subsystem, const FString& Graph, const FTalefoldConversationState& State);
	int32 RequestTurn(const FTalefoldTurnRequest& Turn, ETalefoldBusyPolicy WhenBusy, FTalefoldError& Error);
	FString DefaultModelName() const;
	bool FindNode(const FString& Name, FTalefoldGraphNode& Node, FTalefoldError& Error) const;
	void TakeNodeEvent(int32 Request, const FTalefoldNodeEvent& Event);

	TSharedPtr<FTalefoldConversation> Conversation;
	TSharedPtr<class FTalefoldAgentListener> Listener;
};
