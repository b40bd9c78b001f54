// One device, one lane: the thread that decodes for the whole engine.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "inference/kv/kv_store.h"
#include "inference/lane_job.h"
#include "inference/scheduler.h"
#include "talefold/stats.h"

namespace talefold {

struct LaneOptions {
  std::size_t kv_cache_bytes = std::size_t{1} << 30;
  std::int32_t slots_per_pool = 4;  // beside one for background work
  bool deterministic = false;
};

// Any thread may call any method, but the lane's own must not call Run, Call or Close.
// Owned by the engine, shared by its models and their sequences. Its thread starts with
// the first request. Never holds a lock while a batch runs or a host's code is called.
class ComputeLane {
 public:
  explicit ComputeLane(LaneOptions options);
  ~ComputeLane() { Close(); }
  ComputeLane(const ComputeLane&) = delete;
  ComputeLane& operator=(const ComputeLane&) = delete;

  const LaneOptions& options() const { return options_; }

  // Blocks until the job is done. Throws what the job failed with, EngineClosed.
  void Run(LaneJob& job);
  // Takes the job over and returns at once; its `ended` tells when it is done, which
  // it is at once after Close.
  void Start(const std::shared_ptr<LaneJob>& job);
  // Runs `task` between two batches, some time; after Close never.
  void Post(std::function<void(KvStore&)> task);
  // Runs `task` between two batches and returns when it is done. Throws what it throws,
  // EngineClosed.
  void Call(const std::function<void(KvStore&)>& task);
  // As of the newest batch.
  EngineStats stats() const;
  // Fails the jobs there are, frees all memory, waits for the thread. Idempotent.
  void Close();

 private:
  // On the stack of who waits for it.
  struct PendingCall {
    const std::function<void(KvStore&)>& task;
    std::exception_ptr error = nullptr;
    std::promise<void> ended = {};
  };
  struct Inbox {
    std::vector<LaneJob*> jobs;
    std::vector<std::function<void(KvStore&)>> tasks;
    std::vector<PendingCall*> calls;
    bool empty() const { return jobs.empty() && tasks.empty() && calls.empty(); }
  };

  void Work();
  void Serve();
  void StartThread();  // call with mutex_ held
  void PublishStats(const KvStore& store, const Scheduler& scheduler);

  const LaneOptions options_;
  mutable std::mutex mutex_;  // guards everything below
  std::condition_variable changed_;
  Inbox inbox_;
  EngineStats stats_;
  std::thread thread_;
  bool closed_ = false;
};

}  // namespace talefold
