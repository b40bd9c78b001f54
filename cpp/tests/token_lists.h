// Token lists for tests.
#pragma once

#include <cstddef>
#include <numeric>
#include <vector>

#include "inference/model.h"

namespace talefold::testing {

using Ids = std::vector<Token>;

// `size` tokens: first, first + 1, ...
inline Ids Count(std::size_t size, Token first = 0) {
  Ids ids(size);
  std::iota(ids.begin(), ids.end(), first);
  return ids;
}

inline Ids Join(Ids left, const Ids& right) {
  left.insert(left.end(), right.begin(), right.end());
  return left;
}

}  // namespace talefold::testing
