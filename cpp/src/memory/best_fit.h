// The whole timeline at falling detail inside one budget: the newest messages word for
// word, before them the most detailed summaries there is room for.
#pragma once

#include <cstddef>
#include <optional>

#include "memory/story_fit.h"

namespace talefold {

struct BestFitLimits {
  std::size_t budget = 0;  // tokens
  // So many of the newest messages are shown whatever the budget; 0 = none.
  std::size_t min_messages = 5;
  // More are never shown word for word; at least `min_messages`.
  std::size_t max_messages = 250;

  bool operator==(const BestFitLimits&) const = default;
};

// Without `previous`: all messages if they fit, else summaries before a tail of
// messages. Of the messages since the newest summary none is left out but for want of
// budget, and then no summary is shown, or beyond `max_messages`. Takes as long as what
// it shows, not as the story. Pure.
//
// With `previous`, which may be empty: the same items as long as the messages said
// since fit behind them, so that prompts go on where the one before ended; then a new
// choice that fills four fifths of the limits, to leave room for that.
StoryFit BestFit(const Story& story, const BestFitLimits& limits,
                 const StoryFit* previous = nullptr);

// `previous` with what was said since behind it; nullopt when that does not fit, or
// when what it shows is no longer what the story has there.
std::optional<StoryFit> ExtendFit(const Story& story, const BestFitLimits& limits,
                                  const StoryFit& previous);

}  // namespace talefold
