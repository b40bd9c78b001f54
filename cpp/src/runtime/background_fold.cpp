#include "runtime/background_fold.h"

#include <utility>

#include "runtime/worker_pool.h"

namespace talefold {

void BackgroundFold::Run() {
  FoldOutcome outcome;
  outcome.reason = SkipReason::Cancelled;
  if (!cancel_.requested()) outcome = task_.write(cancel_, in_background_);
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
  RunIfWaiting(pool_, this);
  constexpr std::chrono::milliseconds kLook{20};  // how often `waiting` is looked at
  while (!waiting.requested() && !WaitDone(std::chrono::steady_clock::now() + kLook)) {
  }
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
