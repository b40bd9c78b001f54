#include "memory/fold_plan.h"

#include <algorithm>
#include <array>

namespace talefold {

namespace {

bool ReachesTokens(const FoldPlan& plan, const FoldRequest& request) {
  const auto threshold = static_cast<std::size_t>(request.trigger_tokens);
  std::size_t tokens = 0;
  for (std::size_t i = plan.pending_begin; i < plan.pending_end; ++i) {
    tokens += request.cost(i);
    if (tokens >= threshold) return true;
  }
  return false;
}

}  // namespace

std::string_view SkipReasonName(SkipReason reason) {
  constexpr std::array<std::string_view, 10> kNames = {"empty_dialog",
                                                       "hot_window_covers_dialog",
                                                       "nothing_new_outside_hot_window",
                                                       "below_threshold",
                                                       "input_too_large",
                                                       "cancelled",
                                                       "model_error",
                                                       "empty_output",
                                                       "summary_too_large",
                                                       "fold_pending"};
  return kNames[static_cast<std::size_t>(reason)];
}

FoldPlan PlanFold(const FoldRequest& request) {
  FoldPlan plan;
  plan.pending_begin = plan.pending_end = request.first_uncovered;
  if (request.dialog_size == 0) {
    plan.skip = SkipReason::EmptyDialog;
    return plan;
  }
  const auto hot_turns =
      std::max(static_cast<std::size_t>(request.keep_recent_turns),
               static_cast<std::size_t>(request.reply_final ? 0 : 1));
  if (request.dialog_size <= hot_turns) {
    plan.skip = SkipReason::HotWindowCoversDialog;
    return plan;
  }
  plan.pending_end = std::max(plan.pending_begin, request.dialog_size - hot_turns);
  if (plan.pending_turns() == 0) {
    plan.skip = SkipReason::NothingNewOutsideHotWindow;
    return plan;
  }
  plan.by_turns =
      request.trigger_turns > 0 &&
      plan.pending_turns() >= static_cast<std::size_t>(request.trigger_turns);
  const bool fires =
      plan.by_turns || (request.trigger_tokens > 0 && ReachesTokens(plan, request));
  if (!fires) plan.skip = SkipReason::BelowThreshold;
  return plan;
}

std::size_t PendingTokens(const FoldPlan& plan, const FoldRequest& request) {
  std::size_t tokens = 0;
  for (std::size_t i = plan.pending_begin; i < plan.pending_end; ++i) {
    tokens += request.cost(i);
  }
  return tokens;
}

std::size_t LargestFittingCount(std::size_t available, std::size_t guess,
                                const std::function<bool(std::size_t count)>& fits) {
  std::size_t low = 0;               // fits
  std::size_t high = available + 1;  // does not, or is out of reach
  std::size_t probe = std::min(guess, available);
  while (low + 1 < high) {
    probe = std::clamp(probe, low + 1, high - 1);
    const bool fitting = fits(probe);
    (fitting ? low : high) = probe;
    // A good guess is off by one at most; after that, halve.
    const bool near_guess = probe + 1 >= guess && probe <= guess + 1;
    if (near_guess) {
      probe = fitting ? probe + 1 : probe - 1;
    } else {
      probe = low + (high - low) / 2;
    }
  }
  return low;
}

}  // namespace talefold
