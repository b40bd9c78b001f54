#include "guardrail/pattern_matcher.h"

#include <algorithm>
#include <utility>

#include "base/json.h"
#include "base/text.h"
#include "base/unicode.h"
#include "guardrail/ecmascript_pattern.h"
#include "talefold/error.h"

namespace talefold {
namespace {

// For all patterns together: what every simple pattern needs for this text, and a
// reserve for those whose work grows faster than the text: "a.*b" grows with its
// square, which this allows for some thousand characters. About 0.1 s.
constexpr std::size_t kReserveSteps = 40'000'000;
constexpr std::size_t kStepsPerChar = 8;

[[noreturn]] void Fail(std::size_t index, std::string_view pattern,
                       const std::string& reason) {
  throw Error(ErrorCode::GraphCompilationFailed,
              "pattern [" + std::to_string(index) + "] " +
                  DescribeJson(json::value(pattern)) + ": " + reason,
              "patterns are ECMAScript regular expressions");
}

FoldedRegex Compile(std::size_t index, std::string_view pattern) {
  if (pattern.empty()) Fail(index, pattern, "it is empty and would match any text");
  if (FindBadText(pattern) != pattern.npos) {
    throw Error(ErrorCode::GraphCompilationFailed,
                "pattern [" + std::to_string(index) +
                    "] is not valid UTF-8, or has a NUL character, at byte offset " +
                    std::to_string(FindBadText(pattern)));
  }
  const std::u32string characters = DecodeUtf8(pattern);
  if (characters.size() > PatternMatcher::kMaxPatternChars) {
    Fail(index, pattern,
         "it has " + std::to_string(characters.size()) + " characters; at most " +
             std::to_string(PatternMatcher::kMaxPatternChars) + " are allowed");
  }
  try {
    return FoldedRegex(FoldPattern(characters));
  } catch (const PatternProblem& problem) {
    Fail(index, pattern,
         "character " + std::to_string(problem.position + 1) + ": " + problem.reason);
  }
}

std::u32string Fold(std::string_view text) {
  std::u32string folded = DecodeUtf8(text);
  std::ranges::transform(folded, folded.begin(), FoldCase);
  return folded;
}

}  // namespace

PatternMatcher::PatternMatcher(std::vector<std::string> patterns)
    : patterns_(std::move(patterns)) {
  regexes_.reserve(patterns_.size());
  for (std::size_t i = 0; i < patterns_.size(); ++i) {
    regexes_.push_back(Compile(i, patterns_[i]));
  }
}

PatternVerdict PatternMatcher::Search(std::string_view text) const {
  const std::u32string folded = Fold(text);
  StepBudget budget{kReserveSteps + kStepsPerChar * folded.size() * patterns_.size()};
  for (std::size_t i = 0; i < regexes_.size(); ++i) {
    switch (regexes_[i].Search(folded, budget)) {
      case FoldedRegex::Outcome::NotFound:
        continue;
      case FoldedRegex::Outcome::Found:
        return {true, i, patterns_[i], ""};
      case FoldedRegex::Outcome::OutOfSteps:
        return {true, i, patterns_[i], "the search took too many steps"};
      case FoldedRegex::Outcome::OutOfMemory:
        return {true, i, patterns_[i], "the search took too much memory"};
    }
  }
  return {};
}

}  // namespace talefold
