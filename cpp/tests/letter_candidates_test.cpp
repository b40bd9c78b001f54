#include "prompt/letter_candidates.h"

#include <boost/test/unit_test.hpp>
#include <memory>

#include "inference/scripted/scripted_model.h"

using namespace talefold;

BOOST_AUTO_TEST_SUITE(letter_candidates)

BOOST_AUTO_TEST_CASE(each_letter_has_its_spellings_of_one_token) {
  for (const std::string tokenizer : {"chars", "words"}) {
    const ScriptedModel model({.tokenizer = tokenizer});
    const auto letters = LetterCandidates(model, 26);
    BOOST_REQUIRE_EQUAL(letters.size(), 26U);
    BOOST_TEST(letters[0].text == "A");
    BOOST_TEST(letters[25].text == "Z");
    // Of "chars", a space is a token of its own.
    BOOST_TEST(letters[1].tokens[0] == model.Tokenize("B")[0]);
    BOOST_TEST(letters[1].tokens.size() == (tokenizer == "chars" ? 1U : 2U));
  }
}

BOOST_AUTO_TEST_SUITE_END()
