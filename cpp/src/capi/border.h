// The border of the C interface: what every function of the table does around its work.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/catch_error.h"
#include "base/text.h"
#include "talefold/error.h"
#include "talefold/event.h"
#include "talefold/log.h"
#include "talefold/talefold.h"

namespace talefold::capi {

struct LogLine {
  LogLevel level = LogLevel::Debug;
  std::string category;
  std::string text;
  std::uint64_t dropped = 0;  // lines lost before this one
};

// What a call handed out; it belongs to the calling thread, until its next call.
struct Returned {
  std::string text;  // or bytes
  std::vector<float> floats;
  std::optional<Event> event;
  std::string event_json;
  std::optional<Error> error;
  LogLine line;
};
Returned& ReturnedByThread();

// The newest failure of the calling thread.
struct Failure {
  std::optional<Error> error;
  bool out_of_memory = false;  // there was none for the error itself
};
Failure& LastFailure();

// Runs the work of a function; what it throws becomes its status.
template <typename Work>
std::int32_t Call(const Work& work) noexcept {
  try {
    ReturnedByThread() = {};
    auto error = CatchError(work);
    if (!error) return TALEFOLD_OK;
    const auto code = static_cast<std::int32_t>(error->code());
    LastFailure() = {std::move(error), false};
    return code;
  } catch (...) {
    LastFailure().out_of_memory = true;
    return TALEFOLD_INTERNAL_ERROR;
  }
}

// Marks the thread as one that runs a function of the host for the library.
class CallbackScope {
 public:
  CallbackScope() : outer_(std::exchange(running_, true)) {}
  ~CallbackScope() { running_ = outer_; }
  CallbackScope(const CallbackScope&) = delete;
  CallbackScope& operator=(const CallbackScope&) = delete;

  static bool running() { return running_; }

 private:
  inline static thread_local bool running_ = false;
  const bool outer_;
};

// Throws AgentBusy in a callback: what the call waits for may be the work that the
// callback is a part of.
void RefuseInCallback(std::string_view function);

// --- What comes in -------------------------------------------------------------------

// Throws InvalidArgument (NULL with a size, a NUL character), InvalidUtf8.
std::string_view Read(talefold_text text, std::string_view what);
std::optional<std::string> ReadOptional(talefold_text text, std::string_view what);
std::string_view Read(talefold_bytes bytes, std::string_view what);
// Throws InvalidArgument for a negative one.
std::int64_t ReadTimeout(std::int64_t timeout_ms);

// --- What goes out -------------------------------------------------------------------

[[noreturn]] void FailNull(std::string_view what);

// What `pointer` refers to, which is 0 or empty from then on. Throws InvalidArgument
// for NULL.
template <typename T>
T& Out(T* pointer, std::string_view what) {
  if (!pointer) FailNull(what);
  *pointer = T{};
  return *pointer;
}

void Return(talefold_text& out, std::string text);
void Return(talefold_bytes& out, std::string bytes);
void Return(talefold_floats& out, std::vector<float> floats);

inline talefold_text View(std::string_view text) { return {text.data(), text.size()}; }

// Throws InvalidArgument for NULL, and for a size that no version of the struct has.
void CheckSize(const void* pointer, std::size_t size, std::size_t oldest,
               std::string_view what);

// The beginning of a versioned struct that both sides know; what the caller has beyond
// is 0. `source` has the size that the library knows.
template <typename T>
void Fill(T* target, const T& source) {
  const std::size_t size = target->size;
  std::memset(static_cast<void*>(target), 0, size);
  std::memcpy(static_cast<void*>(target), &source, std::min(size, sizeof(T)));
  target->size = size;
}

// A versioned struct that a call fills: Check before its work, then Fill.
template <typename T>
void Check(const T* pointer, std::string_view what) {
  CheckSize(pointer, pointer ? pointer->size : 0, sizeof(T), what);
}

void FillError(talefold_error* out, const std::optional<Error>& error);

}  // namespace talefold::capi
