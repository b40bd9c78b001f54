#pragma once

#include "Bridge/TalefoldRuntime.h"
#include "CoreMinimal.h"
#include "TalefoldConversationState.h"
#include "TalefoldTurn.h"

/** What a turn begins with. */
enum class ETalefoldTurnKind : uint8
{
	Say,
	CharacterFirst,
	Regenerate,
	Replay,
	Refold,
	ToolResult
};

struct FTalefoldTurnRequest
{
	ETalefoldTurnKind Kind = ETalefoldTurnKind::Say;
	FString First;               // the player's text; the id of a tool call
	FString Second;              // the character's text of a replay; the result of a tool
	float TimeoutSeconds = 0.0f; // 0 = none
};

/** Who hears of a conversation. Game thread. */
class ITalefoldConversationListener
{
public:
	virtual ~ITalefoldConversationListener() = default;

	/** The conversation takes turns now, or cannot be had. */
	virtual void OnOpened(const FTalefoldError& Error) = 0;
	virtual void OnTurnStarted(int32 Request) = 0;
	virtual void OnTurnEvent(int32 Request, const FTalefoldEvent& Event) = 0;
	/** Once for each request. */
	virtual void OnTurnFinished(const FTalefoldTurnResult& Result) = 0;
	/** Of what was folded beside turns. */
	virtual void OnBackgroundEvent(const FTalefoldEvent& Event) = 0;
};

/**
 * One agent of the library: it is made and ended on the worker, and its turns wait in a queue for
 * one another and for it. Game thread.
 */
class FTalefoldConversation final : public TSharedFromThis<FTalefoldConversation>
{
public:
	/** Tells Listener of everything until Close. Takes requests at once; they wait for Open. */
	static TSharedRef<FTalefoldConversation> Create(
		const TSharedRef<FTalefoldRuntime>& Runtime, ITalefoldConversationListener& Listener);

	/** Makes the agent, once. Graph and Options are JSON, as of engine_create_agent. */
	void Open(const FString& Graph, const FString& Options, const FTalefoldConversationState& State);

	/** Instead of Open: there will be no agent. All requests end with this error. */
	void Fail(const FTalefoldError& Error) { Opened(0, Error); }

	~FTalefoldConversation();

	/** All requests end as cancelled, within this call; then nothing is told any more. */
	void Close();

	bool IsReady() const { return Phase == EPhase::Ready; }
	bool IsBusy() const { return Current.IsSet() || Waiting.Num() > 0; }

	/** The number of the request, or 0 and why not. */
	int32 Request(const FTalefoldTurnRequest& Turn, ETalefoldBusyPolicy Policy, FTalefoldError& Error);

	/** Of what runs or waits; 0 = what comes first. It still ends once, as cancelled. False if there is no such. */
	bool Cancel(int32 Request);

	/** Answers a decision that the running turn waits for. */
	bool Resolve(const FString& Option, FTalefoldError& Error);

	using FSaved = TUniqueFunction<void(const FTalefoldConversationState& State, const FTalefoldError& Error)>;
	using FRestored = TUniqueFunction<void(const FTalefoldError& Error)>;

	/** The last committed turn's state; never waits for a turn that runs. Then is called in a later frame. */
	void Save(bool bWithKvCache, FSaved Then);

	/**
	 * Replaces the dialog, while no turn runs, and not before the agent is there; requests that have
	 * not begun wait for it. Then is called in a later frame.
	 */
	void Restore(const FTalefoldConversationState& State, FRestored Then);

	/**
	 * The agent's handle, for calls that neither wait nor compute; 0 and why while there is none.
	 */
	talefold_agent Agent(FTalefoldError& Error) const;
	const FTalefoldRuntime& GetRuntime() const { return *Runtime; }

private:
	enum class EPhase : uint8
	{
		Opening,
		Ready,
		Restoring,
		Failed,
		Closed
	};

	struct FPending
	{
		int32 Number;
		FTalefoldTurnRequest Turn;
		talefold_task Task = 0;
	};

	struct FPendingRestore
	{
		FTalefoldConversationState State;
		FRestored Then;
	};

	FTalefoldConversation(const TSharedRef<FTalefoldRuntime>& InRuntime, ITalefoldConversationListener& InListener);

	void Opened(talefold_agent NewAgent, const FTalefoldError& Error);
	void StartNext();
	int32 Start(const FTalefoldTurnRequest& Turn, talefold_task& Task) const;
	void TakeEvent(int32 Number, const FTalefoldEvent& Event);
	/** Of a request that ends without a word. */
	void Finish(int32 Number, ETalefoldStatus Status, const FTalefoldError& Error = FTalefoldError());
	FTalefoldTurnResult ReadResult(const FPending& Turn, const FTalefoldEvent& Event) const;
	void CancelWaiting();
	void RestoreNext();
	void Import(talefold_agent Restored, FPendingRestore Restore);
	bool PollBackground();
	static void EndAgent(FTalefoldRuntime& Runtime, talefold_agent Ended);
	FTalefoldError NotReady() const;

	const TSharedRef<FTalefoldRuntime> Runtime;
	ITalefoldConversationListener* Listener; // null once closed
	talefold_agent Handle = 0;
	EPhase Phase = EPhase::Opening;
	FTalefoldError OpenError;
	int32 LastNumber = 0;
	TOptional<FPending> Current; // the one that runs
	TArray<FPending> Waiting;
	TArray<FPendingRestore> Restores; // that wait for the agent, or for one another
};
