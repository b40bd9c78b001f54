#include "knowledge/vector_index.h"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "talefold/error.h"

using namespace talefold;

namespace {

using Vector = std::vector<float>;

Vector RandomRows(std::size_t rows, std::size_t dimensions, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  Vector numbers(rows * dimensions);
  for (float& number : numbers) number = normal(random);
  return numbers;
}

double CosineDistance(const float* a, const float* b, std::size_t size) {
  double dot = 0, aa = 0, bb = 0;
  for (std::size_t i = 0; i < size; ++i) {
    dot += double{a[i]} * b[i];
    aa += double{a[i]} * a[i];
    bb += double{b[i]} * b[i];
  }
  return 1 - dot / std::sqrt(aa * bb);
}

bool IsEmbeddingFailed(const Error& error) {
  return error.code() == ErrorCode::EmbeddingFailed;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(vector_index)

BOOST_AUTO_TEST_CASE(the_nearest_are_those_that_sorting_all_rows_finds) {
  for (const std::size_t dimensions : {1, 3, 16, 17, 384}) {
    constexpr std::size_t kRows = 500;
    const Vector rows = RandomRows(kRows, dimensions, 3);
    const Vector query = RandomRows(1, dimensions, 4);
    std::vector<std::pair<double, std::size_t>> expected;
    for (std::size_t row = 0; row < kRows; ++row) {
      expected.emplace_back(
          CosineDistance(query.data(), &rows[row * dimensions], dimensions), row);
    }
    std::ranges::sort(expected);

    const auto found = VectorIndex(rows, dimensions).Search(query, {.top_k = 10});

    BOOST_TEST_CONTEXT(dimensions << " dimensions") {
      BOOST_REQUIRE_EQUAL(found.size(), 10U);
      for (std::size_t i = 0; i < found.size(); ++i) {
        BOOST_TEST(std::abs(found[i].distance - expected[i].first) < 1e-5);
        if (dimensions > 1) BOOST_TEST(found[i].record == expected[i].second);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(distances_go_from_0_to_2_whatever_the_lengths) {
  const VectorIndex index(Vector{3, 0, 0, 5, -7, 0, 0, 0}, 2);

  const auto found = index.Search(Vector{0.1F, 0}, {.top_k = 9});

  BOOST_REQUIRE_EQUAL(found.size(), 4U);
  BOOST_CHECK((found == std::vector<Neighbor>{{0, 0}, {1, 1}, {1, 3}, {2, 2}}));
}

BOOST_AUTO_TEST_CASE(equally_near_rows_come_in_their_order) {
  Vector rows;
  for (int i = 0; i < 40; ++i) rows.insert(rows.end(), {1, float(i % 2)});
  const VectorIndex index(rows, 2);

  const auto found = index.Search(Vector{1, 0}, {.top_k = 5});

  for (std::size_t i = 0; i < found.size(); ++i) BOOST_TEST(found[i].record == 2 * i);
}

BOOST_AUTO_TEST_CASE(limits_hold) {
  const VectorIndex index(Vector{1, 0, 1, 0.1F, 0, 1}, 2);
  const std::vector<std::uint8_t> accepted = {0, 1, 1};
  const Vector query = {1, 0};

  BOOST_TEST(index.Search(query, {.top_k = 9, .max_distance = 0.5F}).size() == 2U);
  BOOST_TEST(index.Search(query, {.top_k = 9, .max_distance = 1.0F}).size() == 3U);
  BOOST_TEST(index.Search(query, {.top_k = 1, .accepted = accepted})[0].record == 1U);
  BOOST_TEST(index.Search(query, {.top_k = 0}).empty());
}

BOOST_AUTO_TEST_CASE(without_rows_nothing_is_found) {
  BOOST_TEST(VectorIndex({}, 4).Search(Vector(4, 1.0F), {}).empty());
}

BOOST_AUTO_TEST_CASE(vectors_that_do_not_fit_are_refused) {
  const float inf = std::numeric_limits<float>::infinity();
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const VectorIndex index(Vector{1, 0}, 2);

  BOOST_CHECK_EXCEPTION(VectorIndex(Vector{1, 0, 1}, 2), Error, IsEmbeddingFailed);
  BOOST_CHECK_EXCEPTION(VectorIndex({}, 0), Error, IsEmbeddingFailed);
  BOOST_CHECK_EXCEPTION(VectorIndex(Vector{1, nan}, 2), Error, IsEmbeddingFailed);
  BOOST_CHECK_EXCEPTION(index.Search(Vector{1, 0, 0}, {}), Error, IsEmbeddingFailed);
  BOOST_CHECK_EXCEPTION(index.Search(Vector{inf, 0}, {}), Error, IsEmbeddingFailed);
}

BOOST_AUTO_TEST_SUITE_END()
