#include "talefold/agent.h"

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "dialog/snapshot.h"
#include "graph/descriptor.h"
#include "runtime/agent_impl.h"
#include "runtime/interaction_info.h"
#include "runtime/turn_folds.h"

namespace talefold {

namespace {

constexpr std::string_view kLogCategory = "agent";

// The newest summary carried below `carrier` that no edit made stale; what a stale one
// covers must be read again.
const SummaryComponent* FreshSummaryBefore(const Dialog& dialog, std::size_t carrier) {
  for (auto before = dialog.NewestCarrier(carrier); before;
       before = dialog.NewestCarrier(*before)) {
    const SummaryComponent& summary = *dialog.at(*before).summary;
    if (!summary.stale) return &summary;
  }
  return nullptr;
}

// What replays a call must know its format.
void CheckCallFormats(const Dialog& dialog) {
  for (std::size_t i = 0; i < dialog.size(); ++i) {
    for (const ToolCallComponent& call : dialog.at(i).tool_calls) {
      if (FindToolFormat(call.format)) continue;
      throw Error(ErrorCode::MalformedSnapshot,
                  "snapshot: dialog[" + std::to_string(i) + "].tool_calls: call '" +
                      call.id + "' has the unknown format '" + call.format + "'",
                  "load it with the version of Talefold that wrote it");
    }
  }
}

void CheckNotEmpty(std::string_view user, std::string_view assistant) {
  if (!user.empty() || !assistant.empty()) return;
  throw Error(ErrorCode::InvalidArgument,
              "an interaction needs a user text or an assistant text");
}

}  // namespace

Agent::Impl::Impl(std::shared_ptr<Engine::Impl> engine, GraphDescription graph,
                  AgentOptions options)
    : engine_(std::move(engine)), options_(std::move(options)) {
  graph_ = std::make_unique<CompiledGraph>(std::move(graph), Environment());
  if (!options_.snapshot.empty()) UseState(LoadState(options_.snapshot));
}

NodeEnvironment Agent::Impl::Environment() const {
  return engine_->EnvironmentFor(options_.default_model_name);
}

void Agent::Impl::CheckOpen() const { LockOpen(); }

Agent::Impl::Lock Agent::Impl::LockOpen() const {
  engine_->CheckOpen();
  Lock lock(mutex_);
  if (closed_) throw Error(ErrorCode::AgentClosed, "the agent is closed");
  return lock;
}

Agent::Impl::Lock Agent::Impl::LockIdle() const {
  Lock lock = LockOpen();
  if (in_kv_call_) {
    throw Error(ErrorCode::AgentBusy, "the KV state of this agent is being copied",
                "wait for ExportKv, KvExportSize or ImportKv to return");
  }
  if (!running_) return lock;
  throw Error(ErrorCode::AgentBusy,
              "turn " + std::to_string(running_->id()) + " is running on this agent",
              "wait for its end, or cancel it");
}

void Agent::Impl::CheckMessage(std::string_view text, std::string_view what) const {
  CheckText(text, what, engine_->options().max_message_bytes);
}

std::size_t Agent::Impl::CheckedIndex(std::int64_t index) const {
  if (index >= 0 && static_cast<std::size_t>(index) < state_.dialog.size()) {
    return static_cast<std::size_t>(index);
  }
  throw Error(ErrorCode::InteractionNotFound,
              "no interaction " + std::to_string(index) + "; the dialog has " +
                  std::to_string(state_.dialog.size()) + ", counted from 0");
}

// --- Turns ---------------------------------------------------------------------------

Turn Agent::Impl::Start(std::optional<std::string> user_text, TurnOptions options) {
  if (user_text) {
    CheckMessage(*user_text, "user message");
    if (user_text->empty()) {
      throw Error(ErrorCode::InvalidArgument, "the user message is empty",
                  "send no text at all to let the character speak first");
    }
  }
  Interaction current;
  current.user = std::move(user_text).value_or("");
  return LaunchWalk(LockIdle(), std::move(current), WalkKind::Send, options);
}

Turn Agent::Impl::StartRegenerate(TurnOptions options) {
  const Lock lock = LockIdle();
  if (state_.dialog.empty()) {
    throw Error(ErrorCode::InteractionNotFound, "the dialog is empty",
                "there is no reply to regenerate yet");
  }
  const Interaction& last = state_.dialog.at(state_.dialog.size() - 1);
  Interaction current;
  current.user = last.user;
  current.attempt = last.attempt + 1;
  return LaunchWalk(lock, std::move(current), WalkKind::Regenerate, options);
}

Turn Agent::Impl::StartReplay(std::string user, std::string assistant,
                              TurnOptions options) {
  CheckMessage(user, "user text");
  CheckMessage(assistant, "assistant text");
  CheckNotEmpty(user, assistant);
  Interaction current;
  current.user = std::move(user);
  current.assistant = std::move(assistant);
  return LaunchWalk(LockIdle(), std::move(current), WalkKind::Replay, options);
}

std::int64_t Agent::Impl::FreeInteractionId() const {
  if (next_interaction_id_ <= kMaxInteractionId) return next_interaction_id_;
  throw Error(ErrorCode::InvalidArgument,
              "the dialog's ids are used up: its newest interaction has id " +
                  std::to_string(next_interaction_id_ - 1) + ", and at most " +
                  std::to_string(kMaxInteractionId) + " is allowed",
              "number the interactions of the snapshot from 1");
}

Turn Agent::Impl::LaunchWalk(const Lock& lock, Interaction current, WalkKind kind,
                             TurnOptions options) {
  current.id = FreeInteractionId();
  return Launch(
      lock, options,
      [this, current = std::move(current), kind](Turn::Impl& running) mutable {
        RunWalk(running, std::move(current), kind);
      });
}

Turn Agent::Impl::StartRefold(TurnOptions options) {
  const Lock lock = LockIdle();
  const std::size_t carrier = RequireNewestCarrier();
  if (!graph_->FindSummarizer(state_.dialog.at(carrier).summary->node)) {
    throw Error(ErrorCode::UnknownNode, "the graph has no Summarize node",
                "create the agent from a graph with one");
  }
  return Launch(lock, options, [this](Turn::Impl& running) { RunRefold(running); });
}

Turn Agent::Impl::Launch(const Lock&, TurnOptions options, Work work) {
  const std::shared_ptr<Turn::Impl> turn =
      engine_->StartTurn(next_turn_id_, options,
                         [self = shared_from_this(), work = std::move(work)](
                             Turn::Impl& running) { work(running); });
  // Not before the pool took it: a refused turn leaves no trace. The worker needs the
  // lock before it is through, so it cannot overtake this.
  running_ = turn;
  ++next_turn_id_;
  ++next_interaction_id_;  // used up, whatever becomes of the turn
  return Turn(turn);
}

TurnRun Agent::Impl::MakeRun(Turn::Impl& turn, FoldQueue& folds, std::size_t base_size,
                             Interaction current, bool reply_is_given) {
  const auto make_history = [this, base_size](const Interaction* newest) {
    return std::make_unique<DialogHistory>(state_.dialog, base_size, newest,
                                           state_.pins);
  };
  return TurnRun(*graph_, make_history, base_size, std::move(current),
                 TrimsAt(base_size), state_.lines, turn, folds, engine_->logger(),
                 {engine_->options().max_steps_per_turn, options_.enable_diagnostics,
                  engine_->options().prewarm, reply_is_given});
}

void Agent::Impl::RunWalk(Turn::Impl& turn, Interaction current, WalkKind kind) {
  const bool replaces_last = kind == WalkKind::Regenerate;
  Lock lock(mutex_);  // Launch is through
  const std::size_t base_size = state_.dialog.size() - (replaces_last ? 1 : 0);
  CancelFolds([base_size](const BackgroundFold& fold) {
    return fold.carrier().index >= base_size;
  });
  lock.unlock();
  TurnFolds folds(*this, turn, base_size);
  TurnRun run =
      MakeRun(turn, folds, base_size, std::move(current), kind == WalkKind::Replay);
  TurnOutcome outcome = run.Walk();
  std::string text;
  if (outcome.commits) {
    text = run.current().assistant;
    Commit(run, folds, replaces_last);
    for (NodeEvent& event : run.TakeEventsAtCommit()) turn.Push({0, std::move(event)});
  }
  EndTurn(turn, std::move(text), std::move(outcome.complete));
}

void Agent::Impl::Commit(const TurnRun& run, TurnFolds& folds, bool replaces_last) {
  Lock lock(mutex_);
  if (replaces_last) state_.dialog.PopLast();
  const std::size_t index = state_.dialog.size();
  state_.dialog.Append(run.current());
  for (const auto& [node, from] : run.trims().all())
    state_.trims[node].Set(index, from);
  state_.lines = run.lines();
  folds.Start(run.current().id);
}

void Agent::Impl::RunRefold(Turn::Impl& turn) {
  Lock lock(mutex_);  // Launch is through
  CancelAllFolds();
  lock.unlock();
  const talefold::Dialog& dialog = state_.dialog;
  const std::size_t carrier = *dialog.NewestCarrier(dialog.size());
  const SummaryComponent& newest = *dialog.at(carrier).summary;
  const SummaryComponent* previous = FreshSummaryBefore(dialog, carrier);
  const std::size_t begin = previous ? previous->covered_through + 1 : 0;

  // The run's own interaction only completes its history; nothing of it is kept.
  TurnFolds folds(*this, turn, dialog.size());
  TurnRun run = MakeRun(turn, folds, dialog.size(), Interaction{});
  std::optional<SummaryComponent> refolded;
  auto error = CatchError([&] {
    run.context().stopped = turn.cancel().requested();
    if (run.context().stopped) return;
    refolded = graph_->FindSummarizer(newest.node)
                   ->Refold(run.context(), previous, begin, newest.covered_through + 1);
  });
  std::string text;
  if (refolded) {
    text = refolded->text;
    lock.lock();
    state_.dialog.SetSummary(carrier, std::move(*refolded));
    lock.unlock();
  }
  EndTurn(turn, std::move(text), run.Complete(std::move(error)));
}

void Agent::Impl::EndTurn(Turn::Impl& turn, std::string text, TurnComplete complete) {
  {
    Lock lock(mutex_);
    running_.reset();
    idle_.notify_all();
  }
  turn.Finish(std::move(text), std::move(complete));
  engine_->watchdog().Disarm(&turn);
}

// --- The past ------------------------------------------------------------------------

void Agent::Impl::AppendInteraction(std::string user, std::string assistant) {
  CheckMessage(user, "user text");
  CheckMessage(assistant, "assistant text");
  CheckNotEmpty(user, assistant);
  const Lock lock = LockIdle();
  Interaction interaction;
  interaction.id = FreeInteractionId();
  ++next_interaction_id_;
  interaction.user = std::move(user);
  interaction.assistant = std::move(assistant);
  state_.dialog.Append(std::move(interaction));
}

void Agent::Impl::EditInteraction(std::int64_t index, std::optional<std::string> user,
                                  std::optional<std::string> assistant) {
  if (user) CheckMessage(*user, "user text");
  if (assistant) CheckMessage(*assistant, "assistant text");
  const Lock lock = LockIdle();
  const std::size_t checked = CheckedIndex(index);
  const Interaction& before = state_.dialog.at(checked);
  CheckNotEmpty(user ? *user : before.user, assistant ? *assistant : before.assistant);
  const bool changes =
      (user && *user != before.user) || (assistant && *assistant != before.assistant);
  if (!changes) return;
  CancelFolds([checked](const BackgroundFold& fold) {
    return checked <= fold.task().covered_through();
  });
  state_.dialog.Edit(checked, std::move(user), std::move(assistant));
}

InteractionInfo Agent::Impl::UndoLastTurn() {
  const Lock lock = LockIdle();
  if (state_.dialog.empty()) {
    throw Error(ErrorCode::InteractionNotFound, "the dialog is empty",
                "there is no turn to undo");
  }
  const Interaction undone = state_.dialog.PopLast();
  CancelFolds([this](const BackgroundFold& fold) {
    return fold.carrier().index >= state_.dialog.size();
  });
  for (auto& [node, trims] : state_.trims) trims.Truncate(state_.dialog.size());
  return ToInfo(undone, state_.dialog.size());
}

std::size_t Agent::Impl::RequireNewestCarrier() const {
  const auto carrier = state_.dialog.NewestCarrier(state_.dialog.size());
  if (carrier) return *carrier;
  throw Error(ErrorCode::SummaryNotFound, "nothing was summarized yet",
              "a Summarize node writes the first summary when its trigger fires");
}

std::optional<SummaryInfo> Agent::Impl::GetSummary() const {
  const Lock lock = LockOpen();
  const auto carrier = state_.dialog.NewestCarrier(state_.dialog.size());
  if (!carrier) return std::nullopt;
  return ToInfo(state_.dialog.at(*carrier), *carrier).summary;
}

void Agent::Impl::SetSummary(std::string text) {
  CheckMessage(text, "summary");
  if (TrimWhitespace(text).empty()) {
    throw Error(ErrorCode::InvalidArgument, "the summary is empty");
  }
  const Lock lock = LockIdle();
  const std::size_t carrier = RequireNewestCarrier();
  SummaryComponent summary = *state_.dialog.at(carrier).summary;
  if (const auto* summarizer = graph_->FindSummarizer(summary.node)) {
    summarizer->CheckSummaryText(text);
  }
  summary.text = std::move(text);
  summary.edited = true;
  summary.stale = false;
  graph_->CheckMemory({state_.pins, &summary}, ErrorCode::InvalidParamValue);
  CancelAllFolds();
  state_.dialog.SetSummary(carrier, std::move(summary));
}

std::vector<InteractionInfo> Agent::Impl::Dialog() const {
  const Lock lock = LockOpen();
  std::vector<InteractionInfo> infos;
  infos.reserve(state_.dialog.size());
  for (std::size_t i = 0; i < state_.dialog.size(); ++i) {
    infos.push_back(ToInfo(state_.dialog.at(i), i));
  }
  return infos;
}

std::int64_t Agent::Impl::dialog_size() const {
  const Lock lock = LockOpen();
  return static_cast<std::int64_t>(state_.dialog.size());
}

std::vector<HistoryState> Agent::Impl::HistoryStates(std::string_view node) const {
  const Lock lock = LockOpen();
  if (!graph_->Get(node).replays_history()) {
    throw Error(ErrorCode::UnknownNode,
                "node '" + std::string(node) + "' replays no history");
  }
  const std::size_t size = state_.dialog.size();
  const std::size_t folded = HistoryAtEnd(state_).first_uncovered();
  const std::size_t trimmed = TrimsAt(size).From(node);
  std::vector<HistoryState> states(size, HistoryState::Replayed);
  for (std::size_t i = 0; i < size; ++i) {
    if (i < folded) {
      states[i] = HistoryState::Folded;
    } else if (i < trimmed) {
      states[i] = HistoryState::Trimmed;
    }
  }
  return states;
}

TrimStage Agent::Impl::TrimsAt(std::size_t dialog_size) const {
  std::map<std::string, std::size_t, std::less<>> from;
  for (const auto& node : graph_->nodes()) {
    if (!node->replays_history()) continue;
    const auto found = state_.trims.find(node->name());
    from[node->name()] =
        found == state_.trims.end() ? 0 : found->second.From(dialog_size);
  }
  return TrimStage(std::move(from));
}

// --- Params and snapshots ------------------------------------------------------------

// `change(params)` makes the new params of the old; it may be called more than once.
// What the host is asked about them may call the agent: without the lock, after which
// others may have changed them as well.
template <typename Change>
void Agent::Impl::ChangeParamsBy(std::string_view node, const Change& change) {
  std::optional<AnyNodeParams> approved;
  for (;;) {
    Lock lock = LockIdle();
    graph_->Get(node);
    AnyNodeParams params = graph_->description().FindNode(node)->params;
    change(params);
    const auto ask_host = graph_->CheckParams(node, params);
    if (ask_host && approved != params) {
      lock.unlock();
      ask_host();
      approved = std::move(params);
      continue;
    }
    graph_->ChangeParams(node, params, MemoryOf(HistoryAtEnd(state_)));
    CancelFoldsOf(node);
    return;
  }
}

void Agent::Impl::ChangeParams(std::string_view node, const AnyNodeParams& params) {
  ChangeParamsBy(node, [&](AnyNodeParams& changed) { changed = params; });
}

void Agent::Impl::ChangeParamsJson(std::string_view node, std::string_view params) {
  const json::value changes =
      ParseJson(params, ErrorCode::InvalidParamValue, "params of the node");
  ChangeParamsBy(node, [&](AnyNodeParams& changed) {
    std::vector<GraphProblem> problems;
    ReadParams(changes, node, changed, problems);
    ThrowIfInvalid(problems);
  });
}

GraphDescription Agent::Impl::graph() const {
  const Lock lock = LockOpen();
  return graph_->description();
}

std::string Agent::Impl::ExportSnapshot() const {
  Lock lock = LockOpen();
  const AgentState copy = state_;  // shares the interactions
  lock.unlock();
  return WriteSnapshot(copy);
}

AgentState Agent::Impl::LoadState(std::string_view snapshot) const {
  AgentState state = ReadSnapshot(snapshot);
  std::erase_if(state.trims, [this](const auto& entry) {
    const Node* node = graph_->Find(entry.first);
    if (node && node->replays_history()) return false;
    engine_->logger().Log(LogLevel::Warning, kLogCategory,
                          "snapshot: the graph has no node '" + entry.first +
                              "' that replays history; its state is dropped");
    return true;
  });
  std::erase_if(state.lines, [this](const auto& entry) {
    return graph_->Find(entry.first) == nullptr;
  });
  CheckCallFormats(state.dialog);
  graph_->CheckMemory(MemoryOf(HistoryAtEnd(state)), ErrorCode::SnapshotGraphMismatch);
  return state;
}

void Agent::Impl::ImportSnapshot(std::string_view text) {
  const Lock lock = LockIdle();
  UseState(LoadState(text));
  CancelAllFolds();
}

void Agent::Impl::UseState(AgentState state) {
  state_ = std::move(state);
  const std::size_t size = state_.dialog.size();
  const std::int64_t last_id = size > 0 ? state_.dialog.at(size - 1).id : 0;
  next_interaction_id_ = std::max(next_interaction_id_, last_id + 1);
  for (const auto& node : graph_->nodes()) node->ForgetHistory();
}

// --- Lifetime ------------------------------------------------------------------------

bool Agent::Impl::busy() const {
  const Lock lock = LockOpen();
  return !idle();
}

void Agent::Impl::Close() {
  if (engine_->left_behind()) return;
  Lock lock(mutex_);
  closed_ = true;
  const std::shared_ptr<Turn::Impl> running = running_;
  const auto folds = folds_;
  CancelAllFolds();
  lock.unlock();
  if (running) running->Stop(StopCause::Cancelled);
  for (const auto& fold : folds) fold->Wait();
  lock.lock();
  idle_.wait(lock, [this] { return idle(); });
}

// --- The public handle ---------------------------------------------------------------

Agent::Agent(std::shared_ptr<Impl> impl) : impl_(std::move(impl)) {}

Turn Agent::Start(std::optional<std::string> user_text, TurnOptions options) {
  return impl_->Start(std::move(user_text), options);
}
TurnResult Agent::Send(std::optional<std::string> user_text, TurnOptions options) {
  TurnResult result = Start(std::move(user_text), options).Result();
  if (result.error) throw *result.error;
  return result;
}
Turn Agent::StartRegenerate(TurnOptions options) {
  return impl_->StartRegenerate(options);
}
Turn Agent::StartReplay(std::string user, std::string assistant, TurnOptions options) {
  return impl_->StartReplay(std::move(user), std::move(assistant), options);
}
Turn Agent::StartRefold(TurnOptions options) { return impl_->StartRefold(options); }
void Agent::AppendInteraction(std::string user, std::string assistant) {
  impl_->AppendInteraction(std::move(user), std::move(assistant));
}
void Agent::EditInteraction(std::int64_t index, std::optional<std::string> user,
                            std::optional<std::string> assistant) {
  impl_->EditInteraction(index, std::move(user), std::move(assistant));
}
InteractionInfo Agent::UndoLastTurn() { return impl_->UndoLastTurn(); }
std::optional<SummaryInfo> Agent::GetSummary() const { return impl_->GetSummary(); }
void Agent::SetSummary(std::string text) { impl_->SetSummary(std::move(text)); }
void Agent::SubmitToolResult(std::string_view call_id, std::string result) {
  impl_->SubmitToolResult(call_id, std::move(result));
}
Turn Agent::StartToolResult(std::string_view call_id, std::string result,
                            TurnOptions options) {
  return impl_->StartToolResult(call_id, std::move(result), options);
}
void Agent::Pin(std::string key, std::string text) {
  impl_->Pin(std::move(key), std::move(text));
}
bool Agent::Unpin(std::string_view key) { return impl_->Unpin(key); }
std::vector<PinInfo> Agent::Pins() const { return impl_->Pins(); }
void Agent::ChangeParams(std::string_view node, const AnyNodeParams& params) {
  impl_->ChangeParams(node, params);
}
void Agent::ChangeParamsJson(std::string_view node, std::string_view params) {
  impl_->ChangeParamsJson(node, params);
}
GraphDescription Agent::graph() const { return impl_->graph(); }
std::string Agent::ExportSnapshot() const { return impl_->ExportSnapshot(); }
void Agent::ImportSnapshot(std::string_view text) { impl_->ImportSnapshot(text); }
std::string Agent::ExportKv() const { return impl_->ExportKv(); }
std::int64_t Agent::KvExportSize() const { return impl_->KvExportSize(); }
void Agent::ImportKv(std::string_view bytes) { impl_->ImportKv(bytes); }
std::optional<Error> Agent::kv_rejection() const { return impl_->kv_rejection(); }
std::vector<InteractionInfo> Agent::Dialog() const { return impl_->Dialog(); }
std::int64_t Agent::dialog_size() const { return impl_->dialog_size(); }
std::vector<HistoryState> Agent::HistoryStates(std::string_view node) const {
  return impl_->HistoryStates(node);
}
std::vector<Event> Agent::PollBackground() { return impl_->PollBackground(); }
bool Agent::WaitBackground(std::chrono::milliseconds timeout) {
  return impl_->WaitBackground(timeout);
}
void Agent::Prewarm() { impl_->Prewarm(); }
bool Agent::busy() const { return impl_->busy(); }
void Agent::Close() { impl_->Close(); }

}  // namespace talefold
