// Reads one JSON object of a snapshot, and says where it is not as it should be.
#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "base/json.h"

namespace talefold {

inline constexpr std::string_view kSnapshotHint =
    "the text was changed or cut after it was exported; use another copy";

[[noreturn]] inline void FailSnapshot(const std::string& path,
                                      const std::string& reason) {
  throw Error(ErrorCode::MalformedSnapshot,
              "snapshot: " + path + (path.empty() ? "" : ": ") + reason,
              std::string(kSnapshotHint));
}

// One JSON object of the snapshot: typed reads that name the path, and a check that no
// key was left over.
class SnapshotReader {
 public:
  SnapshotReader(const json::value& value, std::string path) : path_(std::move(path)) {
    if (!value.is_object()) {
      FailSnapshot(path_,
                   "expected an object, found " + std::string(JsonTypeName(value)));
    }
    object_ = &value.get_object();
  }

  // `more`: further keys that are known.
  void CheckKeys(std::initializer_list<std::string_view> known,
                 std::span<const std::string_view> more = {}) const {
    for (const auto& member : *object_) {
      const std::string_view key = member.key();
      const auto is_key = [key](std::string_view name) { return name == key; };
      if (std::ranges::none_of(known, is_key) && std::ranges::none_of(more, is_key)) {
        FailSnapshot(path_, "unknown key " + DescribeJson(json::value(key)));
      }
    }
  }

  const json::value* Find(std::string_view key) const {
    return object_->if_contains(key);
  }

  const json::value& Get(std::string_view key) const {
    const json::value* value = Find(key);
    if (!value) FailSnapshot(path_, "'" + std::string(key) + "' is missing");
    return *value;
  }

  std::string Text(std::string_view key) const {
    const json::value& value = Get(key);
    if (!value.is_string()) Wrong(key, "a string", value);
    const std::string_view text = value.get_string();
    if (text.find('\0') != std::string_view::npos)
      FailSnapshot(Path(key), "holds a NUL byte");
    return std::string(text);
  }

  // Whole number in [0, max]; `fallback` when the key is absent and a fallback given.
  std::int64_t Number(std::string_view key, std::int64_t max,
                      std::optional<std::int64_t> fallback = std::nullopt) const {
    if (fallback && !Find(key)) return *fallback;
    const json::value& value = Get(key);
    if (!value.is_int64() || value.get_int64() < 0 || value.get_int64() > max) {
      Wrong(key, "a whole number from 0 to " + std::to_string(max), value);
    }
    return value.get_int64();
  }

  double Real(std::string_view key) const {
    const json::value& value = Get(key);
    if (!value.is_number()) Wrong(key, "a number", value);
    return value.to_number<double>();
  }

  bool Flag(std::string_view key) const {
    const json::value* value = Find(key);
    if (!value) return false;
    if (!value->is_bool()) Wrong(key, "a boolean", *value);
    return value->get_bool();
  }

  const json::array& List(std::string_view key) const {
    const json::value& value = Get(key);
    if (!value.is_array()) Wrong(key, "an array", value);
    return value.get_array();
  }

  std::string Path(std::string_view key) const {
    return path_ + "." + std::string(key);
  }

 private:
  [[noreturn]] void Wrong(std::string_view key, const std::string& expected,
                          const json::value& found) const {
    FailSnapshot(Path(key), "expected " + expected + ", found " + DescribeJson(found));
  }

  std::string path_;
  const json::object* object_ = nullptr;
};

}  // namespace talefold
