// Loads of models and knowledge bases, each on a thread of its own.
#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "capi/task.h"
#include "talefold/error.h"

namespace talefold::capi {

class LoadTask final : public Task {
 public:
  using Task::Task;

  // Called on the load's thread; false = stop.
  bool Report(float fraction);
  void Finish(std::optional<Error> error);

  std::optional<TaskEvent> Poll() override;
  std::optional<TaskEvent> WaitEvent(std::chrono::milliseconds timeout) override;
  bool Wait(std::chrono::milliseconds timeout) override;
  void Cancel() override;
  void Resolve(const std::string& option) override;
  TurnResult Result() override;

 private:
  // Call with mutex_ held.
  std::optional<TaskEvent> TakeNext();
  TurnComplete Complete() const;

  std::mutex mutex_;  // guards everything below
  std::condition_variable changed_;
  std::optional<double> progress_;  // not yet taken; an older one is of no interest
  bool cancelled_ = false;
  bool done_ = false;
  bool complete_taken_ = false;
  std::optional<Error> error_;
};

// The loads of an engine. Any thread may call it.
class Loads {
 public:
  // Gets what tells the task of progress: false = stop.
  using Work = std::function<void(const std::function<bool(float)>& on_progress)>;

  // Runs `work` on a thread of its own. Throws EngineClosed after Stop.
  std::shared_ptr<LoadTask> Start(std::uint64_t engine, Work work);
  // Cancels all loads, and waits for their threads.
  void Stop();

 private:
  void JoinFinished();  // call with mutex_ held

  std::mutex mutex_;
  std::vector<std::pair<std::shared_ptr<LoadTask>, std::thread>> running_;
  bool stopped_ = false;
};

}  // namespace talefold::capi
