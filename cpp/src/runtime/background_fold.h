// A scheduled fold on its way: waiting for a worker, being written, written.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>

#include "nodes/fold_task.h"
#include "runtime/pool_task.h"

namespace talefold {

class WorkerPool;

// Any thread may call any method. Held by its agent, and by the pool until it is
// written; the pool's job keeps the agent alive, whose node does the writing.
class BackgroundFold final : public PoolTask,
                             public std::enable_shared_from_this<BackgroundFold> {
 public:
  // The interaction of the turn that scheduled it, which will carry the summary.
  struct Carrier {
    std::size_t index;
    std::int64_t id;
    std::uint64_t turn_id;
  };

  BackgroundFold(FoldTask task, Carrier carrier, std::weak_ptr<WorkerPool> pool)
      : task_(std::move(task)), carrier_(carrier), pool_(std::move(pool)) {}

  const FoldTask& task() const { return task_; }
  const Carrier& carrier() const { return carrier_; }

  // Worker side: writes the summary.
  void Run();

  void Stop(StopCause cause) override;
  // Somebody waits: before all other background work from now on, on this thread if no
  // worker has begun. Returns when it is written, stopped, or `waiting` is; what this
  // thread had begun then waits for a worker again.
  void Finish(const CancelToken& waiting);
  bool done() const;
  bool WaitDone(std::chrono::steady_clock::time_point deadline) const;
  void Wait() const;
  // Once done.
  const FoldOutcome& outcome() const { return outcome_; }

 private:
  void SetOutcome(FoldOutcome outcome);
  void WriteHere(const CancelToken& waiting);

  const FoldTask task_;
  const Carrier carrier_;
  const std::weak_ptr<WorkerPool> pool_;
  CancelToken cancel_;
  std::atomic<bool> in_background_ = true;

  mutable std::mutex mutex_;  // guards everything below
  mutable std::condition_variable changed_;
  bool done_ = false;
  FoldOutcome outcome_;  // never changes once done
};

}  // namespace talefold
