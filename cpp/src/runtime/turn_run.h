// The walk of one turn through the graph, up to what is to be committed.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/catch_error.h"
#include "nodes/node.h"
#include "runtime/compiled_graph.h"
#include "runtime/turn_impl.h"

namespace talefold {

struct TurnOutcome {
  // False: nothing was emitted and the turn did not succeed; the dialog stays as it
  // was.
  bool commits = false;
  TurnComplete complete;
};

// Lives on the worker's stack for one turn.
class TurnRun final : public TurnOutput {
 public:
  struct Limits {
    std::int32_t max_steps = 64;
    bool diagnostics = false;
    bool prewarm = true;          // make the next prompts' beginnings ready
    bool reply_is_given = false;  // only nodes that keep memory run
  };

  // What the turn reads: a past that ends with `current`, which belongs to the run.
  using MakeHistory =
      std::function<std::unique_ptr<const HistorySource>(const Interaction* current)>;

  // `current` becomes number `turn_index` of the past. While the run lives, nobody but
  // `folds` changes the history, and that only when asked to finish a fold.
  TurnRun(const CompiledGraph& graph, const MakeHistory& make_history,
          std::uint64_t turn_index, Interaction current, TrimStage trims,
          LineCursors lines, Turn::Impl& turn, FoldQueue& folds, Logger& logger,
          Limits limits);
  TurnRun(const TurnRun&) = delete;  // the context refers to the members
  TurnRun& operator=(const TurnRun&) = delete;

  // Walks from the start node. Never throws.
  TurnOutcome Walk();

  // After Walk.
  const Interaction& current() const { return current_; }
  const TrimStage& trims() const { return trims_; }
  const LineCursors& lines() const { return lines_; }
  const std::vector<KeptFits::Choice>& story_choices() const {
    return context_.story_choices;
  }
  std::vector<NodeEvent> TakeEventsAtCommit() { return std::move(events_at_commit_); }

  // The context for work outside a walk (Refold).
  TurnContext& context() { return context_; }
  // Closes the books of such work: status, error and tokens.
  TurnComplete Complete(std::optional<Error> error);

  void Emit(AnswerText answer) override;
  void Emit(AudioChunk chunk) override;
  void EmitAtCommit(NodeEvent event) override;
  std::string Decide(DecisionRequired decision) override;

 private:
  void WalkNodes();
  std::string_view ExecuteNode(Node& node);
  void PlanNextPrompts();
  void Prepare(bool finish);
  void SetFinalStatus(const TurnComplete& complete);

  const CompiledGraph& graph_;
  Turn::Impl& turn_;
  Logger& logger_;
  const Limits limits_;
  Interaction current_;
  const std::unique_ptr<const HistorySource> history_;
  TrimStage trims_;
  LineCursors lines_;
  TurnContext context_;
  std::atomic<bool> emitted_;  // the player has read or heard something
  std::vector<NodeEvent> events_at_commit_;
  json::array node_reports_;
};

}  // namespace talefold
