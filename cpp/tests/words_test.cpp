#include "knowledge/words.h"

#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

using namespace talefold;

BOOST_AUTO_TEST_SUITE(words)

BOOST_AUTO_TEST_CASE(words_are_letters_and_digits_in_folded_case) {
  using Words = std::vector<std::string>;
  const struct {
    const char* text;
    Words words;
  } rows[] = {
      {"", {}},
      {" ... !? ", {}},
      {"The Mill, at 3 o'clock!", {"the", "mill", "at", "3", "o", "clock"}},
      {"dragon\u2019s 'egg'", {"dragon", "s", "egg"}},
      {"snake_case-word", {"snake", "case", "word"}},
      {"\u00C4RGER \u00DCber stra\u00DFe", {"\u00E4rger", "\u00FCber", "stra\u00DFe"}},
      {"\u0130zmir", {"izmir"}},
      {"\u041C\u043E\u0441\u043A\u0432\u0410",
       {"\u043C\u043E\u0441\u043A\u0432\u0430"}},
      {"\u039F\u0394\u039F\u03A3 \u03BF\u03B4\u03CC\u03C2",
       {"\u03BF\u03B4\u03BF\u03C3", "\u03BF\u03B4\u03CC\u03C3"}},
      {"\u201Cinn\u201D\u2014mill\u2026", {"inn", "mill"}},
      {"\uFF21\uFF22\uFF11\uFF01x", {"ab1", "x"}},
      {"\u9F8D", {"\u9F8D"}},
      {"\u9F8D\u304C\u7720\u308B\u3002",
       {"\u9F8D\u304C", "\u304C\u7720", "\u7720\u308B"}},
      {"inn\u9F8D\u5BBF2", {"inn", "\u9F8D\u5BBF", "2"}},
      {"\U0001F409 dragon \U0001F409", {"dragon"}},
      {"\u0E21\u0E31\u0E07", {"\u0E21\u0E31", "\u0E31\u0E07"}},
      {"a\xFF\xC0z", {"a", "z"}},
  };
  for (const auto& row : rows) {
    BOOST_TEST_CONTEXT(row.text) { BOOST_TEST(SearchWords(row.text) == row.words); }
  }
}

BOOST_AUTO_TEST_SUITE_END()
