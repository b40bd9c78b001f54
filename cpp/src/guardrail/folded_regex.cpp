// How many states one search may visit, besides our own count of looks at characters;
// a state takes up to 60 ns.
#define BOOST_REGEX_MAX_STATE_COUNT 10'000'000
// No cache of memory blocks, which would end before the turns of a process do.
#define BOOST_REGEX_MAX_CACHE_BLOCKS 0

#include "guardrail/folded_regex.h"

#include <algorithm>
#include <boost/regex.hpp>
#include <iterator>
#include <utility>

#include "base/unicode.h"

namespace talefold {
namespace {

namespace rc = boost::regex_constants;

struct OutOfSteps {};

// Counts every look and every move, because the state limit of Boost.Regex counts
// neither the characters that one state reads nor, for iterators with random access,
// less than (pattern length)^2 * (text length).
class CountingIterator {
 public:
  using iterator_category = std::bidirectional_iterator_tag;
  using value_type = char32_t;
  using difference_type = std::ptrdiff_t;
  using pointer = const char32_t*;
  using reference = const char32_t&;

  CountingIterator() = default;
  CountingIterator(const char32_t* at, StepBudget* budget) : at_(at), budget_(budget) {}

  reference operator*() const {
    Count();
    return *at_;
  }
  CountingIterator& operator++() {
    Count();
    ++at_;
    return *this;
  }
  CountingIterator& operator--() {
    Count();
    --at_;
    return *this;
  }
  CountingIterator operator++(int) { return std::exchange(*this, ++Copy()); }
  CountingIterator operator--(int) { return std::exchange(*this, --Copy()); }
  bool operator==(const CountingIterator& other) const { return at_ == other.at_; }

 private:
  CountingIterator Copy() const { return *this; }
  void Count() const {
    if (budget_->steps_left == 0) throw OutOfSteps();
    --budget_->steps_left;
  }

  const char32_t* at_ = nullptr;
  StepBudget* budget_ = nullptr;
};

// Characters are compared as they are: pattern and text are folded already.
class FoldedTraits {
 public:
  using char_type = char32_t;
  using size_type = std::size_t;
  using string_type = std::u32string;
  using char_class_type = std::uint32_t;
  struct locale_type {};

  static size_type length(const char_type* text) {
    return std::char_traits<char32_t>::length(text);
  }
  char_type translate(char_type c) const { return c; }
  char_type translate_nocase(char_type c) const { return c; }
  template <typename Iterator>
  string_type transform(Iterator first, Iterator last) const {
    return {first, last};
  }
  template <typename Iterator>
  string_type transform_primary(Iterator first, Iterator last) const {
    return {first, last};
  }
  template <typename Iterator>
  string_type lookup_collatename(Iterator first, Iterator last) const {
    return {first, last};
  }

  // The letters of \d, \w, \s and their opposites, and the names that Boost.Regex asks
  // for whatever the pattern is.
  template <typename Iterator>
  char_class_type lookup_classname(Iterator first, Iterator last) const {
    const std::u32string name(first, last);
    static constexpr std::pair<std::u32string_view, char_class_type> kNames[] = {
        {U"d", kDigit},    {U"D", kNotDigit}, {U"w", kWord},      {U"W", kNotWord},
        {U"s", kSpace},    {U"S", kNotSpace}, {U"space", kSpace}, {U"lower", kWord},
        {U"upper", kWord}, {U"alpha", kWord}};
    for (const auto& [known, mask] : kNames) {
      if (name == known) return mask;
    }
    return 0;
  }
  bool isctype(char_type c, char_class_type mask) const {
    return (mask & kDigit && IsDigit(c)) || (mask & kNotDigit && !IsDigit(c)) ||
           (mask & kWord && IsWordCharacter(c)) ||
           (mask & kNotWord && !IsWordCharacter(c)) ||
           (mask & kSpace && IsWhitespace(c)) || (mask & kNotSpace && !IsWhitespace(c));
  }
  int value(char_type c, int radix) const {
    const int digit = IsDigit(c)             ? static_cast<int>(c - '0')
                      : c >= 'a' && c <= 'f' ? static_cast<int>(c - 'a' + 10)
                      : c >= 'A' && c <= 'F' ? static_cast<int>(c - 'A' + 10)
                                             : radix;
    return digit < radix ? digit : -1;
  }

  locale_type imbue(locale_type locale) { return locale; }
  locale_type getloc() const { return {}; }

 private:
  enum : char_class_type {
    kDigit = 1,
    kNotDigit = 2,
    kWord = 4,
    kNotWord = 8,
    kSpace = 16,
    kNotSpace = 32
  };

  static bool IsDigit(char_type c) { return c >= '0' && c <= '9'; }
};

std::string Reason(rc::error_type code) {
  switch (code) {
    case rc::error_escape:
      return "an escape that is none";
    case rc::error_backref:
      return "a reference to a group that is not there";
    case rc::error_brack:
      return "[ without ]";
    case rc::error_paren:
      return "a parenthesis without its partner";
    case rc::error_brace:
    case rc::error_badbrace:
      return "a repeat in braces that is none";
    case rc::error_range:
      return "a range that is none";
    case rc::error_badrepeat:
      return "nothing to repeat";
    case rc::error_complexity:
    case rc::error_stack:
    case rc::error_space:
      return "the pattern is too complex";
    case rc::error_perl_extension:
      return "a group that is not closed, or of an unknown kind";
    case rc::error_bad_pattern:
      return "a construct that cannot be used here, such as a lookbehind without a "
             "fixed length";
    default:
      return "not a regular expression";
  }
}

}  // namespace

struct FoldedRegex::Regex {
  boost::basic_regex<char32_t, FoldedTraits> compiled;
};

FoldedRegex::FoldedRegex(const FoldedPattern& pattern) {
  auto regex = std::make_unique<Regex>();
  try {
    regex->compiled.assign(pattern.text, rc::ECMAScript);
  } catch (const boost::regex_error& error) {
    const auto at =
        static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, error.position()));
    const std::size_t end = pattern.origin.empty() ? 0 : pattern.origin.back() + 1;
    throw PatternProblem{at < pattern.origin.size() ? pattern.origin[at] : end,
                         Reason(error.code())};
  }
  regex_ = std::move(regex);
}

FoldedRegex::FoldedRegex(FoldedRegex&&) noexcept = default;
FoldedRegex::~FoldedRegex() = default;

FoldedRegex::Outcome FoldedRegex::Search(std::u32string_view folded_text,
                                         StepBudget& budget) const {
  const CountingIterator begin(folded_text.data(), &budget);
  const CountingIterator end(folded_text.data() + folded_text.size(), &budget);
  try {
    // As in ECMAScript without flags: ^ and $ are the ends of the text.
    return boost::regex_search(begin, end, regex_->compiled, rc::match_single_line)
               ? Outcome::Found
               : Outcome::NotFound;
  } catch (const OutOfSteps&) {
    return Outcome::OutOfSteps;
  } catch (const boost::regex_error& error) {
    return error.code() == rc::error_complexity ? Outcome::OutOfSteps
                                                : Outcome::OutOfMemory;
  }
}

}  // namespace talefold
