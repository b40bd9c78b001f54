#include "prompt/trimmer.h"

#include <algorithm>

namespace talefold {

std::int32_t DefaultReplyReserve(std::int32_t context_size) {
  return std::clamp(context_size / 4, 1, 256);
}

TrimBudget MakeTrimBudget(std::int32_t context_size, std::int32_t reply_reserve) {
  constexpr std::size_t kMaxAllowance = 128;
  TrimBudget budget;
  budget.high_water = static_cast<std::size_t>(context_size - reply_reserve);
  budget.low_water = budget.high_water * 3 / 4;
  budget.next_turn_allowance =
      std::min(kMaxAllowance, static_cast<std::size_t>(context_size) / 16);
  return budget;
}

std::size_t EntriesToTrim(std::size_t total_tokens,
                          std::span<const std::size_t> entry_tokens,
                          const TrimBudget& budget) {
  if (total_tokens <= budget.high_water) return 0;
  std::size_t count = 0;
  while (count < entry_tokens.size() && total_tokens > budget.low_water) {
    total_tokens -= entry_tokens[count];
    ++count;
  }
  return count;
}

}  // namespace talefold
