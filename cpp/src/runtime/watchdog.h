// Stops turns whose time is up.
#pragma once

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "talefold/turn.h"

namespace talefold {

// Any thread may call any method. Its one thread starts with the first deadline.
class Watchdog {
 public:
  using Clock = std::chrono::steady_clock;

  ~Watchdog() { Close(); }
  // No effect after Close.
  void Arm(std::shared_ptr<Turn::Impl> turn, Clock::time_point deadline);
  void Disarm(const Turn::Impl* turn);
  void Close();

 private:
  struct Alarm {
    std::shared_ptr<Turn::Impl> turn;
    Clock::time_point deadline;
  };
  void Watch();
  void StartThread();  // call with mutex_ held
  std::vector<Alarm>::iterator Next();

  std::mutex mutex_;  // guards everything below
  std::condition_variable changed_;
  std::vector<Alarm> alarms_;  // one per running turn with a time-out: few
  std::thread thread_;
  bool closed_ = false;
};

}  // namespace talefold
