// What goes on beside an agent's turns: folds, and the beginnings of next prompts.
//
// A fold is written on a worker of its own. Its result changes nothing by itself: it is
// committed when the host asks for it (PollBackground, WaitBackground), or in a turn
// that would otherwise trim what it covers. So a prompt follows from the calls of the
// host alone, however fast anything runs.

#include <algorithm>
#include <utility>

#include "base/bounded_wait.h"
#include "runtime/agent_impl.h"
#include "runtime/turn_folds.h"

namespace talefold {

namespace {

constexpr std::string_view kLogCategory = "summarize";
constexpr std::size_t kMaxEvents = 256;  // kept for a host that does not poll

NodeEvent CommittedEvent(const BackgroundFold& fold) {
  const FoldOutcome& outcome = fold.outcome();
  NodeEvent event = SummarizedEvent(*outcome.summary, fold.task().sources.size());
  event.pairs.emplace_back("summary_tokens", std::to_string(outcome.tokens));
  return event;
}

}  // namespace

// --- Scheduling and cancelling -------------------------------------------------------

void Agent::Impl::ScheduleFold(FoldTask task, const BackgroundFold::Carrier& carrier) {
  const auto& pool = engine_->background_pool();
  auto fold = std::make_shared<BackgroundFold>(std::move(task), carrier, pool);
  try {
    pool->Submit(fold, [self = shared_from_this(), fold] { fold->Run(); });
  } catch (const Error& error) {  // closed, or no thread: the next turn tries again
    engine_->logger().Log(
        LogLevel::Warning, kLogCategory,
        "node '" + fold->task().node + "': fold not scheduled: " + error.message());
    return;
  }
  ++engine_->fold_counts().scheduled;
  folds_.push_back(std::move(fold));
}

void Agent::Impl::CancelFolds(const FoldTest& test) {
  const auto kept = std::stable_partition(
      folds_.begin(), folds_.end(), [&](const auto& fold) { return !test(*fold); });
  for (auto fold = kept; fold != folds_.end(); ++fold) {
    (*fold)->Stop(StopCause::Cancelled);
    ++engine_->fold_counts().cancelled;
  }
  folds_.erase(kept, folds_.end());
}

void Agent::Impl::CancelAllFolds() {
  CancelFolds([](const BackgroundFold&) { return true; });
}

void Agent::Impl::CancelFoldsOf(std::string_view node) {
  CancelFolds([node](const BackgroundFold& fold) { return fold.task().node == node; });
}

// --- Committing ----------------------------------------------------------------------

// Whatever could change what a fold has read cancels it. This is the proof.
bool Agent::Impl::StillApplies(const BackgroundFold& fold) const {
  const FoldTask& task = fold.task();
  const talefold::Dialog& dialog = state_.dialog;
  const std::size_t size = dialog.size();
  const auto [carrier, carrier_id, turn_id] = fold.carrier();
  if (carrier >= size || dialog.at(carrier).id != carrier_id) return false;
  if (task.covered_through() >= size) return false;
  for (std::size_t i = 0; i < task.sources.size(); ++i) {
    const Interaction& source = dialog.at(task.begin + i);
    if (FoldTask::Source{source.id, source.revision} != task.sources[i]) return false;
  }
  const auto newest = dialog.NewestCarrier(size);
  return newest ? task.previous == dialog.at(*newest).summary : !task.previous;
}

bool Agent::Impl::RefuseFold(const BackgroundFold& fold, SkipReason reason,
                             const std::string& error) {
  const FoldTask& task = fold.task();
  ++engine_->fold_counts().failed;
  engine_->logger().Log(LogLevel::Warning, kLogCategory,
                        NoSummaryMessage(task.node, reason, error));
  if (task.notify_client) {
    QueueEvent({task.node,
                "fold_failed",
                {{"reason", std::string(SkipReasonName(reason))}, {"error", error}}});
  }
  return false;
}

// True when the dialog has a new summary. Its trim windows are the caller's affair.
bool Agent::Impl::CommitFold(const BackgroundFold& fold) {
  const FoldOutcome& outcome = fold.outcome();
  if (!outcome.summary) return RefuseFold(fold, outcome.reason, outcome.error);
  if (!StillApplies(fold)) {
    ++engine_->fold_counts().cancelled;
    return false;
  }
  try {
    graph_->CheckMemory({state_.pins, &*outcome.summary}, ErrorCode::InvalidParamValue);
  } catch (const Error& error) {
    return RefuseFold(fold, SkipReason::SummaryTooLarge, error.message());
  }
  state_.dialog.SetSummary(fold.carrier().index, *outcome.summary);
  ++engine_->fold_counts().committed;
  return true;
}

// As if the newest turn had folded inline: what each node leaves out of its prompt is
// decided anew.
void Agent::Impl::CommitWrittenFolds() {
  bool changed = false;
  for (std::size_t i = 0; i < folds_.size();) {
    if (!folds_[i]->done()) {
      ++i;
      continue;
    }
    const std::shared_ptr<BackgroundFold> fold = folds_[i];
    folds_.erase(folds_.begin() + static_cast<std::ptrdiff_t>(i));
    if (!CommitFold(*fold)) continue;
    changed = true;
    if (fold->task().notify_client) QueueEvent(CommittedEvent(*fold));
  }
  if (!changed) return;
  TrimStage trims = TrimsAt(state_.dialog.size());
  trims.ResetAll();
  PlanNextPrompts(trims, engine_->options().prewarm);
  for (const auto& [node, from] : trims.all()) {
    state_.trims[node].Set(state_.dialog.size() - 1, from);
  }
}

void Agent::Impl::PlanNextPrompts(TrimStage& trims, bool prepare) {
  const DialogHistory history = HistoryAtEnd(state_);
  graph_->PlanTrims(history, trims, engine_->logger());
  if (prepare) graph_->Prepare();
}

void Agent::Impl::QueueEvent(NodeEvent event) {
  if (background_events_.size() == kMaxEvents) background_events_.pop_front();
  background_events_.push_back({0, std::move(event)});
}

// --- For the host --------------------------------------------------------------------

std::vector<Event> Agent::Impl::PollBackground() {
  const Lock lock = LockOpen();
  if (idle()) CommitWrittenFolds();
  std::vector<Event> events(background_events_.begin(), background_events_.end());
  background_events_.clear();
  return events;
}

bool Agent::Impl::WaitBackground(std::chrono::milliseconds timeout) {
  const auto now = std::chrono::steady_clock::now();
  const bool for_ever = timeout.count() <= 0 || timeout > kLongestWait;
  const auto deadline = now + (for_ever ? kLongestWait : timeout);
  for (;;) {
    Lock lock = LockOpen();
    if (!idle()) {
      if (!idle_.wait_until(lock, deadline, [this] { return idle(); })) return false;
      continue;
    }
    CommitWrittenFolds();
    if (!folds_.empty()) {
      const std::shared_ptr<BackgroundFold> fold = folds_.front();
      lock.unlock();
      if (!fold->WaitDone(deadline)) return false;
      continue;
    }
    const std::shared_future<void> preparation = Preparation();
    if (!preparation.valid()) return true;
    lock.unlock();
    if (preparation.wait_until(deadline) != std::future_status::ready) return false;
  }
}

// Of some node that is not through with it; not valid when all are.
std::shared_future<void> Agent::Impl::Preparation() const {
  for (const auto& node : graph_->nodes()) {
    Sequence* sequence = node->history_sequence();
    if (!sequence) continue;
    std::shared_future<void> preparation = sequence->preparation();
    const bool waits =
        preparation.valid() &&
        preparation.wait_for(std::chrono::seconds(0)) != std::future_status::ready;
    if (waits) return preparation;
  }
  return {};
}

void Agent::Impl::Prewarm() {
  const Lock lock = LockIdle();
  TrimStage trims = TrimsAt(state_.dialog.size());  // to be decided by the next turn
  PlanNextPrompts(trims, /*prepare=*/true);
}

// --- For a turn ----------------------------------------------------------------------

bool Agent::Impl::TurnFolds::IsPending(std::string_view node) const {
  const auto is_of_node = [node](const FoldTask& task) { return task.node == node; };
  if (std::ranges::any_of(scheduled_, is_of_node)) return true;
  const Lock lock(agent_.mutex_);
  return std::ranges::any_of(
      agent_.folds_, [&](const auto& fold) { return is_of_node(fold->task()); });
}

void Agent::Impl::TurnFolds::Start(std::int64_t interaction_id) {
  for (FoldTask& task : scheduled_) {
    agent_.ScheduleFold(std::move(task), {index_, interaction_id, turn_.id()});
  }
  scheduled_.clear();
}

bool Agent::Impl::TurnFolds::FinishOverdue(bool turn_ends) {
  const std::uint64_t newest_overdue = turn_.id() - (turn_ends ? 1 : 2);
  Lock lock(agent_.mutex_);
  bool committed = false;
  while (!agent_.folds_.empty() && !turn_.cancel().requested()) {
    const std::shared_ptr<BackgroundFold> fold = agent_.folds_.front();
    if (fold->carrier().turn_id > newest_overdue) break;
    lock.unlock();
    fold->Finish(turn_.cancel());
    lock.lock();
    // A cancelled wait, or an agent that was closed meanwhile.
    if (!fold->done() || std::erase(agent_.folds_, fold) == 0) continue;
    ++agent_.engine_->fold_counts().overdue;
    if (!agent_.CommitFold(*fold)) continue;
    committed = true;
    for (auto& [node, trims] : agent_.state_.trims) trims.Set(index_ - 1, 0);
    if (fold->task().notify_client) turn_.Push({0, CommittedEvent(*fold)});
  }
  return committed;
}

}  // namespace talefold
