// One device, one lane: whoever holds it may decode.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace talefold {

// Any thread. First come, first served, so that no agent starves beside a busy one.
// Owned by the engine, shared by its llama models.
class ComputeLane {
 public:
  // Holds the lane while it lives; take it for one batch at a time.
  class Turn {
   public:
    explicit Turn(ComputeLane& lane) : lane_(lane) { lane_.Enter(); }
    ~Turn() { lane_.Leave(); }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

   private:
    ComputeLane& lane_;
  };

 private:
  void Enter() {
    std::unique_lock lock(mutex_);
    const std::uint64_t ticket = next_ticket_++;
    moved_.wait(lock, [&] { return now_serving_ == ticket; });
  }
  void Leave() {
    std::lock_guard lock(mutex_);
    ++now_serving_;
    moved_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable moved_;
  std::uint64_t next_ticket_ = 0;  // guarded by mutex_
  std::uint64_t now_serving_ = 0;  // guarded by mutex_
};

}  // namespace talefold
