// Which interactions a Summarize node folds this turn, if any: pure arithmetic.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

namespace talefold {

enum class SkipReason {
  EmptyDialog,
  HotWindowCoversDialog,
  NothingNewOutsideHotWindow,
  BelowThreshold,
  InputTooLarge,
  Cancelled,
  ModelError,
  EmptyOutput,
  SummaryTooLarge,
  FoldPending,
};

std::string_view SkipReasonName(SkipReason reason);

struct FoldRequest {
  std::size_t dialog_size = 0;      // the running turn's interaction included
  std::size_t first_uncovered = 0;  // covered_through of the newest summary + 1, or 0
  std::int32_t keep_recent_turns = 0;
  // False while the running turn's reply is not written, or can still grow: its
  // interaction is then hot even with keep_recent_turns = 0.
  bool reply_final = true;
  std::int32_t trigger_tokens = 0;  // 0 = off
  std::int32_t trigger_turns = 0;   // 0 = off
  // Tokens of one interaction as the summarizer would read it.
  std::function<std::size_t(std::size_t index)> cost;
};

struct FoldPlan {
  std::optional<SkipReason> skip;  // unset = fold
  // The pending range [pending_begin, pending_end): outside the hot window, not folded.
  std::size_t pending_begin = 0;
  std::size_t pending_end = 0;
  bool by_turns = false;  // the turn trigger fired

  std::size_t pending_turns() const { return pending_end - pending_begin; }
};

// Checks in this order, the first that holds decides: empty dialog, hot window covers
// it, nothing new outside the window, below both thresholds. The turn trigger is
// checked before the token trigger; both fire at >= their threshold.
FoldPlan PlanFold(const FoldRequest& request);

// Sum of the costs of the pending range.
std::size_t PendingTokens(const FoldPlan& plan, const FoldRequest& request);

// The largest count in [0, available] for which `fits` holds, given that it holds for
// every smaller count too; `guess` is where the search starts.
std::size_t LargestFittingCount(std::size_t available, std::size_t guess,
                                const std::function<bool(std::size_t count)>& fits);

}  // namespace talefold
