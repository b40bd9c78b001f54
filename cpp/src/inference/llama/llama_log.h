// llama.cpp's log, which is process-wide, brought to the engine that caused the lines.
#pragma once

#include <string>

#include "base/logger.h"

namespace talefold {

// Installs our callback in place of what was there; without it llama.cpp writes to
// stderr. Who imports llama_cpp's Python module later replaces it in turn.
void RouteLlamaLog();

// While it lives, lines that llama.cpp writes on this thread go to `logger` at debug
// level, and its errors are kept. One at a time a thread.
class LlamaLogCapture {
 public:
  explicit LlamaLogCapture(Logger& logger) : LlamaLogCapture(&logger) {}
  // Keeps errors only.
  LlamaLogCapture() : LlamaLogCapture(nullptr) {}
  ~LlamaLogCapture();
  LlamaLogCapture(const LlamaLogCapture&) = delete;
  LlamaLogCapture& operator=(const LlamaLogCapture&) = delete;

  void Add(bool is_error, const char* text);
  // The error lines so far, joined by "; "; empty, too, when another llama.cpp user in
  // the process took the log over.
  const std::string& errors() const { return errors_; }

 private:
  explicit LlamaLogCapture(Logger* logger);

  Logger* const logger_;
  std::string errors_;
};

}  // namespace talefold
