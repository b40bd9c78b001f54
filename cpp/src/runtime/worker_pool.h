// The threads that run turns.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "talefold/turn.h"

namespace talefold {

// Any thread may call any method, but a worker must not call Close. Threads start when
// turns need them, up to the given number; turns beyond wait in order.
class WorkerPool {
 public:
  explicit WorkerPool(std::size_t max_threads) : max_threads_(max_threads) {}
  ~WorkerPool() { Close(); }

  // Throws EngineClosed after Close.
  void Submit(std::shared_ptr<Turn::Impl> turn, std::function<void()> run);

  // The `run` of a turn that has not started, taken out of the queue; else empty.
  std::function<void()> Withdraw(const Turn::Impl* turn);

  // Stops every turn and waits for the threads. Idempotent; every caller waits.
  void Close();

 private:
  struct Job {
    std::shared_ptr<Turn::Impl> turn;
    std::function<void()> run;
  };
  void Work();
  void StartThread();  // call with mutex_ held

  const std::size_t max_threads_;
  std::mutex close_mutex_;  // held while closing; taken before mutex_
  std::mutex mutex_;        // guards everything below
  std::condition_variable changed_;
  std::deque<Job> queue_;
  std::vector<std::shared_ptr<Turn::Impl>> running_;
  std::vector<std::thread> threads_;
  std::size_t idle_ = 0;
  bool closed_ = false;
};

}  // namespace talefold
