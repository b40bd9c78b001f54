#include "runtime/background_fold.h"

#include <functional>
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
  const auto pool = pool_.lock();
  if (!pool) return;
  if (const std::function<void()> run = pool->Withdraw(this)) run();
}

void BackgroundFold::Finish(const CancelToken& waiting) {
  in_background_ = false;
  if (const auto pool = pool_.lock()) {
    if (const std::function<void()> run = pool->Withdraw(this)) run();
  }
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
