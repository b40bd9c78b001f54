#include "knowledge/vector_index.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "talefold/error.h"

namespace talefold {
namespace {

// Sums kept side by side: floats may not be added up in another order than written, so
// that a single sum would keep the compiler from using vector instructions.
constexpr std::size_t kLanes = 16;

// `size` is a multiple of kLanes.
float Dot(const float* __restrict a, const float* __restrict b, std::size_t size) {
  std::array<float, kLanes> sums = {};
  for (std::size_t i = 0; i < size; i += kLanes) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      sums[lane] += a[i + lane] * b[i + lane];
    }
  }
  for (std::size_t width = kLanes / 2; width > 0; width /= 2) {
    for (std::size_t lane = 0; lane < width; ++lane) sums[lane] += sums[lane + width];
  }
  return sums[0];
}

}  // namespace

VectorIndex::VectorIndex(std::span<const float> rows, std::size_t dimensions)
    : dimensions_(dimensions), stride_((dimensions + kLanes - 1) / kLanes * kLanes) {
  if (dimensions == 0 || rows.size() % dimensions != 0) {
    throw Error(ErrorCode::EmbeddingFailed, std::to_string(rows.size()) +
                                                " numbers are no rows of " +
                                                std::to_string(dimensions));
  }
  matrix_.reserve(rows.size() / dimensions * stride_);
  for (; !rows.empty(); rows = rows.subspan(dimensions)) {
    const std::vector<float> row = Normalized(rows.first(dimensions));
    matrix_.insert(matrix_.end(), row.begin(), row.end());
  }
}

std::vector<Neighbor> VectorIndex::Search(std::span<const float> query,
                                          const SearchLimits& limits) const {
  if (query.size() != dimensions_) {
    throw Error(ErrorCode::EmbeddingFailed,
                "a vector of " + std::to_string(query.size()) +
                    " dimensions cannot be compared with those of " +
                    std::to_string(dimensions_),
                "search with the embedding model that the storage was read with");
  }
  const std::vector<float> unit = Normalized(query);
  Nearest nearest(limits.top_k);
  for (std::size_t row = 0; row < rows(); ++row) {
    if (!limits.accepted.empty() && limits.accepted[row] == 0) continue;
    const float cosine = Dot(unit.data(), matrix_.data() + row * stride_, stride_);
    const float distance = 1.0F - std::clamp(cosine, -1.0F, 1.0F);
    if (distance <= limits.max_distance) nearest.Offer({distance, row});
  }
  return nearest.Take();
}

std::vector<float> VectorIndex::Normalized(std::span<const float> vector) const {
  double square = 0;
  for (const float number : vector) square += double{number} * number;
  if (!std::isfinite(square)) {
    throw Error(ErrorCode::EmbeddingFailed, "a vector has a number that is not finite");
  }
  const double scale = square > 0 ? 1 / std::sqrt(square) : 0;
  std::vector<float> unit(stride_);
  for (std::size_t i = 0; i < vector.size(); ++i) {
    unit[i] = static_cast<float>(vector[i] * scale);
  }
  return unit;
}

}  // namespace talefold
