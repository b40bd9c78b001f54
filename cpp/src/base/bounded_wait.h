// Waits as long as a host asks for.
#pragma once

#include <algorithm>
#include <chrono>

namespace talefold {

// Longer waits are without end, and could overflow the clock.
inline constexpr std::chrono::milliseconds kLongestWait = std::chrono::hours(24 * 365);

inline std::chrono::milliseconds BoundedWait(std::chrono::milliseconds timeout) {
  return std::min(timeout, kLongestWait);
}

}  // namespace talefold
