#include "capi/border.h"

#include <algorithm>
#include <limits>

namespace talefold::capi {

namespace {

// Beyond any version of a struct: a size that was never set.
constexpr std::size_t kMaxStructBytes = 4096;

template <typename Pointer>
void CheckRange(Pointer data, std::size_t size, std::string_view what) {
  if ((data || size == 0) && size <= std::numeric_limits<std::ptrdiff_t>::max()) return;
  throw Error(ErrorCode::InvalidArgument,
              std::string(what) + " is " + std::to_string(size) + " bytes at " +
                  (data ? "an address" : "NULL"),
              "pass where the bytes begin, and how many there are");
}

}  // namespace

ThreadState& State() {
  static thread_local ThreadState state;
  return state;
}

Returned& ReturnedByThread() {
  std::unique_ptr<Returned>& returned = State().returned;
  if (!returned) returned = std::make_unique<Returned>();
  return *returned;
}

void RefuseInCallback(std::string_view function) {
  if (!CallbackScope::running()) return;
  throw Error(
      ErrorCode::AgentBusy,
      std::string(function) + " was called by a callback, for whose end it would wait",
      "call it from another thread");
}

std::string_view Read(talefold_text text, std::string_view what) {
  CheckRange(text.data, text.size, what);
  const std::string_view view(text.data ? text.data : "", text.size);
  CheckText(view, what, std::numeric_limits<std::int64_t>::max());
  return view;
}

std::optional<std::string> ReadOptional(talefold_text text, std::string_view what) {
  if (!text.data && text.size == 0) return std::nullopt;
  return std::string(Read(text, what));
}

std::string_view Read(talefold_bytes bytes, std::string_view what) {
  CheckRange(bytes.data, bytes.size, what);
  return {reinterpret_cast<const char*>(bytes.data), bytes.size};
}

std::int64_t ReadTimeout(std::int64_t timeout_ms) {
  if (timeout_ms >= 0) return timeout_ms;
  throw Error(ErrorCode::InvalidArgument, "timeout_ms: " + std::to_string(timeout_ms) +
                                              " is out of range; allowed 0 or more");
}

void FailNull(std::string_view what, std::string_view hint) {
  throw Error(ErrorCode::InvalidArgument, std::string(what) + " is NULL",
              std::string(hint));
}

void Return(talefold_text& out, std::string text) {
  std::string& kept = ReturnedByThread().text = std::move(text);
  out = {kept.data(), kept.size()};
}

void Return(talefold_bytes& out, std::string bytes) {
  std::string& kept = ReturnedByThread().text = std::move(bytes);
  out = {reinterpret_cast<const std::uint8_t*>(kept.data()), kept.size()};
}

void Return(talefold_floats& out, std::vector<float> floats) {
  std::vector<float>& kept = ReturnedByThread().floats = std::move(floats);
  out = {kept.data(), kept.size()};
}

void CheckSize(std::size_t size, std::size_t oldest, std::string_view what) {
  if (size >= oldest && size <= kMaxStructBytes) return;
  throw Error(ErrorCode::InvalidArgument,
              std::string(what) + ".size is " + std::to_string(size) + "; expected " +
                  std::to_string(oldest) + " to " + std::to_string(kMaxStructBytes),
              "set it to sizeof of the struct before the call");
}

void FillError(talefold_error* out, const Error& error) {
  Fill(out, {.size = 0,
             .code = static_cast<std::int32_t>(error.code()),
             .message = View(error.message()),
             .hint = View(error.hint())});
}

}  // namespace talefold::capi
