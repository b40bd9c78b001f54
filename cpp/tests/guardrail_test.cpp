#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

#include "guardrail/pattern_matcher.h"
#include "talefold/error.h"

using namespace talefold;
using namespace std::string_literals;

namespace {

bool Matches(const std::string& pattern, std::string_view text) {
  const PatternVerdict verdict = PatternMatcher({pattern}).Search(text);
  return verdict.triggered && verdict.why_given_up.empty();
}

std::string CompileError(const std::string& pattern) {
  try {
    PatternMatcher({"fine", pattern});
  } catch (const Error& error) {
    BOOST_CHECK(error.code() == ErrorCode::GraphCompilationFailed);
    return error.message();
  }
  return "";
}

std::string Repeated(std::string_view part, int times) {
  std::string text;
  for (int i = 0; i < times; ++i) text += part;
  return text;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(guardrail)

BOOST_AUTO_TEST_CASE(patterns_are_found_anywhere_whatever_their_case) {
  const struct {
    const char* pattern;
    const char* text;
    bool found;
  } rows[] = {
      {"bomb", "How do I build a BOMB?", true},
      {"BOMB", "a bomb", true},
      {"bomb", "a bom", false},
      {"bomb", "", false},
      {"привет", "Скажи ПРИВЕТ.", true},
      {"ПРИВЕТ", "привет", true},
      {"ὀδυσσεύς", "ὈΔΥΣΣΕΎΣ", true},
      {"straße", "STRAßE", true},
      {"straße", "STRASSE", false},  // simple folding: one character to one
      {"火", "山火事", true},
      {"😀+", "oh 😀😀", true},
      {"kill", "\u212Aill", true},  // the Kelvin sign is a k
      {"a.c", "a😀c", true},        // a character, not a byte
      {"^.$", "é", true},
  };
  for (const auto& row : rows) {
    BOOST_TEST_CONTEXT(row.pattern << " in " << row.text) {
      BOOST_TEST(Matches(row.pattern, row.text) == row.found);
    }
  }
}

BOOST_AUTO_TEST_CASE(the_syntax_is_that_of_ecmascript) {
  const struct {
    std::string pattern;
    std::string text;
    bool found;
  } rows[] = {
      // Anchors are the ends of the text, a dot matches no line end.
      {"^bomb$", "bomb", true},
      {"^bomb$", "a\nbomb\nc", false},
      {"a.b", "a\nb", false},
      {"a.b", "a\rb", false},
      {"a.b", "a\u2028b", false},
      {"a.b", "a\fb", true},
      {"a.b", "a\u0085b", true},
      {"a[^]b", "a\nb", true},
      {"a[\\s\\S]b", "a\nb", true},
      // Word boundaries, in all scripts.
      {"\\bass\\b", "what an ass!", true},
      {"\\bass\\b", "a class", false},
      {"\\bдурак\\b", "ты ДУРАК!", true},
      {"\\bдурак\\b", "дураками", false},
      {"\\Bass", "a class", true},
      // Classes.
      {"^\\w+$", "Été_9", true},
      {"\\W", "abc", false},
      {"^\\d+$", "123", true},
      {"\\d", "٣", false},
      {"\\D", "1a", true},
      {"a\\sb", "a\u00A0b", true},
      {"\\S", " \t", false},
      {"^[\\W\\D]$", "a", true},  // what is no word character, or no digit
      {"^[\\W\\D]$", "1", false},
      {"^[^\\W\\d]+$", "abc", true},
      {"^[^\\W\\d]+$", "ab1", false},
      {"^[\\w-]+$", "a-b", true},
      {"^[a-\\d]+$", "a-1", true},
      // Sets, folded.
      {"^[A-Z]+$", "hello", true},
      {"^[a-z]+$", "HELLO", true},
      {"[^a-z]", "HELLO", false},
      {"^[A-z]$", "_", true},
      {"^[А-Яё]+$", "ёлка", true},
      {"^[À-ÿ]+$", "ßÉ", true},
      {"^[\\u0100-\\u017F]+$", "ĀſS", true},
      {"^[\\u0000-\\u007F]+$", "Plain 1!", true},
      {"^[.*+?]$", "*", true},
      {"^[\\]\\-\\\\^]+$", "]-\\^", true},
      {"^[\\b]$", "\b", true},
      {"^[x[]+$", "[X", true},
      {"^[[.\\]]+$", "[.]", true},
      // Escapes.
      {"^\\u0041\\x42\\u{43}$", "abc", true},
      {"^\\uD83D\\uDE00$", "😀", true},
      {"^\\t\\n\\r\\f\\v\\cA$", "\t\n\r\f\v\x01", true},
      {"\\<b\\>", "<b>", true},
      {"\\/\\\"\\'\\-\\#\\@", "/\"'-#@", true},
      {"1\\+1", "1+1", true},
      {"\\.\\*\\?\\(\\)\\[\\]\\{\\}\\^\\$\\|", ".*?()[]{}^$|", true},
      // Groups, references, repeats.
      {"(a)(?:b)(?<Name>c)\\1\\k<Name>", "ABCac", true},
      {"(a)(b)(c)(d)(e)(f)(g)(h)(i)(j)\\10", "abcdefghijj", true},
      {"^(?=.*gun)(?!.*water).*$", "a Gun", true},
      {"^(?=.*gun)(?!.*water).*$", "a water gun", false},
      {"(?<=my )gun", "my gun", true},
      {"(?<!my )gun", "my gun", false},
      {"^a{2,3}b{2}c{1,}?$", "aaabbcc", true},
      {"^x{2$", "x{2", true},
      {"^x{,2}{$", "x{,2}{", true},
      {"^x{,2}$", "xx", false},
      {"^x+?{a}", "xx{a}", true},
      // A group that took no part matches the empty text.
      {"(['\"])?secret\\1", "a secret", true},
      {"^(['\"])?secret\\1$", "'secret\"", false},
      {"^(?<quote>a)?b\\k<quote>+c$", "bc", true},
      {"^(?<quote>a)?b\\k<quote>+c$", "abaac", true},
      {"^(?<quote>a)?b\\k<quote>+c$", "abc", false},
      {"^\\1(a)$", "a", true},
      {"^(a\\1)$", "a", true},
      {"^(?:a|(b))\\1$", "a", true},
      {"^(?:\\1b|(a))*$", "aab", true},
      {"cat|dog", "a Dog", true},
  };
  for (const auto& row : rows) {
    BOOST_TEST_CONTEXT(row.pattern << " in " << row.text) {
      BOOST_TEST(Matches(row.pattern, row.text) == row.found);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_bad_pattern_is_named_with_position_and_reason) {
  const struct {
    std::string pattern;
    const char* position;
    const char* reason;
  } rows[] = {
      {"", "", "empty"},
      {"a(b", "character ", "parenthesis"},
      {"ab)", "character 3", "parenthesis"},
      {"é[ab", "character 2", "[ without ]"},
      {"a[]b", "character 2", "matches nothing"},
      {"a[z-b]", "character 4", "before it begins"},
      {"a**", "character 3", "nothing to repeat"},
      {"a++b", "character 3", "nothing to repeat"},
      {"a?+b", "character 3", "nothing to repeat"},
      {"a{2}+", "character 5", "nothing to repeat"},
      {"a+?{2}", "character 4", "nothing to repeat"},
      {"^*a", "character ", "nothing to repeat"},
      {"+a", "character 1", "nothing to repeat"},
      {"(*ACCEPT)", "character 2", "nothing to repeat"},
      {"a{3,2}", "character ", "repeat"},
      {"ab\\", "character 3", "backslash"},
      {"a\\q", "character 2", "\\q"},
      {"\\Qa\\E", "character 1", "\\Q"},
      {"\\u12", "character 1", "hexadecimal"},
      {"\\uD83D", "character 1", "surrogate"},
      {"\\u{110000}", "character 1", "no Unicode"},
      {"\\u{12", "character 1", "\\u{"},
      {"\\x{41}", "character 1", "hexadecimal"},
      {"\\01", "character 1", "\\01"},
      {"\\p{L}", "character 1", "not supported"},
      {"[[:alpha:]]", "character 2", "POSIX"},
      {"(a)\\2", "character 4", "reference"},
      {"(a)\\99999999999999999999", "character 4", "reference"},
      {"\\k<x>", "character 1", "reference"},
      {"\\k<x", "character 1", "name"},
      {"(?<a b>c)", "character ", "name"},
      {"(?<1a>c)", "character 1", "name"},
      {"(?<a>b)(?<a>c)", "character 8", "second group"},
      {"(?R)", "character 2", "kind of group"},
      {"(?i)a", "character 2", "kind of group"},
      {"(?>a)", "character 2", "kind of group"},
      {"(?<=a+)b", "character ", "lookbehind"},
      {Repeated("(", 51) + Repeated(")", 51), "character 51", "nested"},
      {std::string(4097, 'a'), "", "4096"},
      {"a\xFF", "byte offset 1", "UTF-8"},
      {"a\0b"s, "byte offset 1", "NUL"},
  };
  for (const auto& row : rows) {
    BOOST_TEST_CONTEXT(row.pattern.substr(0, 40)) {
      const std::string message = CompileError(row.pattern);
      BOOST_TEST_CONTEXT(message) {
        BOOST_TEST(message.find("pattern [1]") == 0u);
        BOOST_TEST(message.find(row.position) != message.npos);
        BOOST_TEST(message.find(row.reason) != message.npos);
        BOOST_TEST(message.size() < 250u);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(the_first_pattern_that_matches_decides) {
  const PatternMatcher matcher({"gun", "bomb", "b.mb"});

  const PatternVerdict verdict = matcher.Search("a Bomb");

  BOOST_TEST(verdict.triggered);
  BOOST_TEST(verdict.index == 1u);
  BOOST_TEST(verdict.pattern == "bomb");
  BOOST_TEST(!matcher.Search("a bun").triggered);
}

BOOST_AUTO_TEST_CASE(without_patterns_nothing_triggers) {
  BOOST_TEST(!PatternMatcher({}).Search("anything").triggered);
}

BOOST_AUTO_TEST_CASE(a_search_that_exceeds_its_bounds_counts_as_triggered) {
  const std::string line(64 << 10, 'a');
  const struct {
    std::string pattern;
    std::string text;
  } rows[] = {
      {"(a+)+b", line},
      {"(a|a)*b", line.substr(0, 100)},
      {"(.*)*x", line},
      {"a.*b", line},
      {"(?=a*b)c", line},
      {"(?:(?=[ab]*)a)*x", line},
      {"(a*)(a*)(a*)\\1\\2\\3b", line},
      {"(?:a{1,1000}){1,1000}b", line},
      {Repeated("a?", 2000) + "b", line},
      {Repeated("(?:a*)*", 400) + "b", line.substr(0, 30)},
      {Repeated("(?:", 50) + "x" + Repeated("|y)*", 50) + "z", line},
  };
  for (const auto& row : rows) {
    BOOST_TEST_CONTEXT(row.pattern.substr(0, 40)) {
      const PatternVerdict verdict =
          PatternMatcher({"zebra", row.pattern}).Search(row.text);
      BOOST_TEST(verdict.triggered);
      BOOST_TEST(verdict.index == 1u);
      BOOST_TEST(verdict.why_given_up.find("too m") != std::string::npos);
    }
  }
}

BOOST_AUTO_TEST_CASE(long_texts_and_lists_of_plain_patterns_stay_within_the_bounds) {
  const std::string text = Repeated("the quick brown fox jumps. ", 2500);
  const std::vector<std::string> patterns(500, "\\b(?:zebra|lion)s?\\b");

  BOOST_TEST(!PatternMatcher(patterns).Search(text).triggered);
  BOOST_TEST(PatternMatcher(patterns).Search(text + "LIONS").why_given_up.empty());
}

BOOST_AUTO_TEST_SUITE_END()
