#include "runtime/background_fold.h"

#include <functional>
#include <utility>

#include "runtime/worker_pool.h"
#include "talefold/error.h"

namespace talefold {

void BackgroundFold::Run() {
  FoldOutcome outcome;
  outcome.reason = SkipReason::Cancelled;
  if (!cancel_.requested()) outcome = task_.write(cancel_, in_background_);
  SetOutcome(std::move(outcome));
}

void BackgroundFold::SetOutcome(FoldOutcome outcome) {
  std::lock_guard lock(mutex_);
  outcome_ = std::move(outcome);
  done_ = true;
  changed_.notify_all();
}

void BackgroundFold::Stop(StopCause cause) {
  if (!cancel_.Request(cause)) return;
  RunIfWaiting(pool_, this);
}

void BackgroundFold::Finish(const CancelToken& waiting) {
  in_background_ = false;
  WriteHere(waiting);
  constexpr std::chrono::milliseconds kLook{20};  // how often `waiting` is looked at
  while (!waiting.requested() && !WaitDone(std::chrono::steady_clock::now() + kLook)) {
  }
}

// What stops a fold stops the turn that waits for it too: a host's calls that cancel
// folds wait for the turn, and closing an agent or its engine stops both. So the token
// of the waiting turn is enough.
void BackgroundFold::WriteHere(const CancelToken& waiting) {
  const std::shared_ptr<WorkerPool> pool = pool_.lock();
  if (!pool) return;
  std::function<void()> run = pool->Withdraw(this);
  if (!run) return;
  FoldOutcome outcome = task_.write(waiting, in_background_);
  if (outcome.summary || !waiting.requested()) {
    SetOutcome(std::move(outcome));
    return;
  }
  in_background_ = true;
  try {
    pool->Submit(shared_from_this(), std::move(run));
  } catch (const Error&) {  // the engine is closed
    SetOutcome(std::move(outcome));
    return;
  }
  if (cancel_.requested()) RunIfWaiting(pool_, this);  // stopped while in no queue
}

bool BackgroundFold::done() const {
  std::lock_guard lock(mutex_);
  return done_;
}

void BackgroundFold::Wait() const {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return done_; });
}

bool BackgroundFold::WaitDone(std::chrono::steady_clock::time_point deadline) const {
  std::unique_lock lock(mutex_);
  return changed_.wait_until(lock, deadline, [this] { return done_; });
}

}  // namespace talefold
