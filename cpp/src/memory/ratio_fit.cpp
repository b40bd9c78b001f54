#include "memory/ratio_fit.h"

namespace talefold {

namespace {

class RatioFitter {
 public:
  RatioFitter(const Story& story, const RatioLimits& limits)
      : story_(story), limits_(limits) {
    fit_.ranges.assign(story.levels(), {});
    fit_.budgets.assign(story.levels(), 0);
  }

  StoryFit Fit() {
    ShareBudget();
    TakeMessages();
    for (std::size_t level = 1; level < story_.levels(); ++level) TakeEntries(level);
    fit_.shows_intro = ShowsIntro();
    CollectItems(story_, fit_);
    fit_.incomplete = IsIncomplete();
    return std::move(fit_);
  }

 private:
  void ShareBudget() {
    std::size_t rest = limits_.budget;
    std::size_t last = story_.levels() - 1;
    while (last > 0 && story_.size(last) == 0) --last;
    for (std::size_t level = 0; level <= last; ++level) {
      const std::size_t percent =
          level == 0 ? limits_.dialogue_percent : limits_.detail_percent;
      const bool takes_rest = level == last && level > 0;
      fit_.budgets[level] = takes_rest ? rest : percent * rest / 100;
      rest -= fit_.budgets[level];
    }
  }

  bool TakeIfFits(std::size_t level, const StoryItem& item, std::size_t& used) {
    if (used + item.tokens > fit_.budgets[level]) return false;
    used += item.tokens;
    used_ += item.tokens;
    return true;
  }

  void TakeMessages() {
    const std::size_t summarized = SummarizedEnd(story_);
    std::size_t used = 0;
    std::size_t lines = 0;
    std::size_t begin = story_.size(0);
    for (std::size_t i = begin; i-- > 0;) {
      const StoryItem item = story_.at(0, i);
      if (!item.eligible) continue;
      // The last summarized message is shown all the same: a summary rarely tells it
      // all.
      const bool is_beyond = limits_.enforce_boundary && i + 1 < summarized;
      if (is_beyond && lines >= limits_.assured_dialogue) break;
      if (!TakeIfFits(0, item, used)) break;
      begin = i;
      if (!item.speaker.empty()) ++lines;
    }
    fit_.ranges[0] = {begin, story_.size(0)};
  }

  void TakeEntries(std::size_t level) {
    const std::size_t shown_below = fit_.ranges[level - 1].begin;
    std::size_t end = story_.size(level);
    while (end > 0 && story_.at(level, end - 1).sources.begin >= shown_below) --end;
    std::size_t begin = end;
    for (std::size_t used = 0; begin > 0; --begin) {
      const StoryItem entry = story_.at(level, begin - 1);
      if (entry.eligible && !TakeIfFits(level, entry, used)) break;
    }
    fit_.ranges[level] = {begin, end};
  }

  bool ShowsIntro() const {
    const StoryItem intro = story_.intro();
    if (intro.text.empty() || used_ + intro.tokens > limits_.budget) return false;
    for (std::size_t level = 1; level < story_.levels(); ++level) {
      for (std::size_t i = fit_.ranges[level].begin; i < fit_.ranges[level].end; ++i) {
        if (story_.at(level, i).eligible) return false;
      }
    }
    return true;
  }

  // Whether any item is left out that no shown one stands for: one before the highest
  // level with a part in it, or one between two levels.
  bool IsIncomplete() const {
    for (std::size_t level = 0; level < story_.levels(); ++level) {
      const bool is_top = level + 1 == story_.levels();
      const std::size_t upper = is_top ? 0 : fit_.ranges[level + 1].end;
      const std::size_t told =
          upper == 0 ? 0 : story_.at(level + 1, upper - 1).sources.end;
      for (std::size_t i = fit_.ranges[level].begin; i > told; --i) {
        if (story_.at(level, i - 1).eligible) return true;
      }
    }
    return false;
  }

  const Story& story_;
  const RatioLimits limits_;
  StoryFit fit_;
  std::size_t used_ = 0;  // tokens of all levels
};

}  // namespace

StoryFit RatioFit(const Story& story, const RatioLimits& limits) {
  return RatioFitter(story, limits).Fit();
}

}  // namespace talefold
