// The state of a turn that its host and its worker share.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "runtime/pool_task.h"
#include "talefold/turn.h"

namespace talefold {

class WorkerPool;

// Any thread may call any method. Held by the host's handles and by the worker pool
// until the turn is done. Listeners run without the lock on the event queue.
class Turn::Impl final : public PoolTask {
 public:
  Impl(std::uint64_t id, std::weak_ptr<WorkerPool> pool)
      : id_(id), pool_(std::move(pool)) {}

  // Host side; see Turn.
  std::uint64_t id() const { return id_; }
  bool done() const;
  std::optional<Event> Poll();
  std::optional<Event> WaitEvent(std::chrono::milliseconds timeout);
  bool Wait(std::chrono::milliseconds timeout) const;
  TurnResult Result() const;
  void Resolve(const std::string& option);
  void SetListener(std::function<void()> listener);

  void Stop(StopCause cause) override;

  // Worker side.
  CancelToken& cancel() { return cancel_; }
  void Push(Event event);
  // Queues the decision and blocks until it is resolved; empty when stopped.
  std::string AwaitDecision(DecisionRequired decision);
  // The last call of the worker: queues turn_complete.
  void Finish(std::string text, TurnComplete complete);

 private:
  std::optional<Event> TakeNext();
  void Notify();

  const std::uint64_t id_;
  const std::weak_ptr<WorkerPool> pool_;
  CancelToken cancel_;

  mutable std::mutex mutex_;  // guards everything below up to the listener
  mutable std::condition_variable changed_;
  std::vector<Event> events_;
  std::size_t next_event_ = 0;        // of Poll
  std::vector<std::string> options_;  // of the pending decision
  std::optional<std::string> resolved_;
  std::string text_;
  bool done_ = false;

  std::recursive_mutex listener_mutex_;  // held while the listener runs
  std::function<void()> listener_;       // guarded by listener_mutex_
};

}  // namespace talefold
