// A long story inside one budget by fixed shares: so much for messages word for word,
// so much for each level of summaries.
#pragma once

#include <cstddef>

#include "memory/story_fit.h"

namespace talefold {

struct RatioLimits {
  std::size_t budget = 0;             // tokens
  std::size_t dialogue_percent = 50;  // of the budget, for messages
  // Of what is left, for each level from the most detailed on; the last gets the rest.
  std::size_t detail_percent = 50;
  // Messages that were summarized are shown only as far as `assured_dialogue` asks.
  bool enforce_boundary = false;
  std::size_t assured_dialogue = 5;  // lines of characters
};

// What a level does not use goes to no other. No entry is shown for what is shown in
// more detail in whole. Pure.
StoryFit RatioFit(const Story& story, const RatioLimits& limits);

}  // namespace talefold
