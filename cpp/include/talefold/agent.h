// One character's conversation.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "talefold/error.h"
#include "talefold/graph.h"
#include "talefold/turn.h"

namespace talefold {

struct AgentOptions {
  // The model of nodes whose model_name is empty. Empty = the engine's only model.
  std::string default_model_name = {};
  bool enable_diagnostics = false;
  // Snapshot text to continue from; empty = a new conversation.
  std::string snapshot = {};
  // Bytes of ExportKv to go on with; empty = none. Bytes that do not fit are a warning
  // in the log and Agent::kv_rejection: the agent is made without them.
  std::string kv = {};
};

struct TurnOptions {
  // From the call to turn_complete, waiting included; 0 = none. Expiry is 4002.
  std::int64_t timeout_ms = 0;
};

struct SummaryInfo {
  std::string text = {};
  std::string node = {};             // the Summarize node that wrote it
  std::int64_t covered_through = 0;  // index of the last interaction folded in
  std::int64_t carrier = 0;          // index of the interaction it is attached to
  bool stale = false;                // a covered interaction was edited since
  bool edited = false;               // set_summary wrote the text
  bool abridged = false;             // one folded turn was cut to its head and tail
};

struct ToolCallInfo {
  std::string id = {};  // for SubmitToolResult; unique within the agent
  std::string node = {};
  std::string tool_name = {};
  std::string arguments = {};              // a JSON object, on one line
  std::optional<std::string> result = {};  // JSON; unset = none yet
};

struct AttachedKnowledge {
  struct Chunk {
    std::string id = {};
    std::string text = {};
    double distance = 0;
  };
  std::string source = {};
  std::vector<Chunk> chunks = {};  // nearest first
};

struct InstructionInfo {
  std::string name = {};
  std::string text = {};
};

// A fact that every prompt of the agent shows.
struct PinInfo {
  std::string key = {};
  std::string text = {};
};

struct InteractionInfo {
  std::int64_t index = 0;  // 0-based position in the dialog
  std::int64_t id = 0;     // stable over edits
  std::string user = {};
  std::string assistant = {};
  std::string status = {};  // complete, interrupted, cancelled, failed
  std::optional<SummaryInfo> summary = {};
  std::vector<ToolCallInfo> tool_calls = {};
  std::vector<AttachedKnowledge> knowledge = {};
  std::vector<InstructionInfo> instructions = {};
  std::optional<std::string> intent = {};  // what a classifying node found
};

// What a node's prompt shows of an interaction.
enum class HistoryState { Folded, Trimmed, Replayed };

// A handle; copies refer to the same agent. Any thread may call any method. While a
// turn runs, methods that change the agent throw AgentBusy (3004); those that read see
// the last committed state. A method that throws has changed nothing. Once the engine
// or the agent is closed every method but Close throws.
class Agent {
 public:
  class Impl;
  explicit Agent(std::shared_ptr<Impl> impl);

  // Starts a turn and returns at once. nullopt = the character speaks first. Throws
  // InvalidArgument (empty text, NUL byte), InvalidUtf8, MessageTooLarge, AgentBusy.
  Turn Start(std::optional<std::string> user_text, TurnOptions options = {});
  // Start and wait; throws the turn's error.
  TurnResult Send(std::optional<std::string> user_text, TurnOptions options = {});
  // Replaces the last interaction by a new reply to the same user text. If the turn
  // ends with nothing emitted, the old interaction stays.
  Turn StartRegenerate(TurnOptions options = {});
  // A turn whose reply is known: both texts are appended and the graph is walked
  // without the nodes that write replies, so that memory nodes do their work. Either
  // text may be empty, not both. The interaction stays even if the turn is cancelled.
  Turn StartReplay(std::string user, std::string assistant, TurnOptions options = {});
  // Rebuilds the newest summary from its source turns; SummaryNotFound when there is
  // none, UnknownNode when no Summarize node is left. On failure the summary stays.
  Turn StartRefold(TurnOptions options = {});

