// Regular expressions as authors write them -> as Boost.Regex is to match them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace talefold {

// A pattern that Boost.Regex matches against case-folded text.
struct FoldedPattern {
  std::u32string text;
  std::vector<std::size_t> origin;  // of each character of `text`: index in the pattern
};

// What is wrong with a pattern, and at which of its characters, from 0.
struct PatternProblem {
  std::size_t position = 0;
  std::string reason;
};

// The syntax is that of ECMAScript, whose meaning this keeps where Boost.Regex has
// another (\uXXXX, \<, \v, [\W\D], [^]) and whose limits it keeps where Boost.Regex has
// more (recursion, \Q, possessive repeats, POSIX classes), so that nothing is silently
// misread. One difference is left: a group in a repeat keeps what it matched in an
// earlier round when it takes no part in the last. Properties (\p{...}), and references
// by name to a group further on, are not supported. Literals, and the ranges of sets,
// are case-folded. Throws PatternProblem; also for groups nested deeper than 50.
FoldedPattern FoldPattern(std::u32string_view pattern);

}  // namespace talefold
