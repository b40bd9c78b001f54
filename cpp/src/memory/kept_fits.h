// What prompts lately showed of a scene's story, so that the next ones go on from it.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "memory/best_fit.h"
#include "memory/scene_story.h"

namespace talefold {

struct KeptFit {
  BestFitLimits limits = {};
  StoryLayout layout = {};
  StoryFit fit = {};
};

// Shared by the characters of a scene: who knows the same is shown the same. A value;
// the fits in it are never changed.
class KeptFits {
 public:
  using Entry = std::shared_ptr<const KeptFit>;

  // What a reply that is shown in `layout`, but for the time of its labels, goes on
  // from or begins with; `chosen` is what to keep of it once the reply is there.
  struct Choice {
    Entry before = {};  // what it goes on from; none = chosen anew
    Entry chosen = {};
  };
  Choice Choose(const SceneStory& story, const StoryLayout& layout,
                const BestFitLimits& limits,
                const FormattedStory::CountTokens& count_tokens) const;
  void Keep(const Choice& choice);

 private:
  static constexpr std::size_t kMost = 16;

  std::vector<Entry> fits_;  // the newest last
};

}  // namespace talefold
