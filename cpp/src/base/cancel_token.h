// The stop signal of one turn, shared by its host, the watchdog and the worker.
#pragma once

#include <condition_variable>
#include <mutex>

namespace talefold {

enum class StopCause { None, Cancelled, TimedOut };

// Any thread. The first cause wins; a token is never reset.
class CancelToken {
 public:
  // True when this call was the one that set the cause.
  bool Request(StopCause cause) {
    std::lock_guard lock(mutex_);
    if (cause_ != StopCause::None) return false;
    cause_ = cause;
    changed_.notify_all();
    return true;
  }

  StopCause cause() const {
    std::lock_guard lock(mutex_);
    return cause_;
  }

  bool requested() const { return cause() != StopCause::None; }

  // Blocks until a stop is requested.
  void Wait() const {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return cause_ != StopCause::None; });
  }

  // Sleeps for `duration` or until a stop is requested; true in the second case.
  template <typename Duration>
  bool WaitFor(Duration duration) const {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, duration,
                             [this] { return cause_ != StopCause::None; });
  }

 private:
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  StopCause cause_ = StopCause::None;  // guarded by mutex_
};

}  // namespace talefold
