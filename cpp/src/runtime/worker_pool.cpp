#include "runtime/worker_pool.h"

#include <algorithm>
#include <string>
#include <system_error>
#include <utility>

#include "talefold/error.h"

namespace talefold {

void WorkerPool::Submit(std::shared_ptr<PoolTask> task, std::function<void()> run) {
  std::lock_guard lock(mutex_);
  if (closed_) throw Error(ErrorCode::EngineClosed, "the engine is closed");
  if (idle_ <= queue_.size() && threads_.size() < max_threads_) StartThread();
  queue_.push_back({std::move(task), std::move(run)});
  changed_.notify_one();
}

// Fewer threads than wanted will do, none will not.
void WorkerPool::StartThread() {
  try {
    threads_.emplace_back([this] { Work(); });
  } catch (const std::system_error& error) {
    if (!threads_.empty()) return;
    throw Error(ErrorCode::InternalError,
                std::string("no worker thread could be started: ") + error.what(),
                "free memory or threads of the process, then try again");
  }
}

std::function<void()> WorkerPool::Withdraw(const PoolTask* task) {
  std::lock_guard lock(mutex_);
  const auto found = std::find_if(queue_.begin(), queue_.end(), [task](const Job& job) {
    return job.task.get() == task;
  });
  if (found == queue_.end()) return {};
  std::function<void()> run = std::move(found->run);
  queue_.erase(found);
  return run;
}

void RunIfWaiting(const std::weak_ptr<WorkerPool>& pool, const PoolTask* task) {
  const std::shared_ptr<WorkerPool> there = pool.lock();
  if (!there) return;
  if (const std::function<void()> run = there->Withdraw(task)) run();
}

void WorkerPool::Close() {
  std::lock_guard closing(close_mutex_);  // a second caller waits for the first
  std::vector<std::shared_ptr<PoolTask>> tasks;
  std::vector<std::thread> threads;
  {
    std::lock_guard lock(mutex_);
    closed_ = true;
    tasks = running_;
    for (const Job& job : queue_) tasks.push_back(job.task);
    threads.swap(threads_);
    changed_.notify_all();
  }
  for (const auto& task : tasks) task->Stop(StopCause::Cancelled);
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
    running_.push_back(job.task);
    lock.unlock();
    job.run();
    lock.lock();
    std::erase(running_, job.task);
    lock.unlock();
    job = {};  // may be the last to hold agent, task and what they hold
    lock.lock();
  }
}

}  // namespace talefold
