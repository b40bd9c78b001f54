// Finds forbidden patterns in what a player wrote.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "guardrail/folded_regex.h"

namespace talefold {

struct PatternVerdict {
  bool triggered = false;
  std::size_t index = 0;     // when triggered: of the pattern that decided
  std::string pattern;       // its text
  std::string why_given_up;  // not empty: the search was too costly to be finished
};

// A list of regular expressions, searched for in a text without regard to case.
// Immutable; any thread may search.
//
// Syntax is that of ECMAScript; ^ and $ are the ends of the text. Case is that of
// simple Unicode case folding, \w and \b know the letters of all scripts, \d the ten
// ASCII digits. Time, memory and stack are bounded whatever patterns and text are; a
// search that exceeds the bounds counts as triggered.
class PatternMatcher {
 public:
  static constexpr std::size_t kMaxPatternChars = 4096;  // code points

  // Throws GraphCompilationFailed for a pattern that is none, naming it by its index,
  // the position and the reason; also for an empty one, one that is not UTF-8, and one
  // longer than kMaxPatternChars.
  explicit PatternMatcher(std::vector<std::string> patterns);

  // `text` is UTF-8. The first pattern in the list that matches, or that was given up,
  // decides.
  PatternVerdict Search(std::string_view text) const;

  std::size_t size() const { return patterns_.size(); }

 private:
  std::vector<std::string> patterns_;
  std::vector<FoldedRegex> regexes_;  // one for each pattern
};

}  // namespace talefold