  // Gives a tool call its result, which must be JSON; prompts show both as long as they
  // replay the call's interaction. ToolCallNotFound for an id that is none,
  // InvalidArgument for a text that is no JSON and for a call that has a result when a
  // turn has followed; until then the result is replaced.
  void SubmitToolResult(std::string_view call_id, std::string result);
  // The same, and starts a turn without a text of the player, in which the character
  // can use the result. The result stays, whatever becomes of the turn; when none
  // starts, it was not given.
  Turn StartToolResult(std::string_view call_id, std::string result,
                       TurnOptions options = {});

  // Appends a finished interaction; runs no model. Either text may be empty, not both.
  void AppendInteraction(std::string user, std::string assistant);
  // Replaces the given texts. A summary that covers the interaction is marked stale.
  void EditInteraction(std::int64_t index, std::optional<std::string> user,
                       std::optional<std::string> assistant);
  // Removes the last interaction with its summary and returns it.
  InteractionInfo UndoLastTurn();

  std::optional<SummaryInfo> GetSummary() const;
  // Replaces the newest summary's text and marks it edited. SummaryNotFound without
  // one; InvalidParamValue when longer than max_summary_tokens of its node.
  void SetSummary(std::string text);

  // Makes `text` part of every prompt, after the system prompt and before the summary,
  // until Unpin; replaces what `key` pinned. Saved in snapshots. InvalidArgument for an
  // empty key or text, InvalidParamValue when a node's context has no room for it.
  void Pin(std::string key, std::string text);
  // False when nothing is pinned as `key`.
  bool Unpin(std::string_view key);
  std::vector<PinInfo> Pins() const;  // in the order of pinning

  // Replaces a node's mutable params, all or none. ParamNotMutable names a changed
  // structural field.
  void ChangeParams(std::string_view node, const AnyNodeParams& params);
  // The same with a JSON object that holds only the fields to change.
  void ChangeParamsJson(std::string_view node, std::string_view params);
  GraphDescription graph() const;

  std::string ExportSnapshot() const;
  // Replaces dialog and node states; the graph and its params stay.
  void ImportSnapshot(std::string_view text);

  // The KV states of the nodes that replay history, as bytes for ImportKv: a copy of
  // what the next turn would find, so that it need not be computed again. Disposable:
  // without it, or with one of another moment, the next turn is slower and says the
  // same. Waits for a batch of other agents' turns at most. AgentBusy while a turn or
  // another of these calls runs; InferenceFailed when a model's file, which tells whose
  // states these are, can no longer be read.
  std::string ExportKv() const;
  // The length of what ExportKv would return now, in bytes; costs no copy. AgentBusy.
  std::int64_t KvExportSize() const;
  // Goes on from states that ExportKv wrote, here or in another process; the dialog is
  // not touched. Throws KvRejected, and nothing has changed, when `bytes` are damaged,
  // or were written with another model, setting or llama.cpp; the message names node,
  // field and both values. KvRejected also for a lack of room under kv_cache_bytes: the
  // KV states are then empty. AgentBusy.
  void ImportKv(std::string_view bytes);
  // Why AgentOptions::kv was not used; nullopt if it was, or was empty.
  std::optional<Error> kv_rejection() const;

  std::vector<InteractionInfo> Dialog() const;
  std::int64_t dialog_size() const;
  // One state per interaction, as the next prompt of `node` will show them. UnknownNode
  // for a name that is not a node which replays history.
  std::vector<HistoryState> HistoryStates(std::string_view node) const;

  // Folds of Summarize nodes with run_inline off are written beside turns, and so are
  // the KV states of next prompts made ready. A written fold is committed by the next
  // two, or by a turn that would trim what it covers; until then nothing shows of it.
  //
  // Commits the folds that are written, unless a turn runs, and returns what happened
  // in the background since the last call, at most 256 events: turn id 0.
  std::vector<Event> PollBackground();
  // Waits until no turn runs and nothing is left to do in the background, and commits
  // the folds. False at the time-out; 0 = none.
  bool WaitBackground(std::chrono::milliseconds timeout = {});
  // Makes what the next prompt begins with ready in the background, as the end of a
  // turn does: for an agent that was just made, loaded or edited.
  void Prewarm();
  // Whether a turn, ExportKv or ImportKv is running.
  bool busy() const;
  // Cancels a running turn, waits for its end, refuses further calls. Idempotent.
  void Close();

 private:
  std::shared_ptr<Impl> impl_;
};

}  // namespace talefold
