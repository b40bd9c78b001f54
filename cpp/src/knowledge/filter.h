// Which records a search looks at, by their metadata.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "knowledge/metadata.h"

namespace talefold {

// {"op": "and", "args": [
//    {"op": "ge", "args": [{"knowledge": "year"}, {"value": 1200}]},
//    {"op": "in", "args": [{"knowledge": "place"}, {"value": ["inn", "mill"]}]}]}
//
// and, or       one or more filters
// not           one filter
// eq, ne        a field and a value of its type, in either order; a set<string> is
//               equal to an array of the same strings, in any order
// lt le gt ge   the same of int, float (as numbers) and string (by code points)
// in            a field and an array that has its value; of a set<string>: that has one
//               of its strings. Or a value and a set<string> field that has it
//
// Whatever is asked of a missing optional field is false, `ne` too; `not` of it is
// true.
//
// Immutable; any thread. Owned by who searches.
class Filter {
 public:
  // For storages with these fields. Throws InvalidFilter with the JSON path
  // ("filter.args[1].args[0]"), what is wrong and what is allowed: also for fields that
  // are not filterable, more than 16 operators inside each other, 256 nodes (operators,
  // fields and values) in all, or 1,024 values in an `in`.
  static Filter Parse(std::string_view text, const std::vector<KnowledgeField>& fields);

  // `metadata` has the fields the filter was made for.
  bool Accepts(const Metadata& metadata, std::size_t row) const;
  // A byte for each row: 1 = accepted.
  std::vector<std::uint8_t> Accepted(const Metadata& metadata) const;

 private:
  using Test = std::function<bool(const Metadata& metadata, std::size_t row)>;
  // In postfix order: a test pushes its result, the others replace the newest `count`.
  struct Instruction {
    enum class Kind { Test, And, Or, Not } kind;
    std::size_t count = 0;
    Test test = {};
  };
  class Compiler;

  std::vector<Instruction> program_;
};

}  // namespace talefold
