// The lines of an engine's log that the host has not taken yet.
#pragma once

#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "capi/border.h"

namespace talefold::capi {

// Any thread may call it.
class LogQueue {
 public:
  static constexpr std::size_t kMaxLines = 1024;

  // The oldest line makes room for a new one.
  void Add(LogLevel level, std::string_view category, std::string_view text) {
    const std::lock_guard lock(mutex_);
    if (lines_.size() == kMaxLines) {
      lines_.pop_front();
      ++dropped_;
    }
    lines_.push_back({level, std::string(category), std::string(text)});
  }

  std::optional<LogLine> Take() {
    const std::lock_guard lock(mutex_);
    if (lines_.empty()) return std::nullopt;
    LogLine line = std::move(lines_.front());
    lines_.pop_front();
    line.dropped = std::exchange(dropped_, 0);
    return line;
  }

 private:
  std::mutex mutex_;
  std::deque<LogLine> lines_;
  std::uint64_t dropped_ = 0;
};

}  // namespace talefold::capi
