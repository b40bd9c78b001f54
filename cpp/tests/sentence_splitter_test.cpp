#include "speech/sentence_splitter.h"

#include <boost/test/unit_test.hpp>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "base/sentence_end.h"
#include "base/text.h"

using namespace talefold;

namespace {

using Sentences = std::vector<std::string>;

void Append(Sentences more, Sentences& sentences) {
  sentences.insert(sentences.end(), more.begin(), more.end());
}

// What a splitter gives for a text that comes `points` code points at a time.
Sentences Split(std::string_view text, std::size_t min_chars, std::size_t points) {
  SentenceSplitter splitter(min_chars);
  Sentences sentences;
  while (!text.empty()) {
    const std::size_t length = CodePointOffset(text, points);
    Append(splitter.Feed(text.substr(0, length)), sentences);
    text.remove_prefix(length);
  }
  Append(splitter.Flush(), sentences);
  return sentences;
}

std::string Shown(const Sentences& sentences) {
  std::string shown;
  for (const std::string& sentence : sentences) shown += "[" + sentence + "]";
  return shown;
}

std::string Joined(const Sentences& sentences) {
  std::string text;
  for (const std::string& sentence : sentences) text += sentence;
  return text;
}

// A text made of what sentence ends are made of.
std::string RandomText(std::mt19937& random) {
  static constexpr std::string_view kParts[] = {
      "a",  "Be",   "Mr",     "etc", "e.g", "3", "5",
      ".",  ".",    "...",    "…",   "!",   "?", " ",
      " ",  "  ",   "\n",     "\"",  "”",   ")", "*",
      "。", "」",   "！",     "火",  "é",   "É", "😀",
      "—",  "\r\n", "\u00A0", "- ",  "1. ", ",", "http://x.y/?z"};
  std::string text;
  for (auto left = random() % 60; left > 0; --left) {
    text += kParts[random() % std::size(kParts)];
  }
  return text;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(sentence_splitter)

BOOST_AUTO_TEST_CASE(sentences_end_where_a_reader_would_pause) {
  const struct {
    const char* what;
    const char* text;
    const char* sentences;
  } rows[] = {
      {"full stop", "He left. She stayed.", "[He left.][ She stayed.]"},
      {"all marks", "What? No! Well.", "[What?][ No!][ Well.]"},
      {"several marks", "What?! No!!! Go", "[What?!][ No!!!][ Go]"},
      {"without an end", "He left", "[He left]"},
      {"nothing", "", ""},
      {"white space alone", " \n ", "[ \n ]"},
      {"white space at the end", "Go. \n", "[Go.][ \n]"},
      {"white space at the start", "  Go. On.", "[  Go.][ On.]"},
      {"lower case after a full stop", "he left. she stayed.",
       "[he left.][ she stayed.]"},
      // Abbreviations.
      {"titles", "Mr. Worthing met Dr. Grey. They",
       "[Mr. Worthing met Dr. Grey.][ They]"},
      {"title in quotes", "\"Mrs. Bracknell\" came.", "[\"Mrs. Bracknell\" came.]"},
      {"initials", "J. R. R. T. wrote. É. Zola too.",
       "[J. R. R. T. wrote.][ É. Zola too.]"},
      {"dotted letters", "Tools, e.g. hammers. The U.S. Army.",
       "[Tools, e.g. hammers.][ The U.S. Army.]"},
      {"etc. inside", "Nails, etc. are here. Yes.", "[Nails, etc. are here.][ Yes.]"},
      {"etc. at the end", "Nails, etc. They rust.", "[Nails, etc.][ They rust.]"},
      {"a time", "At 5 p.m. we eat. At 6 p.m. You go.",
       "[At 5 p.m. we eat.][ At 6 p.m.][ You go.]"},
      // Ellipses.
      {"going on", "Wait... what was that? Ah.", "[Wait... what was that?][ Ah.]"},
      {"ending", "Wait... What was that?", "[Wait...][ What was that?]"},
      {"one character", "Hm… yes. Hm… No.", "[Hm… yes.][ Hm…][ No.]"},
      {"spaced", "Well . . . maybe. Yes.", "[Well . . . maybe.][ Yes.]"},
      {"at the end of the line", "Wait...\nwhat?", "[Wait...][\nwhat?]"},
      {"at the very end", "Wait...", "[Wait...]"},
      // Quotes and brackets.
      {"speech", "\"Go!\" she said. \"Now.\" He went.",
       "[\"Go!\" she said.][ \"Now.\"][ He went.]"},
      {"typographic quotes", "“Go!” “Why?” he asked.", "[“Go!”][ “Why?” he asked.]"},
      {"German quotes", "„Geh!“ sagte sie. »Nun.« Er ging.",
       "[„Geh!“ sagte sie.][ »Nun.«][ Er ging.]"},
      {"brackets", "(He left.) She (too?) wept.", "[(He left.)][ She (too?) wept.]"},
      {"a mark after the bracket", "Gone (really!). Yes.", "[Gone (really!).][ Yes.]"},
      {"stage directions", "*He waves.* Hello. *Bye.*",
       "[*He waves.*][ Hello.][ *Bye.*]"},
      // Numbers, addresses.
      {"decimals", "It is 3.5 or 1,000.25. Yes.", "[It is 3.5 or 1,000.25.][ Yes.]"},
      {"a decimal at the end", "It is 3.5. Yes.", "[It is 3.5.][ Yes.]"},
      {"a time of day", "At 10:30. Go.", "[At 10:30.][ Go.]"},
      {"a year", "Born in 1412. Died.", "[Born in 1412.][ Died.]"},
      {"addresses", "See https://a.b/c.html?d=e!f for it. Or mail x@y.org. Bye.",
       "[See https://a.b/c.html?d=e!f for it.][ Or mail x@y.org.][ Bye.]"},
      // Lines and lists.
      {"line breaks", "First line\nSecond\r\n\r\nThird",
       "[First line][\nSecond\r][\n\r\nThird]"},
      {"numbered list", "1. One.\n2. Two.\n**3.** Three.",
       "[1. One.][\n2. Two.][\n**3.** Three.]"},
      {"lettered list", "a. One.\nb. Two.", "[a. One.][\nb. Two.]"},
      {"list without marks", "Here:\n- bread\n- ale", "[Here:][\n- bread][\n- ale]"},
      // Other scripts.
      {"Chinese", "彼は去った。彼女は泣いた！", "[彼は去った。][彼女は泣いた！]"},
      {"closing quote", "「行け。」彼は言った。", "[「行け。」][彼は言った。]"},
      {"ideographic space", "はい。　いいえ。", "[はい。][　いいえ。]"},
      {"Devanagari", "वह गया। वह रोई।", "[वह गया।][ वह रोई।]"},
      {"Arabic", "أين؟ هنا.", "[أين؟][ هنا.]"},
      {"emoji after the mark", "Great!😀 Really.👍🏽\nYes",
       "[Great!😀][ Really.👍🏽][\nYes]"},
      {"emoji before the sentence", "Great! 😀 Really.", "[Great!][ 😀 Really.]"},
      {"no-break space", "Oui.\u00A0Non.", "[Oui.][\u00A0Non.]"},
  };
  for (const auto& row : rows) {
    for (const std::size_t points : {1, 2, 3, 1000}) {
      BOOST_TEST_CONTEXT(row.what << ", " << points << " at a time") {
        BOOST_TEST(Shown(Split(row.text, 1, points)) == row.sentences);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(short_sentences_are_joined_with_the_next) {
  const struct {
    std::size_t min_chars;
    const char* text;
    const char* sentences;
  } rows[] = {
      {12, "Oh! Good evening, guest. Ah.", "[Oh! Good evening, guest.][ Ah.]"},
      {3, "Oh! Ah!", "[Oh!][ Ah!]"},
      {4, "Oh! Ah!", "[Oh! Ah!]"},
      {4, "  Oh!   Ah!", "[  Oh!   Ah!]"},
      {5, "Élan! Où?", "[Élan!][ Où?]"},
      {12, "Hi!\nWelcome to the inn.\nSit.", "[Hi!\nWelcome to the inn.][\nSit.]"},
      {100, "One. Two.\nThree.", "[One. Two.\nThree.]"},
      {0, "A! B!", "[A!][ B!]"},
  };
  for (const auto& row : rows) {
    BOOST_TEST_CONTEXT(row.text) {
      BOOST_TEST(Shown(Split(row.text, row.min_chars, 1)) == row.sentences);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_sentence_comes_as_soon_as_it_is_certain) {
  const struct {
    const char* held;  // gives nothing yet
    const char* next;  // with this it is certain
    const char* sentence;
  } rows[] = {
      {"He left.", " ", "He left."}, {"He left!\"", " S", "He left!\""},
      {"Wait... ", "S", "Wait..."},  {"彼は去った。", "彼", "彼は去った。"},
      {"A line", "\n", "A line"},
  };
  for (const auto& row : rows) {
    BOOST_TEST_CONTEXT(row.held) {
      SentenceSplitter splitter(1);

      BOOST_TEST(splitter.Feed(row.held).empty());
      BOOST_TEST(Shown(splitter.Feed(row.next)) == Shown({row.sentence}));
    }
  }
}

BOOST_AUTO_TEST_CASE(after_a_flush_a_new_text_begins) {
  SentenceSplitter splitter(1);
  splitter.Feed("One. Tw");

  BOOST_TEST(Shown(splitter.Flush()) == "[ Tw]");
  BOOST_TEST(splitter.Flush().empty());
  BOOST_TEST(Shown(splitter.Feed("So. ")) == "[So.]");
}

BOOST_AUTO_TEST_CASE(nothing_is_lost_and_cuts_do_not_depend_on_pieces) {
  std::mt19937 random(7);
  for (int i = 0; i < 2000; ++i) {
    const std::string text = RandomText(random);
    const std::size_t min_chars = 1 + random() % 15;
    BOOST_TEST_CONTEXT(text) {
      const Sentences at_once = Split(text, min_chars, text.size() + 1);
      const Sentences in_pieces = Split(text, min_chars, 1 + random() % 7);

      BOOST_REQUIRE_EQUAL(Joined(at_once), text);
      BOOST_REQUIRE_EQUAL(Shown(in_pieces), Shown(at_once));
    }
  }
}

BOOST_AUTO_TEST_CASE(long_runs_of_marks_and_blanks_are_read_once) {
  const std::string marks(20000, '!'), stops(20000, '.'), blanks(20000, ' ');
  for (const std::string& text : {marks + " a", stops + " a", "Wait..." + blanks + "a",
                                  std::string("Wait... a ") + stops, blanks + marks}) {
    BOOST_TEST(Joined(Split(text, 5, 1)) == text);
  }
}

BOOST_AUTO_TEST_SUITE_END()
