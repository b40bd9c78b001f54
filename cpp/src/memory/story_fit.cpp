#include "memory/story_fit.h"

namespace talefold {

namespace {

void Show(std::size_t level, const StoryItem& item, StoryFit& fit) {
  fit.items.push_back({level, item.id, std::string(item.text), item.tokens});
  fit.tokens += item.tokens;
}

}  // namespace

void CollectItems(const Story& story, StoryFit& fit) {
  fit.items.clear();
  fit.tokens = 0;
  if (fit.shows_intro) Show(0, story.intro(), fit);
  for (std::size_t level = fit.ranges.size(); level-- > 0;) {
    for (std::size_t i = fit.ranges[level].begin; i < fit.ranges[level].end; ++i) {
      const StoryItem item = story.at(level, i);
      if (item.eligible) Show(level, item, fit);
    }
  }
}

}  // namespace talefold
