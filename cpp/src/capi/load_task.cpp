#include "capi/load_task.h"

#include <string>

#include "base/bounded_wait.h"
#include "base/catch_error.h"

namespace talefold::capi {

bool LoadTask::Report(float fraction) {
  const std::lock_guard lock(mutex_);
  progress_ = fraction;
  changed_.notify_all();
  return !cancelled_;
}

void LoadTask::Finish(std::optional<Error> error) {
  const std::lock_guard lock(mutex_);
  error_ = std::move(error);
  done_ = true;
  changed_.notify_all();
}

TurnComplete LoadTask::Complete() const {
  TurnComplete complete;
  if (!error_) return complete;
  complete.status = cancelled_ ? TurnStatus::Cancelled : TurnStatus::Error;
  if (!cancelled_) complete.error = error_;
  return complete;
}

std::optional<TaskEvent> LoadTask::TakeNext() {
  if (progress_) return Progress{*std::exchange(progress_, std::nullopt)};
  if (!done_ || complete_taken_) return std::nullopt;
  complete_taken_ = true;
  return Event{0, Complete()};
}

std::optional<TaskEvent> LoadTask::Poll() {
  const std::lock_guard lock(mutex_);
  return TakeNext();
}

std::optional<TaskEvent> LoadTask::WaitEvent(std::chrono::milliseconds timeout) {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, BoundedWait(timeout), [this] { return progress_ || done_; });
  return TakeNext();
}

bool LoadTask::Wait(std::chrono::milliseconds timeout) {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, BoundedWait(timeout), [this] { return done_; });
}

void LoadTask::Cancel() {
  const std::lock_guard lock(mutex_);
  if (!done_) cancelled_ = true;
}

void LoadTask::Resolve(const std::string&) {
  throw Error(ErrorCode::NoDecisionPending, "a load waits for no decision");
}

TurnResult LoadTask::Result() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return done_; });
  TurnComplete complete = Complete();
  return {.text = {},
          .status = complete.status,
          .tokens_generated = 0,
          .error = std::move(complete.error),
          .debug_info = {},
          .events = {}};
}

std::shared_ptr<LoadTask> Loads::Start(std::uint64_t engine, Work work) {
  const std::lock_guard lock(mutex_);
  if (stopped_) throw Error(ErrorCode::EngineClosed, "the engine is closed");
  JoinFinished();
  running_.reserve(running_.size() + 1);
  auto task = std::make_shared<LoadTask>(engine);
  running_.emplace_back(
      task, std::thread([task, work = std::move(work)] {
        task->Finish(CatchError(
            [&] { work([&](float fraction) { return task->Report(fraction); }); }));
      }));
  return task;
}

void Loads::JoinFinished() {
  std::erase_if(running_, [](auto& load) {
    if (!load.first->Wait(std::chrono::milliseconds(0))) return false;
    load.second.join();
    return true;
  });
}

void Loads::Stop() {
  decltype(running_) running;
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    running = std::move(running_);
  }
  for (auto& load : running) load.first->Cancel();
  for (auto& load : running) load.second.join();
}

}  // namespace talefold::capi
