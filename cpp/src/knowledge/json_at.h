// A JSON value and where it stands, so that every complaint can say so.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include "base/json.h"

namespace talefold {

// A view: the value must outlive it.
class JsonAt {
 public:
  // `code` is what its complaints are thrown with, `path` the name of the whole.
  JsonAt(const json::value& value, std::string path, ErrorCode code)
      : value_(&value), path_(std::move(path)), code_(code) {}

  const json::value& value() const { return *value_; }
  const std::string& path() const { return path_; }
  JsonAt WithCode(ErrorCode code) const { return {*value_, path_, code}; }

  [[noreturn]] void Fail(const std::string& what, std::string hint = {}) const;
  // Fails with what the value is, and that `expected` is expected.
  [[noreturn]] void FailType(std::string_view expected) const;

  // An object with no keys but these.
  void CheckKeys(std::initializer_list<std::string_view> known) const;
  bool Has(std::string_view key) const;
  JsonAt Member(std::string_view key) const;  // fails when there is none
  std::size_t size() const;                   // of an array
  JsonAt operator[](std::size_t i) const;     // of an array

  std::string String() const;
  std::int64_t Integer() const;
  bool Bool() const;

 private:
  const json::value* value_;
  std::string path_;
  ErrorCode code_;
};

}  // namespace talefold
