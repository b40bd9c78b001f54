// Limits that the descriptors check, and the nodes again once they know their model.
#pragma once

#include <cstdint>

namespace talefold {

// Tokens of a summarizer's context beside its summary: room for the instructions, the
// request and at least a little history.
inline constexpr std::int32_t kMinSummarizerInput = 64;

}  // namespace talefold
