#include "base/unicode.h"

#include <boost/test/unit_test.hpp>
#include <string_view>
#include <vector>

using namespace talefold;

BOOST_AUTO_TEST_SUITE(unicode)

BOOST_AUTO_TEST_CASE(case_is_folded_one_character_to_one) {
  const std::u32string_view groups[] = {
      U"Aa",  U"Zz",  U"ÄäÄ", U"Σσς",          U"ЁёЁ", U"Kk\u212A", U"Åå\u212B",
      U"Ssſ", U"µμΜ", U"ẞß",  U"\u10A0\u2D00", U"𐐀𐐨",  U"Łł",       U"Ÿÿ",
      U"Ơơ",  U"Ωω",  U"Єє",  U"Ґґ",           U"Աա",  U"Ạạ",       U"Ａａ"};
  for (const auto group : groups) {
    for (const char32_t c : group) {
      BOOST_CHECK(FoldCase(c) == FoldCase(group.front()));
    }
  }
  for (const char32_t c : std::u32string_view(U"1_@[×ßıİ火ñ\U0010FFFF"))
    BOOST_CHECK(FoldCase(c) == c);
}

BOOST_AUTO_TEST_CASE(folding_twice_is_folding_once) {
  int wrong = 0;
  for (char32_t c = 0; c <= 0x10FFFF; ++c)
    wrong += FoldCase(FoldCase(c)) != FoldCase(c);

  BOOST_TEST(wrong == 0);
}

BOOST_AUTO_TEST_CASE(folded_forms_of_a_range_are_those_of_its_cased_characters) {
  BOOST_TEST(FoldedForms('0', '9').empty());
  BOOST_TEST((FoldedForms('X', 'c') == std::vector<char32_t>{'x', 'y', 'z'}));
  BOOST_TEST((FoldedForms(0x101, 0x104) == std::vector<char32_t>{0x103, 0x105}));
}

BOOST_AUTO_TEST_CASE(characters_are_classified_in_all_scripts) {
  for (const char32_t c : std::u32string_view(U"aZ0_éжß火あ٣\u0301")) {
    BOOST_TEST_CONTEXT(static_cast<std::uint32_t>(c)) BOOST_TEST(IsWordCharacter(c));
  }
  for (const char32_t c : std::u32string_view(U" -.'。—😀\u200B")) {
    BOOST_TEST_CONTEXT(static_cast<std::uint32_t>(c)) BOOST_TEST(!IsWordCharacter(c));
  }
  for (const char32_t c : std::u32string_view(U" \t\n\u00A0\u2028\u3000")) {
    BOOST_TEST(IsWhitespace(c));
  }
  for (const char32_t c : std::u32string_view(U"azéжσ")) BOOST_TEST(IsLowercase(c));
  for (const char32_t c : std::u32string_view(U"AÉЖ1火 ")) BOOST_TEST(!IsLowercase(c));
}

BOOST_AUTO_TEST_CASE(utf8_is_decoded) {
  BOOST_TEST((DecodeUtf8("aé火😀") == U"aé火😀"));
  BOOST_TEST((DecodeUtf8("a\xFF\xE7\x81") == U"a\uFFFD\uFFFD\uFFFD"));
}

BOOST_AUTO_TEST_SUITE_END()
