#include "base/sentence_end.h"

#include <algorithm>

#include "base/text.h"
#include "base/unicode.h"

namespace talefold {
namespace {

// Those of the first kind end a sentence only before white space ("3.5" does not).
constexpr std::string_view kSpacedMarks[] = {".", "!", "?", "…", "؟", "۔",
                                             "।", "‼", "⁇", "⁈", "⁉"};
constexpr std::string_view kUnspacedMarks[] = {"。", "！", "？", "｡"};
constexpr std::string_view kClosers[] = {"\"", "'",  ")",  "]",  "*", "_", "”",
                                         "’",  "“",  "»",  "«",  "›", "‹", "」",
                                         "』", "）", "】", "》", "〉"};
constexpr std::string_view kOpeners[] = {"\"", "'", "(", "[", "*", "_", "“", "‘",
                                         "«",  "»", "„", "¿", "¡", "—", "–", "-"};

// Abbreviations, without their full stop. A name or a number follows the first kind;
// the second kind may end a sentence.
constexpr std::string_view kBeforeNames[] = {
    "Mr",  "Mrs", "Ms",  "Dr",   "St",  "Prof",   "Capt", "Lt", "Sgt", "Rev",
    "Hon", "Col", "Gen", "Maj",  "Cpl", "Gov",    "Sen",  "Mt", "Ft",  "Fr",
    "Sr",  "Mme", "vs",  "Mlle", "Fig", "Messrs", "cf",   "ca", "viz", "approx"};
constexpr std::string_view kAnywhere[] = {"etc", "a.m", "p.m", "al",   "Jr",  "Esq",
                                          "Inc", "Ltd", "Co",  "Corp", "Bros"};

constexpr std::size_t kMaxTail = 64;       // characters
constexpr std::size_t kLongestWord = 24;   // bytes; no abbreviation is longer
constexpr std::size_t kLongestLabel = 16;  // bytes; "**12"

template <std::size_t N>
std::size_t MatchLength(std::string_view text, const std::string_view (&known)[N]) {
  for (const std::string_view candidate : known) {
    if (text.starts_with(candidate)) return candidate.size();
  }
  return 0;
}

template <std::size_t N>
bool IsOneOf(std::string_view word, const std::string_view (&known)[N]) {
  return std::ranges::find(known, word) != std::end(known);
}

// Emoji and other symbols, with what joins and varies them.
bool IsPictograph(char32_t c) {
  return (c >= 0x1F000 && c <= 0x1FAFF) || (c >= 0x2600 && c <= 0x27BF) ||
         c == 0xFE0F || c == 0x200D;
}

// A mark and what belongs to it.
struct Tail {
  std::size_t after = 0;
  std::size_t marks = 0;  // a "..." is three
  bool unspaced = false;  // has a mark that needs no white space
  bool ellipsis = false;  // nothing but dots
  bool closed = false;    // has a closing quote or bracket
  bool complete = false;  // whatever comes belongs to it no more
};

Tail ReadTail(std::string_view text, std::size_t at) {
  Tail tail{.after = at, .ellipsis = true};
  for (std::size_t i = 0; i < kMaxTail && tail.after < text.size(); ++i) {
    const std::string_view rest = text.substr(tail.after);
    const std::size_t unspaced = MatchLength(rest, kUnspacedMarks);
    const std::size_t mark = unspaced ? unspaced : MatchLength(rest, kSpacedMarks);
    const std::size_t closer = mark ? 0 : MatchLength(rest, kClosers);
    const CodePoint next = DecodeCodePoint(rest);
    if (mark == 0 && closer == 0 && !IsPictograph(next.value)) {
      tail.complete = true;
      return tail;
    }
    if (mark) {
      ++tail.marks;
      tail.unspaced |= unspaced != 0;
      tail.ellipsis &= rest.starts_with(".") || rest.starts_with("…");
    }
    tail.closed |= closer != 0;
    tail.after += next.length;
  }
  return tail;
}

// The word right before `at`, opening quotes and brackets left out; empty for none, and
// for one that is too long for an abbreviation.
std::string_view WordBefore(std::string_view text, std::size_t at) {
  std::size_t begin = at;
  while (begin > 0 && !TrimWhitespace(text.substr(begin - 1, 1)).empty()) {
    if (at - begin == kLongestWord) return {};
    --begin;
  }
  std::string_view word = text.substr(begin, at - begin);
  while (const std::size_t opener = MatchLength(word, kOpeners)) {
    word.remove_prefix(opener);
  }
  return word;
}

bool IsInitial(std::string_view word) {
  const CodePoint first = DecodeCodePoint(word);
  return first.length == word.size() && FoldCase(first.value) != first.value;
}

// "e.g", "U.S": single letters with dots between.
bool IsDottedLetters(std::string_view word) {
  if (word.find('.') == word.npos) return false;
  while (true) {
    const CodePoint letter = DecodeCodePoint(word);
    const bool digit = letter.value >= '0' && letter.value <= '9';
    if (digit || !IsWordCharacter(letter.value)) return false;
    word.remove_prefix(letter.length);
    if (word.empty()) return true;
    if (!word.starts_with('.') || word.size() == 1) return false;
    word.remove_prefix(1);
  }
}

// The full stop at `at` belongs to the marker of a list ("6.", "**6.**", "b.").
bool MarksListItem(std::string_view text, std::size_t at) {
  std::size_t begin = at;
  while (begin > 0 && text[begin - 1] != '\n') {
    if (at - begin == kLongestLabel) return false;
    --begin;
  }
  const std::string_view label = TrimWhitespace(text.substr(begin, at - begin));
  if (label.empty()) return false;
  const bool letter =
      label.size() == 1 && IsLowercase(static_cast<unsigned char>(label[0]));
  return letter || label.find_first_not_of("0123456789*") == label.npos;
}

SentenceVerdict JudgeSingleStop(std::string_view text, std::size_t at) {
  const std::string_view word = WordBefore(text, at);
  if (IsOneOf(word, kAnywhere)) return SentenceVerdict::MayEnd;
  const bool detached =  // a dot by itself, as in ". . ."
      at == 0 || TrimWhitespace(text.substr(at - 1, 1)).empty();
  const bool other = detached || MarksListItem(text, at) ||
                     (!word.empty() && (IsInitial(word) || IsDottedLetters(word) ||
                                        IsOneOf(word, kBeforeNames)));
  return other ? SentenceVerdict::None : SentenceVerdict::Ends;
}

SentenceVerdict Judge(std::string_view text, std::size_t at, const Tail& tail) {
  if (tail.unspaced) return SentenceVerdict::Ends;
  const bool spaced = tail.after == text.size() ||
                      IsWhitespace(DecodeCodePoint(text.substr(tail.after)).value);
  if (!spaced) return SentenceVerdict::None;
  if (text[at] == '.' && tail.marks == 1) {
    const SentenceVerdict verdict = JudgeSingleStop(text, at);
    if (verdict != SentenceVerdict::Ends) return verdict;
  } else if (tail.ellipsis) {
    return SentenceVerdict::MayEnd;
  }
  return tail.closed ? SentenceVerdict::MayEnd : SentenceVerdict::Ends;
}

}  // namespace

std::size_t SentenceMarkLength(std::string_view text, std::size_t at) {
  const std::string_view rest = text.substr(at);
  const std::size_t unspaced = MatchLength(rest, kUnspacedMarks);
  return unspaced ? unspaced : MatchLength(rest, kSpacedMarks);
}

SentenceMark JudgeSentenceMark(std::string_view text, std::size_t at, bool whole) {
  const Tail tail = ReadTail(text, at);
  if (!tail.complete && tail.after < text.size()) {  // too long: read on after it
    return {SentenceVerdict::None, tail.after};
  }
  if (!tail.complete && !whole) return {SentenceVerdict::Undecided, tail.after};
  return {Judge(text, at, tail), tail.after};
}

}  // namespace talefold
