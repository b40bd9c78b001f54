// A fold that is planned in one turn and written beside the next ones.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/cancel_token.h"
#include "dialog/interaction.h"
#include "memory/fold_plan.h"
#include "talefold/event.h"

namespace talefold {

// A finished attempt: a summary, or why there is none.
struct FoldOutcome {
  std::optional<SummaryComponent> summary;
  SkipReason reason = SkipReason::ModelError;
  std::string error;  // the model's message
  std::string raw_text;
  std::int64_t tokens = 0;
};

// Refers to the node that planned it, and to nothing of its agent's dialog.
struct FoldTask {
  // An interaction as the fold reads it.
  struct Source {
    std::int64_t id;
    std::uint32_t revision;
    bool operator==(const Source&) const = default;
  };

  std::string node;
  std::size_t begin = 0;  // index of the first source
  std::vector<Source> sources;
  std::optional<SummaryComponent> previous;  // the summary it goes on from
  bool notify_client = false;
  // The model's part; never throws. One call at a time, on any thread; a stopped one
  // may be followed by another. `in_background` as in GenerationRequest.
  std::function<FoldOutcome(const CancelToken& cancel,
                            const std::atomic<bool>& in_background)>
      write;

  std::size_t covered_through() const { return begin + sources.size() - 1; }
};

// What is logged or thrown when a fold of `node` came to nothing.
std::string NoSummaryMessage(std::string_view node, SkipReason reason,
                             const std::string& error);

// "summarized": `folded_turns` interactions went into `summary`.
NodeEvent SummarizedEvent(const SummaryComponent& summary, std::size_t folded_turns);

// The folds of an agent that run beside its turns, as a turn sees them.
class FoldQueue {
 public:
  virtual ~FoldQueue() = default;
  // Whether a fold of this node was scheduled and is not committed yet.
  virtual bool IsPending(std::string_view node) const = 0;
  // Starts when the turn is committed, whose interaction will carry the summary.
  virtual void Schedule(FoldTask task) = 0;
  // A trim is due: waits for the pending folds that have waited a full turn, the
  // running one included if it ends, and commits them. True when there is a new
  // summary; every trim window then starts anew.
  virtual bool FinishOverdue(bool turn_ends) = 0;
};

}  // namespace talefold
