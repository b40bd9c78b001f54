// A node of a running graph, and what it sees of the turn that executes it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/cancel_token.h"
#include "base/json.h"
#include "base/logger.h"
#include "dialog/agent_state.h"
#include "dialog/history.h"
#include "inference/model.h"
#include "memory/kept_fits.h"
#include "nodes/fold_task.h"
#include "prompt/projection.h"
#include "prompt/template_context.h"
#include "storage/string_storage.h"
#include "talefold/event.h"
#include "talefold/graph.h"

namespace talefold {

class KnowledgeBase;
class SpeechBackend;

// The exit of node types that have only one.
inline constexpr std::string_view kDefaultExit = "default";

// Where a turn's output goes. Called on the turn's worker where nothing else is said.
class TurnOutput {
 public:
  virtual ~TurnOutput() = default;
  // Text for the player, at once: what was emitted is never taken back.
  virtual void Emit(AnswerText answer) = 0;
  // Speech for the player, at once. Any thread.
  virtual void Emit(AudioChunk chunk) = 0;
  // Delivered when the turn is committed, so that no event tells of what did not
  // happen.
  virtual void EmitAtCommit(NodeEvent event) = 0;
  // Blocks until the host resolves the decision; empty when the turn was stopped.
  virtual std::string Decide(DecisionRequired decision) = 0;
};

// The trim windows of the agent's nodes as this turn leaves them; committed with it.
class TrimStage {
 public:
  explicit TrimStage(std::map<std::string, std::size_t, std::less<>> from)
      : from_(std::move(from)) {}

  std::size_t From(std::string_view node) const {
    const auto found = from_.find(node);
    return found == from_.end() ? 0 : found->second;
  }
  void Set(const std::string& node, std::size_t from) { from_[node] = from; }
  void ResetAll() {
    for (auto& [node, from] : from_) from = 0;
  }
  const std::map<std::string, std::size_t, std::less<>>& all() const { return from_; }
  bool operator==(const TrimStage&) const = default;

 private:
  std::map<std::string, std::size_t, std::less<>> from_;
};

// One turn. Lives on the worker's stack; the only thing nodes share.
struct TurnContext {
  const HistorySource& history;  // its last entry is `current`
  Interaction& current;          // staged; becomes part of the dialog at the commit
  TrimStage& trims;
  LineCursors& lines;  // staged, too
  TurnOutput& output;
  FoldQueue& folds;
  Logger& logger;
  const CancelToken& cancel;
  std::uint64_t turn_index = 0;  // position of `current` in the dialog
  bool reply_written = false;    // a node wrote the character's reply
  bool reply_final = false;      // and no node after the executing one can add to it
  bool stopped = false;          // a node stopped early because of `cancel`
  std::int64_t tokens_generated = 0;
  std::string newest_reply = {};  // the text that was last added to the reply
  Slots slots = {};               // of this turn; nothing of them stays
  KeptFits fits = {};             // of a scene: what its prompts showed before
  // Staged, too: what this turn's prompts show.
  std::vector<KeptFits::Choice> story_choices = {};
  // Throws InvalidParamValue when a node of the graph has no room for the summary.
  std::function<void(const SummaryComponent&)> check_summary = {};
  // Of the executing node; nullptr when diagnostics are off.
  json::object* diagnostics = nullptr;
};

// What a node is made with.
struct NodeEnvironment {
  // Throws ModelNotFound; an empty name is the agent's default model.
  std::function<std::shared_ptr<Model>(std::string_view node, const std::string& name)>
      find_model;
  // The storage that a param of `node` refers to, by name or by path. Throws
  // StorageFileNotFound and whatever else reading it throws.
  std::function<std::shared_ptr<const StringStorage>(
      std::string_view node, const std::string& reference, StorageKind kind)>
      find_storage = {};
  std::function<std::shared_ptr<const KnowledgeBase>(std::string_view node,
                                                     const std::string& reference)>
      find_knowledge = {};
  std::shared_ptr<SpeechBackend> speech = {};  // nullptr = the host set none
};

// Used by one thread at a time: the worker of the agent's turn, or a caller while the
// agent is idle. Owned by the agent.
class Node {
 public:
  explicit Node(std::string name) : name_(std::move(name)) {}
  virtual ~Node() = default;
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;

  const std::string& name() const { return name_; }

  // Does the node's work and returns the exit it takes, by the name in its descriptor;
  // of no meaning when it stopped the turn. Throws talefold::Error to fail the turn.
  virtual std::string_view Execute(TurnContext& turn) = 0;

  // What code of the host, such as the speech backend, is to be asked about new params;
  // it throws what that refuses. Empty: nothing. It runs without a lock of the agent,
  // and touches nothing of the node.
  virtual std::function<void()> HostCheck(const AnyNodeParams&) const { return {}; }
  // Takes params of the node's own type that passed validation and differ in no
  // structural field. May throw InvalidParamValue for what only the node can check, not
  // for params that it had before; nothing has changed then.
  virtual void SetParams(const AnyNodeParams& params) = 0;

  // Throws InvalidParamValue when the context is too small for what must always fit.
  // `summary_tokens`: the longest summary any node of the graph may write.
  virtual void CheckBudget(std::size_t, std::span<const Pin>) const {}

  // May write the character's reply, or a part of it.
  virtual bool writes_reply() const { return false; }
  // Works on the past: the nodes that run in a turn whose reply is given.
  virtual bool keeps_memory() const { return false; }
  // The exit of a node that does not run in such a turn.
  virtual std::string_view skipped_exit() const { return kDefaultExit; }
  // Replays history, and so has a trim window.
  virtual bool replays_history() const { return false; }
  // Decides at the end of a turn whether the next prompt must start later, from lengths
  // alone, and remembers how that prompt begins.
  virtual void PlanTrim(const HistorySource&, TrimStage&) {}
  // Starts to compute what PlanTrim remembered, in the background.
  virtual void Prepare() {}
  // The KV state of the prompts that replay history; nullptr of a node that does not.
  virtual Sequence* history_sequence() { return nullptr; }
  // Drops what was remembered about interactions: their ids may mean others from now
  // on.
  virtual void ForgetHistory() {}
  // Throws an Error of `code` when the node has no room for it.
  virtual void CheckMemory(const Memory&, ErrorCode) const {}

 private:
  const std::string name_;
};

// By convention each node file defines, for its type Name:
//   std::unique_ptr<Node> MakeName(std::string, const NameParams&, const
//   NodeEnvironment&); void CheckName(const std::string&, const NameParams&,
//   std::vector<GraphProblem>&);   // what its descriptor table cannot check
#define TALEFOLD_NODE(Name, number)                                              \
  std::unique_ptr<Node> Make##Name(std::string name, const Name##Params& params, \
                                   const NodeEnvironment& environment);          \
  void Check##Name(const std::string& name, const Name##Params& params,          \
                   std::vector<GraphProblem>& problems);
#include "talefold/node_types.def"
#undef TALEFOLD_NODE

}  // namespace talefold
