#include "runtime/worker_pool.h"

#include <algorithm>
#include <utility>

#include "runtime/turn_impl.h"

namespace talefold {

void WorkerPool::Submit(std::shared_ptr<Turn::Impl> turn, std::function<void()> run) {
  std::lock_guard lock(mutex_);
  if (closed_) throw Error(ErrorCode::EngineClosed, "the engine is closed");
  queue_.push_back({std::move(turn), std::move(run)});
  if (idle_ < queue_.size() && threads_.size() < max_threads_) {
    threads_.emplace_back([this] { Work(); });
  }
  changed_.notify_one();
}

std::function<void()> WorkerPool::Withdraw(const Turn::Impl* turn) {
  std::lock_guard lock(mutex_);
  const auto found = std::find_if(queue_.begin(), queue_.end(), [turn](const Job& job) {
    return job.turn.get() == turn;
  });
  if (found == queue_.end()) return {};
  std::function<void()> run = std::move(found->run);
  queue_.erase(found);
  return run;
}

void WorkerPool::Close() {
  std::vector<std::shared_ptr<Turn::Impl>> turns;
  std::vector<std::thread> threads;
  {
    std::lock_guard lock(mutex_);
    closed_ = true;
    turns = running_;
    for (const Job& job : queue_) turns.push_back(job.turn);
    threads.swap(threads_);
    changed_.notify_all();
  }
  for (const auto& turn : turns) turn->Stop(StopCause::Cancelled);
  for (std::thread& thread : threads) thread.join();
}

void WorkerPool::Work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    ++idle_;
    changed_.wait(lock, [this] { return closed_ || !queue_.empty(); });
    --idle_;
    if (queue_.empty()) return;
    Job job = std::move(queue_.front());
    queue_.pop_front();
    running_.push_back(job.turn);
    lock.unlock();
    job.run();
    job.run = nullptr;  // releases the agent, without the lock
    lock.lock();
    running_.erase(std::find(running_.begin(), running_.end(), job.turn));
  }
}

}  // namespace talefold
