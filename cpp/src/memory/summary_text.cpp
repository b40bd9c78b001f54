#include "memory/summary_text.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "prompt/default_texts.h"

namespace talefold {

namespace {

// Those of the first kind end a sentence only before white space ("3.5" does not).
constexpr std::array<std::string_view, 4> kSpacedEnds = {".", "!", "?", "…"};
constexpr std::array<std::string_view, 3> kUnspacedEnds = {"。", "！", "？"};
constexpr std::array<std::string_view, 10> kClosers = {"\"", "'", ")", "]",  "*",
                                                       "”",  "’", "»", "」", "』"};

template <std::size_t N>
std::size_t MatchLength(std::string_view text, std::size_t at,
                        const std::array<std::string_view, N>& candidates) {
  for (const std::string_view candidate : candidates) {
    if (text.substr(at).starts_with(candidate)) return candidate.size();
  }
  return 0;
}

constexpr std::array<std::string_view, 12> kTitles = {
    "Mr", "Mrs", "Ms", "Dr", "St", "Prof", "Capt", "Lt", "Sgt", "Rev", "Hon", "Col"};

// The full stop at `at` belongs to a title ("Mr.") or an initial ("J. Worthing").
bool Abbreviates(std::string_view text, std::size_t at) {
  std::size_t begin = at;
  while (begin > 0 && !TrimWhitespace(text.substr(begin - 1, 1)).empty()) --begin;
  const std::string_view word = text.substr(begin, at - begin);
  const bool initial = word.size() == 1 && word[0] >= 'A' && word[0] <= 'Z';
  return initial || std::find(kTitles.begin(), kTitles.end(), word) != kTitles.end();
}

// The full stop at `at` belongs to the marker of a list ("6.", "**6.**").
bool NumbersLine(std::string_view text, std::size_t at) {
  const std::size_t line_break = text.substr(0, at).rfind('\n');
  const std::size_t begin = line_break == text.npos ? 0 : line_break + 1;
  const std::string_view number = TrimWhitespace(text.substr(begin, at - begin));
  return !number.empty() && number.find_first_not_of("0123456789*") == number.npos;
}

bool AtSpaceOrEnd(std::string_view text, std::size_t at) {
  return at == text.size() || TrimWhitespace(text.substr(at, 1)).empty();
}

// One past the last full sentence, its closing quotes included; 0 when there is none.
std::size_t LastSentenceEnd(std::string_view text) {
  std::size_t last = 0;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t unspaced = MatchLength(text, i, kUnspacedEnds);
    std::size_t after = i + (unspaced ? unspaced : MatchLength(text, i, kSpacedEnds));
    if (after == i) {
      ++i;
      continue;
    }
    while (const std::size_t closer = MatchLength(text, after, kClosers)) {
      after += closer;
    }
    const bool ends = unspaced || AtSpaceOrEnd(text, after);
    const bool other = text[i] == '.' && (Abbreviates(text, i) || NumbersLine(text, i));
    if (ends && !other) last = after;
    i = after;
  }
  return last;
}

}  // namespace

std::string FinishSummary(std::string_view output, bool cut) {
  std::string_view text = TrimWhitespace(output);
  if (cut) {
    if (const std::size_t end = LastSentenceEnd(text)) text = text.substr(0, end);
  }
  return std::string(text);
}

std::string HeadAndTail(std::string_view text, std::size_t kept) {
  const std::size_t length = CountCodePoints(text);
  if (length <= kept + CountCodePoints(default_texts::kAbridgedGap)) {
    return std::string(text);
  }
  const std::size_t tail = kept / 2;
  const std::size_t head = kept - tail;
  std::string result(text.substr(0, CodePointOffset(text, head)));
  result += default_texts::kAbridgedGap;
  result += text.substr(CodePointOffset(text, length - tail));
  return result;
}

}  // namespace talefold
