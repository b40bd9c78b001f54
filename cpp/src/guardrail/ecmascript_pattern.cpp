#include "guardrail/ecmascript_pattern.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "base/unicode.h"

namespace talefold {
namespace {

constexpr std::size_t kMaxNesting = 50;
constexpr char32_t kLastCodePoint = 0x10FFFF;

bool IsAsciiLetter(char32_t c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool IsDigit(char32_t c) { return c >= '0' && c <= '9'; }
bool IsClass(char32_t letter) {
  return std::u32string_view(U"dDwWsS").find(letter) != std::u32string_view::npos;
}
bool IsHighSurrogate(char32_t c) { return c >= 0xD800 && c < 0xDC00; }
bool IsLowSurrogate(char32_t c) { return c >= 0xDC00 && c < 0xE000; }

std::optional<char32_t> HexValue(char32_t c) {
  if (IsDigit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return std::nullopt;
}

struct Interval {
  char32_t first, last;  // inclusive
};

// What [first, last] matches in folded text: what its cased characters fold to, and the
// interval itself, shortened until no end of it is a character that folding changes.
void AddFolded(Interval range, std::vector<Interval>& folded) {
  for (const char32_t form : FoldedForms(range.first, range.last)) {
    folded.push_back({form, form});
  }
  while (range.first <= range.last && FoldCase(range.first) != range.first) {
    ++range.first;
  }
  while (range.last > range.first && FoldCase(range.last) != range.last) --range.last;
  if (range.first <= range.last) folded.push_back(range);
}

std::vector<Interval> Merge(std::vector<Interval> intervals) {
  std::ranges::sort(intervals, {}, &Interval::first);
  std::vector<Interval> merged;
  for (const Interval& next : intervals) {
    if (merged.empty() || next.first > merged.back().last + 1) {
      merged.push_back(next);
    } else {
      merged.back().last = std::max(merged.back().last, next.last);
    }
  }
  return merged;
}

class Folder {
 public:
  explicit Folder(std::u32string_view pattern) : pattern_(pattern) {}

  FoldedPattern Fold() {
    while (!AtEnd()) FoldNext();
    if (last_reference_.group > groups_) FailReference(last_reference_.position);
    return std::move(result_);
  }

 private:
  // One character of a set, or a class such as \w, which then is the escape's letter.
  struct Atom {
    char32_t value = 0;
    bool is_class = false;
  };

  struct Reference {
    std::size_t group = 0;  // counted from 1
    std::size_t position = 0;
  };

  [[noreturn]] static void Fail(std::size_t position, std::string reason) {
    throw PatternProblem{position, std::move(reason)};
  }
  [[noreturn]] static void FailReference(std::size_t position) {
    Fail(position, "a reference to a group that is not there");
  }

  bool AtEnd() const { return next_ == pattern_.size(); }
  // The character `ahead` of the next one, 0 past the end.
  char32_t Peek(std::size_t ahead = 0) const {
    return next_ + ahead < pattern_.size() ? pattern_[next_ + ahead] : 0;
  }
  bool Follows(std::u32string_view text) const {
    return pattern_.substr(next_).starts_with(text);
  }

  void Emit(char32_t c) {
    result_.text += c;
    result_.origin.push_back(begin_);
  }
  void Emit(std::string_view ascii) {
    for (const char c : ascii) Emit(static_cast<char32_t>(c));
  }

  void EmitLiteral(char32_t c) {
    if (c >= 0x80 || IsAsciiLetter(c) || IsDigit(c)) return Emit(c);
    char hex[8];
    const auto end = std::to_chars(hex, hex + sizeof hex, std::uint32_t{c}, 16).ptr;
    Emit("\\x{");
    Emit(std::string_view(hex, end));
    Emit(U'}');
  }

  void FoldNext() {
    begin_ = next_;
    const char32_t c = pattern_[next_++];
    switch (c) {
      case '\\':
        return FoldEscape();
      case '[':
        return FoldSet();
      case '(':
        return FoldGroup();
      case ')':
        if (depth_ > 0) --depth_;
        return Emit(c);
      case '*':
      case '+':
      case '?':
      case '{':
        return FoldRepeat();
      case '.':  // In Boost.Regex it leaves out \f and U+0085, too.
        return Emit("[^\\x{a}\\x{d}\\x{2028}\\x{2029}]");
      case 0:
        Fail(begin_, "a NUL character");
      default:
        return Emit(FoldCase(c));  // of an operator: itself
    }
  }

  void FoldGroup() {
    if (++depth_ > kMaxNesting) {
      Fail(begin_, "groups nested deeper than " + std::to_string(kMaxNesting));
    }
    Emit(U'(');
    if (Peek() == '*') Fail(next_, "nothing to repeat");
    if (Peek() != '?') {
      ++groups_;
      return;
    }
    for (const auto kind : {U"?:", U"?=", U"?!", U"?<=", U"?<!"}) {
      if (!Follows(kind)) continue;
      for (const char32_t c : std::u32string_view(kind)) Emit(c);
      next_ += std::u32string_view(kind).size();
      return;
    }
    if (Peek(1) != '<') Fail(next_, "an unknown kind of group");
    ++next_;
    if (!names_.emplace(ReadName(), ++groups_).second) {
      Fail(begin_, "a second group of this name");
    }
  }

  // Of "<name>".
  std::u32string_view ReadName() {
    const std::size_t end = std::min(pattern_.find(U'>', next_), pattern_.size());
    const std::u32string_view open = pattern_.substr(next_, end - next_);
    if (Peek() != '<' || end == pattern_.size() || open.size() < 2 ||
        IsDigit(open[1]) || !std::ranges::all_of(open.substr(1), IsWordCharacter)) {
      Fail(begin_, "expected a name in < and >");
    }
    next_ = end + 1;
    return open.substr(1);
  }

  // A group that took no part matches the empty text.
  void EmitReference(std::size_t group) {
    if (group > last_reference_.group) last_reference_ = {group, begin_};
    const std::string number = std::to_string(group);
    Emit("(?:(?(" + number + ")\\g{" + number + "}|))");
  }

  void FoldRepeat() {
    const std::size_t end = pattern_[begin_] == '{' ? EndOfBraces() : next_;
    if (end == begin_) return EmitLiteral(U'{');  // no repeat
    for (next_ = begin_; next_ < end;) Emit(pattern_[next_++]);
    if (Peek() == '?') Emit(pattern_[next_++]);
    begin_ = next_;
    if (Peek() == '*' || Peek() == '+' || Peek() == '?' ||
        (Peek() == '{' && EndOfBraces() != begin_)) {
      Fail(begin_, "nothing to repeat");
    }
  }

  // The end of {2}, {2,} or {2,3} that starts at `begin_`, which is returned of any
  // other brace.
  std::size_t EndOfBraces() const {
    const auto skip_digits = [this](std::size_t at) {
      while (at < pattern_.size() && IsDigit(pattern_[at])) ++at;
      return at;
    };
    const auto is = [this](std::size_t at, char32_t c) {
      return at < pattern_.size() && pattern_[at] == c;
    };
    std::size_t at = skip_digits(begin_ + 1);
    if (at == begin_ + 1) return begin_;
    if (is(at, ',')) at = skip_digits(at + 1);
    return is(at, '}') ? at + 1 : begin_;
  }

  void FoldEscape() {
    if (AtEnd()) Fail(begin_, "a backslash at the end");
    const char32_t c = Peek();
    if (IsClass(c)) {
      Emit(U'[');
      EmitClass(static_cast<char>(c));
      Emit(U']');
      ++next_;
    } else if (c == 'b' || c == 'B') {
      Emit(U'\\');
      Emit(c);
      ++next_;
    } else if (c == 'k') {
      ++next_;
      const auto found = names_.find(ReadName());
      if (found == names_.end()) FailReference(begin_);
      EmitReference(found->second);
    } else if (c >= '1' && c <= '9') {
      EmitReference(ReadNumber());
    } else {
      EmitLiteral(FoldCase(ReadEscapedLiteral()));
    }
  }

  std::size_t ReadNumber() {
    std::size_t number = 0;
    while (IsDigit(Peek())) {
      number = std::min<std::size_t>(number * 10 + (pattern_[next_++] - '0'), 100'000);
    }
    return number;
  }

  // The character that the escape means whose letter is next.
  char32_t ReadEscapedLiteral() {
    const char32_t c = pattern_[next_++];
    switch (c) {
      case 'n':
        return '\n';
      case 'r':
        return '\r';
      case 't':
        return '\t';
      case 'f':
        return '\f';
      case 'v':
        return '\v';
      case 'x':
        return ReadHex(2);
      case 'u':
        return ReadUnicode();
      case 'c':
        if (!IsAsciiLetter(Peek())) Fail(begin_, "\\c without a letter");
        return pattern_[next_++] % 32;
      case 'p':
      case 'P':
        Fail(begin_, "properties (\\p{...}) are not supported");
      default:
        break;
    }
    if (IsAsciiLetter(c) || IsDigit(c)) {
      Fail(begin_, std::string("\\") + static_cast<char>(c) + " is no escape here");
    }
    return c;
  }

  char32_t ReadHex(std::size_t digits) {
    char32_t value = 0;
    for (std::size_t i = 0; i < digits; ++i) {
      const auto digit = HexValue(Peek());
      if (!digit) Fail(begin_, "expected hexadecimal digits");
      value = value * 16 + *digit;
      ++next_;
    }
    return value;
  }

  char32_t ReadUnicode() {
    if (Peek() == '{') {
      const std::size_t end = std::min(pattern_.find(U'}', next_), pattern_.size());
      const std::size_t digits = end - ++next_;
      if (digits < 1 || digits > 6) Fail(begin_, "expected \\u{ and up to 6 digits }");
      const char32_t value = ReadHex(digits);
      if (AtEnd()) Fail(begin_, "expected }");
      ++next_;
      return CheckCodePoint(value);
    }
    const char32_t value = ReadHex(4);
    if (!IsHighSurrogate(value) || !Follows(U"\\u")) return CheckCodePoint(value);
    next_ += 2;
    const char32_t low = ReadHex(4);
    if (!IsLowSurrogate(low)) Fail(begin_, "half a surrogate pair");
    return 0x10000 + ((value - 0xD800) << 10) + (low - 0xDC00);
  }

  char32_t CheckCodePoint(char32_t value) const {
    if (IsHighSurrogate(value) || IsLowSurrogate(value)) {
      Fail(begin_, "half a surrogate pair");
    }
    if (value > kLastCodePoint) Fail(begin_, "no Unicode character");
    return value;
  }

  void FoldSet() {
    const bool negated = Peek() == '^';
    if (negated) ++next_;
    std::vector<Interval> folded;
    std::string classes;
    bool empty = true;
    for (; Peek() != ']'; empty = false) ReadSetItem(folded, classes);
    ++next_;
    if (empty) return EmitEmptySet(negated);
    Emit(negated ? "[^" : "[");
    for (const char letter : classes) EmitClass(letter);
    for (const Interval& range : Merge(std::move(folded))) {
      EmitLiteral(range.first);
      if (range.first == range.last) continue;
      Emit(U'-');
      EmitLiteral(range.last);
    }
    Emit(U']');
  }

  void EmitEmptySet(bool negated) {
    if (!negated) Fail(begin_, "an empty set, which matches nothing");
    Emit("[\\x{1}-\\x{10FFFF}]");
  }

  // As a named class, because in Boost.Regex a set of two negated escapes is not their
  // union.
  void EmitClass(char letter) {
    Emit("[:");
    Emit(static_cast<char32_t>(letter));
    Emit(":]");
  }

  void ReadSetItem(std::vector<Interval>& folded, std::string& classes) {
    const Atom first = ReadAtom();
    if (first.is_class) {
      classes += static_cast<char>(first.value);
      return;
    }
    Interval range{first.value, first.value};
    if (Peek() == '-' && Peek(1) != ']' && next_ + 1 < pattern_.size()) {
      const std::size_t dash = next_++;
      const Atom last = ReadAtom();
      if (last.is_class) {  // the dash is one
        next_ = dash;
      } else if (last.value < first.value) {
        Fail(dash, "a range that ends before it begins");
      } else {
        range.last = last.value;
      }
    }
    range.first = std::max<char32_t>(range.first, 1);  // NUL stands in no text
    if (range.first <= range.last) AddFolded(range, folded);
  }

  Atom ReadAtom() {
    if (AtEnd()) Fail(begin_, "[ without ]");
    if (Peek() == '[') RefusePosixClass();
    const char32_t c = pattern_[next_++];
    if (c == 0) Fail(next_ - 1, "a NUL character");
    if (c != '\\') return {c, false};
    if (AtEnd()) Fail(begin_, "a backslash at the end");
    const char32_t escaped = Peek();
    if (IsClass(escaped)) {
      ++next_;
      return {escaped, true};
    }
    if (escaped == 'b') {
      ++next_;
      return {'\b', false};
    }
    return {ReadEscapedLiteral(), false};
  }

  void RefusePosixClass() const {
    for (const auto& [open, close] :
         {std::pair{U"[:", U":]"}, {U"[.", U".]"}, {U"[=", U"=]"}}) {
      if (Follows(open) && pattern_.find(close, next_) != pattern_.npos) {
        Fail(next_, "POSIX classes ([:...:]) are not ECMAScript; try \\d, \\w or \\s");
      }
    }
  }

  const std::u32string_view pattern_;
  std::size_t next_ = 0;                              // what is read next
  std::size_t begin_ = 0;                             // where the present item begins
  std::size_t depth_ = 0;                             // of groups
  std::size_t groups_ = 0;                            // that capture, so far
  std::map<std::u32string_view, std::size_t> names_;  // to the number of the group
  Reference last_reference_;                          // to the highest number
  FoldedPattern result_;
};

}  // namespace

FoldedPattern FoldPattern(std::u32string_view pattern) {
  return Folder(pattern).Fold();
}

}  // namespace talefold
