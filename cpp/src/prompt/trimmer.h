// Keeps a projection inside its token budget, with hysteresis: once over the high water
// mark, the oldest whole interactions go until it is at or below the low one. Numbers
// in, numbers out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace talefold {

struct TrimBudget {
  std::size_t high_water = 0;  // tokens: context size less the reply reserve
  std::size_t low_water = 0;   // tokens: 75 % of it
  // Tokens kept free at the end of a turn for the next one's new text, so that most
  // trims are known before the player writes: a sixteenth of the context, at most 128.
  std::size_t next_turn_allowance = 0;
};

// Tokens kept for the reply when sampling.max_tokens is unset: a quarter of the
// context, at most 256.
std::int32_t DefaultReplyReserve(std::int32_t context_size);

// reply_reserve < context_size.
TrimBudget MakeTrimBudget(std::int32_t context_size, std::int32_t reply_reserve);

// How many of the oldest entries must go. 0 when `total_tokens` (of the whole prompt,
// the entries included) is at or below the high water mark; may be all of them, and may
// still not suffice: the rest of the prompt is not the trimmer's to drop.
std::size_t EntriesToTrim(std::size_t total_tokens,
                          std::span<const std::size_t> entry_tokens,
                          const TrimBudget& budget);

}  // namespace talefold
