#include "storage/line_selection.h"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <limits>
#include <vector>

using namespace talefold;

namespace {

using Lines = std::vector<std::size_t>;

Lines Draw(LineOrder order, std::size_t lines, LineCursor cursor, std::size_t count) {
  Lines drawn;
  while (drawn.size() < count) drawn.push_back(NextLine(order, lines, cursor));
  return drawn;
}

constexpr LineOrder kOrders[] = {LineOrder::Random, LineOrder::Sequential,
                                 LineOrder::Shuffle};

}  // namespace

BOOST_AUTO_TEST_SUITE(line_selection)

BOOST_AUTO_TEST_CASE(sequential_goes_round) {
  const Lines expected = {0, 1, 2, 0, 1, 2, 0};

  BOOST_TEST(Draw(LineOrder::Sequential, 3, {}, 7) == expected,
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(shuffle_says_every_line_once_before_any_again) {
  for (const std::size_t lines : {1, 2, 3, 5, 20}) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const Lines drawn = Draw(LineOrder::Shuffle, lines, {seed}, 10 * lines);
      for (std::size_t round = 0; round < 10; ++round) {
        Lines once(drawn.begin() + static_cast<std::ptrdiff_t>(round * lines),
                   drawn.begin() + static_cast<std::ptrdiff_t>((round + 1) * lines));
        std::ranges::sort(once);
        for (std::size_t i = 0; i < lines; ++i) BOOST_REQUIRE_EQUAL(once[i], i);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(shuffle_never_says_a_line_twice_in_a_row) {
  for (const std::size_t lines : {2, 3, 4, 5}) {
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
      const Lines drawn = Draw(LineOrder::Shuffle, lines, {seed}, 200);
      BOOST_TEST((std::ranges::adjacent_find(drawn) == drawn.end()));
    }
  }
}

BOOST_AUTO_TEST_CASE(rounds_of_a_shuffle_differ) {
  const Lines drawn = Draw(LineOrder::Shuffle, 10, {1}, 20);

  BOOST_TEST(!std::equal(drawn.begin(), drawn.begin() + 10, drawn.begin() + 10));
}

BOOST_AUTO_TEST_CASE(random_says_all_lines_about_equally_often) {
  std::vector<int> counts(5);
  for (const std::size_t line : Draw(LineOrder::Random, 5, {3}, 5000)) ++counts[line];

  for (const int count : counts) BOOST_TEST((count > 900 && count < 1100));
}

BOOST_AUTO_TEST_CASE(seeds_differ_and_a_seed_is_the_same_everywhere) {
  const LineCursor one{1}, two{2};
  for (const LineOrder order : {LineOrder::Random, LineOrder::Shuffle}) {
    BOOST_TEST(Draw(order, 20, one, 20) != Draw(order, 20, two, 20));
  }
  const Lines random = {0, 3, 1, 2, 3, 4};
  const Lines shuffle = {1, 3, 4, 2, 5, 0};
  BOOST_TEST(Draw(LineOrder::Random, 6, one, 6) == random,
             boost::test_tools::per_element());
  BOOST_TEST(Draw(LineOrder::Shuffle, 6, one, 6) == shuffle,
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_saved_cursor_goes_on_where_it_was) {
  for (const LineOrder order : kOrders) {
    const Lines all = Draw(order, 7, {9}, 30);
    LineCursor cursor{9};
    for (int i = 0; i < 10; ++i) NextLine(order, 7, cursor);
    const LineCursor saved{cursor.seed, cursor.drawn};

    const Lines rest = Draw(order, 7, saved, 20);

    BOOST_TEST(rest == Lines(all.begin() + 10, all.end()),
               boost::test_tools::per_element());
  }
}

BOOST_AUTO_TEST_CASE(any_cursor_gives_a_line) {
  constexpr std::uint64_t kLast = std::numeric_limits<std::uint64_t>::max();
  for (const LineOrder order : kOrders) {
    for (const std::size_t lines : {1, 2, 3, 1000}) {
      BOOST_TEST(LineAt(order, lines, {kLast, kLast}) < lines);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
