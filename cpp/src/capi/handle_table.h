// Handles: numbers in place of pointers, so that a stale one is an error and no crash.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "talefold/error.h"

namespace talefold::capi {

enum class HandleKind : std::uint64_t { Engine, Agent, Task, Speech, Scene };

inline constexpr std::string_view kHandleKinds[] = {
    "an engine", "an agent", "a task", "a sentence being voiced", "a scene"};

// The lowest bits of a handle are its kind.
inline constexpr int kKindBits = 3;
inline constexpr std::uint64_t kKindMask = (std::uint64_t{1} << kKindBits) - 1;
static_assert(std::size(kHandleKinds) <= kKindMask + 1);

// "an engine"; empty for a number that no handle has.
inline std::string_view KindOf(std::uint64_t handle) {
  const std::size_t kind = handle & kKindMask;
  return kind < std::size(kHandleKinds) ? kHandleKinds[kind] : std::string_view();
}

// The objects of one kind that the host has handles of. Any thread may call it. Who got
// an object keeps it, even if its handle is taken back meanwhile.
template <typename T, HandleKind kKind>
class HandleTable {
 public:
  // Never a handle that was there before: 61 bits are not used up.
  std::uint64_t Add(std::shared_ptr<T> object) {
    static std::atomic<std::uint64_t> serial{1};
    const std::uint64_t handle =
        serial++ << kKindBits | static_cast<std::uint64_t>(kKind);
    const std::lock_guard lock(mutex_);
    objects_.emplace(handle, std::move(object));
    return handle;
  }

  // Throws InvalidHandle, as Take does.
  std::shared_ptr<T> Get(std::uint64_t handle) const {
    const std::lock_guard lock(mutex_);
    const auto found = objects_.find(handle);
    if (found == objects_.end()) Fail(handle);
    return found->second;
  }

  std::vector<std::shared_ptr<T>> All() const {
    const std::lock_guard lock(mutex_);
    std::vector<std::shared_ptr<T>> all;
    for (const auto& [handle, object] : objects_) all.push_back(object);
    return all;
  }

  bool Has(std::uint64_t handle) const {
    const std::lock_guard lock(mutex_);
    return objects_.contains(handle);
  }

  std::shared_ptr<T> Take(std::uint64_t handle) {
    const std::lock_guard lock(mutex_);
    const auto found = objects_.find(handle);
    if (found == objects_.end()) Fail(handle);
    std::shared_ptr<T> object = std::move(found->second);
    objects_.erase(found);
    return object;
  }

  // Nothing, when the handle was taken back.
  void Remove(std::uint64_t handle) {
    decltype(objects_.extract(handle)) removed;  // destroyed without the lock
    const std::lock_guard lock(mutex_);
    removed = objects_.extract(handle);
  }

  template <typename Test>
  void RemoveIf(const Test& test) {
    decltype(objects_) removed;  // destroyed without the lock
    const std::lock_guard lock(mutex_);
    for (auto each = objects_.begin(); each != objects_.end();) {
      const auto next = std::next(each);
      if (test(*each->second)) removed.insert(objects_.extract(each));
      each = next;
    }
  }

  std::size_t size() const {
    const std::lock_guard lock(mutex_);
    return objects_.size();
  }

 private:
  [[noreturn]] static void Fail(std::uint64_t handle) {
    const std::string expected(kHandleKinds[static_cast<std::size_t>(kKind)]);
    if (handle == 0) {
      throw Error(ErrorCode::InvalidHandle, "handle 0 is none; expected " + expected);
    }
    const std::string_view found = KindOf(handle);
    if (!found.empty() && found != expected) {
      throw Error(ErrorCode::InvalidHandle, "handle " + std::to_string(handle) +
                                                " is of " + std::string(found) +
                                                "; expected " + expected);
    }
    throw Error(ErrorCode::InvalidHandle,
                "handle " + std::to_string(handle) + " of " + expected +
                    " was taken back, or never given out",
                kKind == HandleKind::Speech
                    ? "it ends when synthesize returns"
                    : "handles end with engine_destroy, agent_release, "
                      "scene_destroy and task_release, and are not those of a child "
                      "of fork()");
  }

  mutable std::mutex mutex_;
  std::unordered_map<std::uint64_t, std::shared_ptr<T>> objects_;
};

}  // namespace talefold::capi
