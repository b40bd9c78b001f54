#include "knowledge/keyword_index.h"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <string>
#include <vector>

using namespace talefold;

namespace {

std::vector<std::size_t> Records(const std::vector<Neighbor>& neighbors) {
  std::vector<std::size_t> records;
  for (const Neighbor& neighbor : neighbors) records.push_back(neighbor.record);
  return records;
}

const std::vector<std::string>& Lore() {
  static const std::vector<std::string> lore = {
      "The dragon sleeps below the mill.",
      "The miller owes the innkeeper three silver.",
      "A dragon's egg was sold at the market, an egg of gold.",
      "The market is on the first day of the week.",
  };
  return lore;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(keyword_index)

BOOST_AUTO_TEST_CASE(scores_are_bm25) {
  // Two records of 2 and 4 words; "b" is once in the first, twice in the second.
  const KeywordIndex index(std::vector<std::string>{"a b", "b b c d"});
  const double idf = std::log(1 + (2 - 2 + 0.5) / (2 + 0.5));
  const double rare = std::log(1 + (2 - 1 + 0.5) / (1 + 0.5));
  const auto score = [&](double times, double length) {
    return idf * times * 2.2 / (times + 1.2 * (1 - 0.75 + 0.75 * length / 3));
  };

  const std::vector<Neighbor> found = index.Search("b", {.top_k = 5});

  BOOST_REQUIRE_EQUAL(found.size(), 2U);
  BOOST_TEST(found[0].record == 1U);
  BOOST_TEST(found[0].distance == float(1 - score(2, 4) / rare),
             boost::test_tools::tolerance(1e-5F));
  BOOST_TEST(found[1].distance == float(1 - score(1, 2) / rare),
             boost::test_tools::tolerance(1e-5F));
}

BOOST_AUTO_TEST_CASE(the_record_with_the_telling_words_comes_first) {
  const KeywordIndex index(Lore());

  BOOST_TEST(Records(index.Search("Where does the DRAGON sleep?", {.top_k = 2})) ==
             (std::vector<std::size_t>{0, 2}));
  BOOST_TEST(Records(index.Search("market egg", {.top_k = 1}))[0] == 2U);
}

BOOST_AUTO_TEST_CASE(the_distance_is_the_share_of_the_query_that_is_missing) {
  const KeywordIndex index(Lore());
  const auto distance = [&](const char* query) {
    return index.Search(query, {.top_k = 1}).at(0).distance;
  };

  BOOST_TEST(distance("silver") < 0.1F);
  BOOST_TEST(distance("silver starship") < 0.1F);  // a word no record has says nothing
  BOOST_TEST(distance("silver egg") > 0.2F);
  BOOST_TEST(distance("the") > 0.7F);
}

BOOST_AUTO_TEST_CASE(no_common_word_means_no_hit) {
  const KeywordIndex index(Lore());

  BOOST_TEST(index.Search("starship", {.top_k = 5}).empty());
  BOOST_TEST(index.Search("", {.top_k = 5}).empty());
  BOOST_TEST(KeywordIndex({}).Search("dragon", {.top_k = 5}).empty());
}

BOOST_AUTO_TEST_CASE(limits_hold) {
  const KeywordIndex index(Lore());
  const std::vector<std::uint8_t> accepted = {0, 1, 1, 1};

  BOOST_TEST(Records(index.Search("dragon", {.top_k = 5, .accepted = accepted})) ==
             (std::vector<std::size_t>{2}));
  BOOST_TEST(index.Search("the", {.top_k = 5, .max_distance = 0.5F}).empty());
  BOOST_TEST(index.Search("dragon", {.top_k = 0}).empty());
}

BOOST_AUTO_TEST_CASE(equal_records_come_in_their_order) {
  const KeywordIndex index(std::vector<std::string>{"b", "egg", "egg", "egg"});

  BOOST_TEST(Records(index.Search("egg", {.top_k = 2})) ==
             (std::vector<std::size_t>{1, 2}));
}

BOOST_AUTO_TEST_SUITE_END()
