// Content that has a name, of which no file may be called the same.
#pragma once

#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include "base/json.h"
#include "base/text.h"
#include "storage/storage_root.h"
#include "talefold/error.h"

namespace talefold {

// Thread-safe. What was handed out stays valid whatever happens to its name.
template <typename T>
class NameTable {
 public:
  // `kind` stands in messages: "storage".
  NameTable(StorageRoot root, std::string kind)
      : root_(std::move(root)), kind_(std::move(kind)) {}

  // Throws what Add would, before anything is made to be added.
  void CheckFree(std::string_view name) const {
    CheckText(name, "a " + kind_ + " name", std::numeric_limits<std::int64_t>::max());
    if (name.empty()) {
      throw Error(ErrorCode::InvalidArgument, "a " + kind_ + " name is empty");
    }
    if (root_.HasFile(name)) FailConflict(name);
    const std::lock_guard lock(mutex_);
    if (named_.contains(name)) FailTaken(name);
  }

  // Throws InvalidArgument (an empty name, one that is taken, a NUL character),
  // InvalidUtf8, or StorageNameConflict when the storage root has a file of that path.
  void Add(std::string_view name, std::shared_ptr<const T> value) {
    CheckFree(name);
    const std::lock_guard lock(mutex_);
    if (!named_.try_emplace(std::string(name), std::move(value)).second)
      FailTaken(name);
  }

  // False when there is no such name.
  bool Remove(std::string_view name) {
    const std::lock_guard lock(mutex_);
    const auto found = named_.find(name);
    if (found == named_.end()) return false;
    named_.erase(found);
    return true;
  }

  // nullptr when there is no such name. Throws StorageNameConflict when a file of that
  // path came after it.
  std::shared_ptr<const T> Find(std::string_view name) const {
    std::shared_ptr<const T> value;
    {
      const std::lock_guard lock(mutex_);
      const auto found = named_.find(name);
      if (found == named_.end()) return nullptr;
      value = found->second;
    }
    if (root_.HasFile(name)) FailConflict(name);
    return value;
  }

  void Clear() {
    const std::lock_guard lock(mutex_);
    named_.clear();
  }

 private:
  std::string Quoted(std::string_view name) const {
    return kind_ + " name " + DescribeJson(json::value(name));
  }

  [[noreturn]] void FailConflict(std::string_view name) const {
    throw Error(
        ErrorCode::StorageNameConflict,
        "the " + Quoted(name) + " is also the path of a file under the storage root",
        "choose another name, or rename the file");
  }

  [[noreturn]] void FailTaken(std::string_view name) const {
    throw Error(ErrorCode::InvalidArgument, "the " + Quoted(name) + " is taken",
                "remove what has it first, or choose another name");
  }

  const StorageRoot root_;
  const std::string kind_;
  mutable std::mutex mutex_;  // guards named_; never held while files are looked at
  std::map<std::string, std::shared_ptr<const T>, std::less<>> named_;
};

}  // namespace talefold
