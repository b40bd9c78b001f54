// The threads that run turns, or folds beside turns.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "runtime/pool_task.h"

namespace talefold {

// Any thread may call any method, but a worker must not call Close. Threads start when
// tasks need them, up to the given number; tasks beyond wait in order.
class WorkerPool {
 public:
  explicit WorkerPool(std::size_t max_threads) : max_threads_(max_threads) {}
  ~WorkerPool() { Close(); }

  // Throws EngineClosed after Close.
  void Submit(std::shared_ptr<PoolTask> task, std::function<void()> run);

  // The `run` of a task that has not started, taken out of the queue; else empty.
  std::function<void()> Withdraw(const PoolTask* task);

  // Stops every task and waits for the threads. Idempotent; every caller waits.
  void Close();

 private:
  struct Job {
    std::shared_ptr<PoolTask> task;
    std::function<void()> run;
  };
  void Work();
  void StartThread();  // call with mutex_ held

  const std::size_t max_threads_;
  std::mutex close_mutex_;  // held while closing; taken before mutex_
  std::mutex mutex_;        // guards everything below
  std::condition_variable changed_;
  std::deque<Job> queue_;
  std::vector<std::shared_ptr<PoolTask>> running_;
  std::vector<std::thread> threads_;
  std::size_t idle_ = 0;
  bool closed_ = false;
};

// Runs a task that still waits for a worker, on this thread. Nothing when a worker has
// begun it, or the pool is gone.
void RunIfWaiting(const std::weak_ptr<WorkerPool>& pool, const PoolTask* task);

}  // namespace talefold
