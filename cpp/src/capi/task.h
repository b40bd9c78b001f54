// Tasks: what runs in the background and is polled for its events.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "talefold/event.h"
#include "talefold/turn.h"

namespace talefold::capi {

struct Progress {
  double fraction = 0;  // 0 to 1
};

// A load's only Event is its TurnComplete, with turn id 0.
using TaskEvent = std::variant<Event, Progress>;

// Any thread may call any method.
class Task {
 public:
  explicit Task(std::uint64_t engine) : engine_(engine) {}
  virtual ~Task() = default;
  Task(const Task&) = delete;
  Task& operator=(const Task&) = delete;

  std::uint64_t engine() const { return engine_; }  // handle of what it belongs to

  virtual std::optional<TaskEvent> Poll() = 0;
  virtual std::optional<TaskEvent> WaitEvent(std::chrono::milliseconds timeout) = 0;
  virtual bool Wait(std::chrono::milliseconds timeout) = 0;
  virtual void Cancel() = 0;
  virtual void Resolve(const std::string& option) = 0;
  // Once it is done.
  virtual TurnResult Result() = 0;

 private:
  const std::uint64_t engine_;
};

class TurnTask final : public Task {
 public:
  TurnTask(std::uint64_t engine, Turn turn) : Task(engine), turn_(std::move(turn)) {}

  std::optional<TaskEvent> Poll() override { return turn_.Poll(); }
  std::optional<TaskEvent> WaitEvent(std::chrono::milliseconds timeout) override {
    return turn_.WaitEvent(timeout);
  }
  bool Wait(std::chrono::milliseconds timeout) override { return turn_.Wait(timeout); }
  void Cancel() override { turn_.Cancel(); }
  void Resolve(const std::string& option) override { turn_.Resolve(option); }
  TurnResult Result() override { return turn_.Result(); }

 private:
  Turn turn_;
};

}  // namespace talefold::capi
