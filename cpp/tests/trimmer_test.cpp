// The trimmer's arithmetic, worked out by hand.
#include "prompt/trimmer.h"

#include <boost/test/unit_test.hpp>
#include <vector>

namespace talefold {
namespace {

BOOST_AUTO_TEST_SUITE(trimmer)

BOOST_AUTO_TEST_CASE(low_water_is_three_quarters_of_high_water) {
  const TrimBudget budget = MakeTrimBudget(1024, 224);

  BOOST_TEST(budget.high_water == 800u);
  BOOST_TEST(budget.low_water == 600u);
  BOOST_TEST(budget.next_turn_allowance == 64u);
}

BOOST_AUTO_TEST_CASE(the_allowance_for_the_next_turn_is_bounded) {
  BOOST_TEST(MakeTrimBudget(512, 128).next_turn_allowance == 32u);
  BOOST_TEST(MakeTrimBudget(65536, 256).next_turn_allowance == 128u);
}

BOOST_AUTO_TEST_CASE(drops_the_oldest_entries_only_above_high_and_down_to_low) {
  struct Case {
    const char* name;
    std::size_t total;
    std::vector<std::size_t> entries;
    std::size_t dropped;
  };
  const TrimBudget budget{.high_water = 100, .low_water = 75};
  const Case cases[] = {
      {"below high", 99, {30, 30, 30}, 0},
      {"exactly high", 100, {30, 30, 30}, 0},
      {"one over: 101 - 30 = 71", 101, {30, 30, 30}, 1},
      {"exactly low suffices: 105 - 30 = 75", 105, {30, 30, 30}, 1},
      {"one above low does not: 106 - 30 = 76", 106, {30, 30, 30}, 2},
      {"everything may go: 300 - 90", 300, {30, 30, 30}, 3},
      {"no entries", 300, {}, 0},
      {"an empty entry counts as one", 101, {0, 30, 30}, 2},
  };
  for (const Case& c : cases) {
    BOOST_TEST_CONTEXT(c.name) {
      BOOST_TEST(EntriesToTrim(c.total, c.entries, budget) == c.dropped);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace talefold
