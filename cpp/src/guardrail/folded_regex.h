// Boost.Regex over case-folded code points, with bounded work.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "guardrail/ecmascript_pattern.h"

namespace talefold {

// How much work searches may still do; one step is one look at a character.
struct StepBudget {
  std::size_t steps_left = 0;
};

// Immutable; any thread may search.
class FoldedRegex {
 public:
  // Throws PatternProblem, positions being those of the pattern before folding.
  explicit FoldedRegex(const FoldedPattern& pattern);
  FoldedRegex(FoldedRegex&&) noexcept;
  ~FoldedRegex();

  enum class Outcome { Found, NotFound, OutOfSteps, OutOfMemory };

  // Whether the pattern matches anywhere in `folded_text`. Uses up `budget`; the memory
  // for backtracking is bounded by Boost.Regex (4 MiB), and so is the stack.
  Outcome Search(std::u32string_view folded_text, StepBudget& budget) const;

 private:
  struct Regex;
  std::unique_ptr<const Regex> regex_;
};

}  // namespace talefold
