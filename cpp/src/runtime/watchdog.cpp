#include "runtime/watchdog.h"

#include <algorithm>
#include <string>
#include <system_error>
#include <utility>

#include "runtime/turn_impl.h"

namespace talefold {

void Watchdog::Arm(std::shared_ptr<Turn::Impl> turn, Clock::time_point deadline) {
  std::lock_guard lock(mutex_);
  if (closed_) return;
  if (!thread_.joinable()) StartThread();
  alarms_.push_back({std::move(turn), deadline});
  changed_.notify_all();
}

void Watchdog::StartThread() {
  try {
    thread_ = std::thread([this] { Watch(); });
  } catch (const std::system_error& error) {
    throw Error(
        ErrorCode::InternalError,
        std::string("no thread for time-outs could be started: ") + error.what(),
        "free memory or threads of the process, or send without a time-out");
  }
}

void Watchdog::Disarm(const Turn::Impl* turn) {
  std::lock_guard lock(mutex_);
  std::erase_if(alarms_,
                [turn](const Alarm& alarm) { return alarm.turn.get() == turn; });
}

void Watchdog::Close() {
  std::thread thread;
  {
    std::lock_guard lock(mutex_);
    closed_ = true;
    alarms_.clear();
    thread.swap(thread_);
    changed_.notify_all();
  }
  if (thread.joinable()) thread.join();
}

std::vector<Watchdog::Alarm>::iterator Watchdog::Next() {
  return std::min_element(
      alarms_.begin(), alarms_.end(),
      [](const Alarm& a, const Alarm& b) { return a.deadline < b.deadline; });
}

void Watchdog::Watch() {
  std::unique_lock lock(mutex_);
  while (!closed_) {
    const auto next = Next();
    if (next == alarms_.end()) {
      changed_.wait(lock);
    } else if (Clock::now() < next->deadline) {
      const Clock::time_point deadline = next->deadline;  // the alarm may go meanwhile
      changed_.wait_until(lock, deadline);
    } else {
      const std::shared_ptr<Turn::Impl> turn = next->turn;
      alarms_.erase(next);
      lock.unlock();
      turn->Stop(StopCause::TimedOut);
      lock.lock();
    }
  }
}

}  // namespace talefold
