// Exact search among vectors by cosine distance.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "knowledge/nearest.h"

namespace talefold {

// Which rows a search looks at, and which of them it returns.
struct SearchLimits {
  std::size_t top_k = 2;
  float max_distance = std::numeric_limits<float>::infinity();
  std::span<const std::uint8_t> accepted =
      {};  // a byte a row, 0 = left out; empty = all
};

// One matrix of floats, read from end to end by each search: no approximation, and no
// order but the rows' own. Built once, then immutable: any thread.
class VectorIndex {
 public:
  // Rows of `dimensions` >= 1 numbers, one after the other. Throws EmbeddingFailed when
  // their number does not fit, or one is not finite. A row of zeros has distance 1 to
  // everything.
  VectorIndex(std::span<const float> rows, std::size_t dimensions);

  std::size_t rows() const { return matrix_.size() / stride_; }
  std::size_t dimensions() const { return dimensions_; }

  // Nearest first, distances from 0 to 2 (1 - cosine). Throws EmbeddingFailed unless
  // `query` has `dimensions` finite numbers.
  std::vector<Neighbor> Search(std::span<const float> query,
                               const SearchLimits& limits) const;

 private:
  std::vector<float> Normalized(std::span<const float> vector) const;

  std::size_t dimensions_;
  std::size_t stride_;         // dimensions, rounded up with zeros
  std::vector<float> matrix_;  // rows of unit length
};

}  // namespace talefold
