// One agent: its graph, its committed state, and the turn that may run on it.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dialog/agent_state.h"
#include "runtime/background_fold.h"
#include "runtime/compiled_graph.h"
#include "runtime/engine_impl.h"
#include "runtime/turn_impl.h"
#include "runtime/turn_run.h"
#include "talefold/agent.h"

namespace talefold {

// Any thread may call any method; see Agent for what they do. While `running_` is set
// only its worker touches `graph_`, and `state_.dialog` is read by it without the lock:
// every writer requires that no turn runs, and the worker's own commits take the lock.
// Beside turns, a scheduled fold touches the sequence of its node alone.
class Agent::Impl : public std::enable_shared_from_this<Impl> {
 public:
  Impl(std::shared_ptr<Engine::Impl> engine, GraphDescription graph,
       AgentOptions options);

  Turn Start(std::optional<std::string> user_text, TurnOptions options);
  Turn StartRegenerate(TurnOptions options);
  Turn StartReplay(std::string user, std::string assistant, TurnOptions options);
  Turn StartRefold(TurnOptions options);

  void SubmitToolResult(std::string_view call_id, std::string result);
  Turn StartToolResult(std::string_view call_id, std::string result,
                       TurnOptions options);

  void AppendInteraction(std::string user, std::string assistant);
  void EditInteraction(std::int64_t index, std::optional<std::string> user,
                       std::optional<std::string> assistant);
  InteractionInfo UndoLastTurn();

  std::optional<SummaryInfo> GetSummary() const;
  void SetSummary(std::string text);

  void Pin(std::string key, std::string text);
  bool Unpin(std::string_view key);
  std::vector<PinInfo> Pins() const;

  void ChangeParams(std::string_view node, const AnyNodeParams& params);
  void ChangeParamsJson(std::string_view node, std::string_view params);
  GraphDescription graph() const;

  std::string ExportSnapshot() const;
  void ImportSnapshot(std::string_view text);

  std::vector<Event> PollBackground();
  bool WaitBackground(std::chrono::milliseconds timeout);
  void Prewarm();
  // agent_kv.cpp
  std::string ExportKv() const;
  std::int64_t KvExportSize() const;
  void ImportKv(std::string_view bytes);
  // ImportKv, a rejection being kept and logged. Before any other thread has the agent.
  void TryKv(std::string_view bytes);
  std::optional<Error> kv_rejection() const;

  std::vector<InteractionInfo> Dialog() const;
  std::int64_t dialog_size() const;
  std::vector<HistoryState> HistoryStates(std::string_view node) const;

  void CheckOpen() const;
  bool busy() const;
  void Close();

 private:
  class TurnFolds;
  using Lock = std::unique_lock<std::mutex>;
  using Work = std::function<void(Turn::Impl&)>;
  using FoldTest = std::function<bool(const BackgroundFold&)>;

  // Keeps turns away while the agent's lock is free: who waits for the compute lane
  // must not hold the lock, which listeners on the lane's thread may want.
  class KvCall {
   public:
    explicit KvCall(const Impl& agent);  // throws what LockIdle does
    ~KvCall();
    KvCall(const KvCall&) = delete;
    KvCall& operator=(const KvCall&) = delete;

   private:
    const Impl& agent_;
  };

  NodeEnvironment Environment() const;
  template <typename Change>
  void ChangeParamsBy(std::string_view node, const Change& change);
  Lock LockOpen() const;  // throws EngineClosed, AgentClosed
  Lock LockIdle() const;  // and AgentBusy
  bool idle() const { return !running_ && !in_kv_call_; }  // call with mutex_ held
  void CheckMessage(std::string_view text, std::string_view what) const;
  std::size_t CheckedIndex(std::int64_t index) const;

  struct CallPlace {
    std::size_t interaction = 0;
    std::size_t call = 0;
  };
  // Call with mutex_ held.
  CallPlace FindCall(std::string_view id) const;  // throws ToolCallNotFound
  // Of a call that can be given a result; throws InvalidArgument for another.
  CallPlace PlaceOfResult(std::string_view call_id) const;
  void AttachToolResult(CallPlace place, std::string result);

  void CheckPins(std::span<const talefold::Pin> pins) const;

  // Marks the agent busy with a new turn and hands `work` to a worker. The lock is that
  // of LockIdle: what else the caller changes under it, `work` finds done.
  Turn Launch(const Lock& lock, TurnOptions options, Work work);
  enum class WalkKind { Send, Regenerate, Replay };
  std::int64_t FreeInteractionId() const;  // throws InvalidArgument
  Turn LaunchWalk(const Lock& lock, Interaction current, WalkKind kind,
                  TurnOptions options);
  void RunWalk(Turn::Impl& turn, Interaction current, WalkKind kind);
  void Commit(const TurnRun& run, TurnFolds& folds, bool replaces_last);
  void RunRefold(Turn::Impl& turn);
  void EndTurn(Turn::Impl& turn, std::string text, TurnComplete complete);
  TurnRun MakeRun(Turn::Impl& turn, FoldQueue& folds, std::size_t base_size,
                  Interaction current, bool reply_is_given = false);

  // Background work; call with mutex_ held. No turn runs, or the caller runs it.
  void ScheduleFold(FoldTask task, const BackgroundFold::Carrier& carrier);
  void CancelFolds(const FoldTest& test);
  void CancelAllFolds();
  void CancelFoldsOf(std::string_view node);
  bool StillApplies(const BackgroundFold& fold) const;
  bool CommitFold(const BackgroundFold& fold);
  bool RefuseFold(const BackgroundFold& fold, SkipReason reason,
                  const std::string& error);
  void QueueEvent(NodeEvent event);
  void CommitWrittenFolds();
  void PlanNextPrompts(TrimStage& trims, bool prepare);
  std::shared_future<void> Preparation() const;

  AgentState LoadState(std::string_view snapshot) const;
  void UseState(AgentState state);
  TrimStage TrimsAt(std::size_t dialog_size) const;
  InteractionInfo InfoAt(std::size_t index) const;
  std::optional<SummaryInfo> SummaryAt(std::size_t index) const;
  std::size_t RequireNewestCarrier() const;

  const std::shared_ptr<Engine::Impl> engine_;
  const AgentOptions options_;

  mutable std::mutex mutex_;  // guards everything below
  mutable std::condition_variable idle_;
  std::unique_ptr<CompiledGraph> graph_;
  AgentState state_;
  std::shared_ptr<Turn::Impl> running_;
  std::vector<std::shared_ptr<BackgroundFold>> folds_;  // in the order of their turns
  std::deque<Event> background_events_;                 // the newest
  std::uint64_t next_turn_id_ = 1;
  std::int64_t next_interaction_id_ = 1;  // never used twice
  bool closed_ = false;
  mutable bool in_kv_call_ = false;
  std::optional<Error> kv_rejection_;  // set once, by TryKv
};

}  // namespace talefold
