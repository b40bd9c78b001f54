// The number of a vocabulary entry.
#pragma once

#include <cstdint>

namespace talefold {

using Token = std::int32_t;

}  // namespace talefold
