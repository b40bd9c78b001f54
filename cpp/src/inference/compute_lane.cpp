#include "inference/compute_lane.h"

#include <exception>
#include <system_error>
#include <utility>

#include "talefold/error.h"

namespace talefold {

ComputeLane::ComputeLane(LaneOptions options) : options_(options) {
  stats_.kv_cache_bytes = static_cast<std::int64_t>(options_.kv_cache_bytes);
}

void ComputeLane::Run(LaneJob& job) {
  std::future<void> ended = job.ended.get_future();
  {
    std::lock_guard lock(mutex_);
    if (closed_) throw Error(ErrorCode::EngineClosed, "the engine is closed");
    StartThread();
    inbox_.jobs.push_back(&job);
    changed_.notify_one();
  }
  ended.get();
  if (job.error) std::rethrow_exception(job.error);
}

void ComputeLane::Start(const std::shared_ptr<LaneJob>& job) {
  std::lock_guard lock(mutex_);
  if (closed_) return job->ended.set_value();
  StartThread();
  job->self = job;
  inbox_.jobs.push_back(job.get());
  changed_.notify_one();
}

// Without a thread there is nothing yet that a task could concern.
void ComputeLane::Post(std::function<void(KvStore&)> task) {
  std::lock_guard lock(mutex_);
  if (closed_ || !thread_.joinable()) return;
  inbox_.tasks.push_back(std::move(task));
  changed_.notify_one();
}

void ComputeLane::Call(const std::function<void(KvStore&)>& task) {
  PendingCall call{task};
  std::future<void> ended = call.ended.get_future();
  {
    std::lock_guard lock(mutex_);
    if (closed_) throw Error(ErrorCode::EngineClosed, "the engine is closed");
    StartThread();
    inbox_.calls.push_back(&call);
    changed_.notify_one();
  }
  ended.get();
  if (call.error) std::rethrow_exception(call.error);
}

void ComputeLane::StartThread() {
  if (thread_.joinable()) return;
  try {
    thread_ = std::thread([this] { Work(); });
  } catch (const std::system_error& error) {
    throw Error(ErrorCode::InternalError,
                std::string("the compute thread could not be started: ") + error.what(),
                "free memory or threads of the process, then try again");
  }
}

EngineStats ComputeLane::stats() const {
  std::lock_guard lock(mutex_);
  return stats_;
}

void ComputeLane::Close() {
  std::thread thread;
  {
    std::lock_guard lock(mutex_);
    closed_ = true;
    thread.swap(thread_);
    changed_.notify_one();
  }
  if (thread.joinable()) thread.join();
}

void ComputeLane::Work() {
  Serve();
  std::lock_guard lock(mutex_);  // the memory is free now, the counts stand
  stats_.kv_used_bytes = stats_.parked_bytes = stats_.parked_states = 0;
  stats_.pools.clear();
}

void ComputeLane::Serve() {
  KvStore store(options_.kv_cache_bytes, options_.deterministic, Scheduler::kChunk);
  Scheduler scheduler(store, options_.deterministic);
  for (bool closed = false; !closed;) {
    Inbox inbox;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock,
                    [&] { return closed_ || !inbox_.empty() || !scheduler.idle(); });
      inbox = std::exchange(inbox_, {});
      closed = closed_;
    }
    for (const auto& task : inbox.tasks) task(store);
    for (PendingCall* call : inbox.calls) {
      try {
        call->task(store);
      } catch (...) {
        call->error = std::current_exception();
      }
      PublishStats(store, scheduler);
      call->ended.set_value();
    }
    for (LaneJob* job : inbox.jobs) scheduler.Add(*job);
    if (closed) {
      scheduler.FailAll(std::make_exception_ptr(
          Error(ErrorCode::EngineClosed, "the engine is closed")));
    } else {
      try {
        scheduler.Step();
      } catch (...) {  // out of memory, for one
        scheduler.FailAll(std::current_exception());
      }
    }
    PublishStats(store, scheduler);
    for (LaneJob* job : scheduler.TakeEnded()) {
      const std::shared_ptr<LaneJob> owned = std::move(job->self);
      job->ended.set_value();
    }
  }
}

void ComputeLane::PublishStats(const KvStore& store, const Scheduler& scheduler) {
  EngineStats stats;
  store.AddTo(stats);
  scheduler.AddTo(stats);
  std::lock_guard lock(mutex_);
  stats_ = std::move(stats);
}

}  // namespace talefold
