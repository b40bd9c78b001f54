#include "inference/llama/llama_log.h"

#include <llama.h>

#include "base/text.h"

namespace talefold {

namespace {

thread_local LlamaLogCapture* current_capture = nullptr;

void OnLlamaLog(ggml_log_level level, const char* text, void*) {
  if (current_capture) current_capture->Add(level == GGML_LOG_LEVEL_ERROR, text);
}

}  // namespace

void RouteLlamaLog() { llama_log_set(OnLlamaLog, nullptr); }

LlamaLogCapture::LlamaLogCapture(Logger* logger) : logger_(logger) {
  current_capture = this;
}

LlamaLogCapture::~LlamaLogCapture() { current_capture = nullptr; }

void LlamaLogCapture::Add(bool is_error, const char* text) {
  const std::string_view line = TrimWhitespace(text);
  if (line.empty() || line == ".") return;
  if (logger_) logger_->Log(LogLevel::Debug, "llama", line);
  if (!is_error) return;
  if (!errors_.empty()) errors_ += "; ";
  errors_ += line;
}

}  // namespace talefold
