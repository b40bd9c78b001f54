// Serializes log lines to the engine's sink.
#pragma once

#include <mutex>
#include <string_view>
#include <utility>

#include "base/text.h"
#include "talefold/log.h"

namespace talefold {

// Any thread. Owned by the engine; outlives everything that logs.
class Logger {
 public:
  explicit Logger(LogSink sink) : sink_(std::move(sink)) {}

  void Log(LogLevel level, std::string_view category, std::string_view text) {
    if (!sink_) return;
    std::lock_guard lock(mutex_);
    try {
      sink_(level, category, ToValidText(text));  // it may quote what is broken
    } catch (...) {                               // a log line is not worth a turn
    }
  }

 private:
  std::mutex mutex_;  // held while the sink runs
  LogSink sink_;
};

}  // namespace talefold
