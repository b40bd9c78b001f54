// The border of the C interface: what every function of the table does around its work.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
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

// What a call handed out.
struct Returned {
  std::string text;  // or bytes
  std::vector<float> floats;
  std::optional<Event> event;
  std::string event_json;
  std::optional<Error> error;
  LogLine line;
};

// What the calling thread has of the library. Behind pointers, since the host has views
// of it: what moves, stays where it is.
struct ThreadState {
  std::unique_ptr<Returned> returned;  // by its newest call
  std::unique_ptr<const Error> error;  // its newest failure
  bool out_of_memory = false;          // there was none for the error itself
};
ThreadState& State();

// Where the call that runs puts what it hands out.
Returned& ReturnedByThread();

// Runs the work of a function; what it throws becomes its status.
template <typename Work>
std::int32_t Call(const Work& work) noexcept {
  // Lives as long as the call, which may be given what the call before it returned.
  const std::unique_ptr<Returned> before = std::exchange(State().returned, nullptr);
  try {
    auto error = CatchError(work);
    if (!error) return TALEFOLD_OK;
    const auto code = static_cast<std::int32_t>(error->code());
    State().error = std::make_unique<const Error>(*std::move(error));
    State().out_of_memory = false;
    return code;
  } catch (...) {
    State().out_of_memory = true;
    return TALEFOLD_INTERNAL_ERROR;
  }
}

// While the thread runs a function of the host for the library. Calls that the function
// makes have a state of their own: the one that it runs for still reads what it was
// given.
class CallbackScope {
 public:
  CallbackScope()
      : was_running_(std::exchange(running_, true)),
        outer_(std::exchange(State(), {})) {}
  ~CallbackScope() {
    State() = std::move(outer_);
    running_ = was_running_;
  }
  CallbackScope(const CallbackScope&) = delete;
  CallbackScope& operator=(const CallbackScope&) = delete;

  static bool running() { return running_; }

 private:
  inline static thread_local bool running_ = false;
  const bool was_running_;
  ThreadState outer_;
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

inline constexpr std::string_view kPassPlace = "pass where the result is to go";

// Throws InvalidArgument: `what` is NULL; `hint` says what to pass.
[[noreturn]] void FailNull(std::string_view what, std::string_view hint);

// What `pointer` refers to, which is 0 or empty from then on. Throws InvalidArgument
// for NULL.
template <typename T>
T& Out(T* pointer, std::string_view what) {
  if (!pointer) FailNull(what, kPassPlace);
  *pointer = T{};
  return *pointer;
}

void Return(talefold_text& out, std::string text);
void Return(talefold_bytes& out, std::string bytes);
void Return(talefold_floats& out, std::vector<float> floats);

inline talefold_text View(std::string_view text) { return {text.data(), text.size()}; }

// Throws InvalidArgument for a size that no version of a struct has; `oldest` is the
// smallest that one had.
void CheckSize(std::size_t size, std::size_t oldest, std::string_view what);

// The beginning of a versioned struct that both sides know; what the caller has beyond
// is 0. `source` has the size that the library knows.
template <typename T>
void Fill(T* target, const T& source) {
  const std::size_t size = target->size;
  std::memset(static_cast<void*>(target), 0, size);
  std::memcpy(static_cast<void*>(target), &source, std::min(size, sizeof(T)));
  target->size = size;
}

// The versioned struct that `pointer` refers to, which is `empty` from then on. Throws
// InvalidArgument for NULL and for a size that no version has.
template <typename T>
T* OutStruct(T* pointer, std::string_view what, const T& empty = {}) {
  if (!pointer) FailNull(what, kPassPlace);
  CheckSize(pointer->size, sizeof(T), what);
  Fill(pointer, empty);
  return pointer;
}

void FillError(talefold_error* out, const Error& error);

}  // namespace talefold::capi
