#include "memory/best_fit.h"

#include <algorithm>
#include <limits>

namespace talefold {

namespace {

// What a range of a level costs.
struct Cost {
  std::size_t tokens = 0;
  std::size_t items = 0;  // eligible ones

  void Add(const StoryItem& item) {
    tokens += item.tokens;
    ++items;
  }
};

class Fitter {
 public:
  Fitter(const Story& story, const BestFitLimits& limits)
      : story_(story),
        budget_(limits.budget),
        min_(limits.min_messages),
        max_(std::max(limits.max_messages, limits.min_messages)),
        size_(story.size(0)),
        summarized_(SummarizedEnd(story)) {
    fit_.ranges.assign(story.levels(), {});
  }

  StoryFit Fit() {
    if (!ShowAll()) {
      CollectTail();
      const bool has_room = !tail_is_cut_ && tail_.tokens < budget_;
      fit_.incomplete = !(has_room && ShowSummaries()) && IsOlderThanTail();
      if (!ShowsSummaries()) ShowIntro(tail_.tokens);
    }
    CollectItems(story_, fit_);
    return std::move(fit_);
  }

 private:
  // Every eligible message, if all fit.
  bool ShowAll() {
    const StoryItem intro = story_.intro();
    Cost all;
    all.tokens = intro.tokens;
    for (std::size_t i = size_; i-- > 0;) {
      const StoryItem item = story_.at(0, i);
      if (!item.eligible) continue;
      all.Add(item);
      if (all.items > max_ || all.tokens > budget_) return false;
    }
    if (all.tokens > budget_ || HasLoneSummary()) return false;
    fit_.ranges[0] = {0, size_};
    fit_.shows_intro = !intro.text.empty();
    return true;
  }

  // Whether a summary stands for messages that are gone.
  bool HasLoneSummary() const {
    if (story_.levels() == 1) return false;
    for (std::size_t i = 0; i < story_.size(1); ++i) {
      const StoryItem entry = story_.at(1, i);
      if (entry.eligible && entry.sources.size() == 0) return true;
    }
    return false;
  }

  // The messages since the newest summary as far as they fit, and the guaranteed ones.
  void CollectTail() {
    std::size_t i = size_;
    bool is_full = false;
    for (; i > summarized_ && !is_full; --i) {
      const StoryItem item = story_.at(0, i - 1);
      if (!item.eligible) continue;
      is_full = tail_.tokens + item.tokens > budget_ || tail_.items == max_;
      if (is_full) break;
      Take(i - 1, item);
    }
    for (; i > 0 && tail_.items < min_; --i) {
      const StoryItem item = story_.at(0, i - 1);
      if (item.eligible) Take(i - 1, item);
    }
    // Messages that no summary stands for may be missing.
    const bool has_gap = Count(0, {summarized_, tail_begin_}, 0).items > 0;
    tail_is_cut_ = has_gap && tail_.items < max_;
    tail_is_full_ = has_gap;
    if (!has_gap) tail_begin_ = std::min(tail_begin_, summarized_);
    fit_.ranges[0] = {tail_begin_, size_};
  }

  void Take(std::size_t index, const StoryItem& item) {
    tail_.Add(item);
    tail_begin_ = index;
  }

  // Of the eligible items of a range, the newest first; stops once there are more than
  // `most`.
  Cost Count(std::size_t level, IndexRange range,
             std::size_t most = std::numeric_limits<std::size_t>::max()) const {
    Cost cost;
    for (std::size_t i = range.end; i > range.begin && cost.items <= most; --i) {
      const StoryItem item = story_.at(level, i - 1);
      if (item.eligible) cost.Add(item);
    }
    return cost;
  }

  // Returns whether they go back to the beginning of the story, without a gap.
  bool ShowSummaries() {
    for (top_ = story_.levels() - 1; top_ > 0 && story_.size(top_) == 0;) --top_;
    if (top_ == 0) return false;
    remaining_ = budget_ - tail_.tokens;
    SetEnds();
    const bool is_whole = TakeSkeleton();
    for (std::size_t level = top_; level > 0; --level) Expand(level);
    return is_whole && !tail_is_full_;
  }

  // A level ends where the tail begins: an entry that stands for nothing before it is
  // not needed.
  void SetEnds() {
    std::size_t below = tail_begin_;
    for (std::size_t level = 1; level <= top_; ++level) {
      std::size_t end = story_.size(level);
      while (end > 0 && story_.at(level, end - 1).sources.begin >= below) --end;
      fit_.ranges[level] = {end, end};
      below = end;
    }
  }

  // What no entry of a higher level stands for, then the top level: the newest first,
  // as far as they fit. Returns whether all do.
  bool TakeSkeleton() {
    for (std::size_t level = 1; level <= top_; ++level) {
      IndexRange& range = fit_.ranges[level];
      const std::size_t begin = level == top_ ? 0 : SourcesEnd(level + 1);
      for (; range.begin > begin; --range.begin) {
        const StoryItem item = story_.at(level, range.begin - 1);
        if (!item.eligible) continue;
        if (item.tokens > remaining_) return false;
        remaining_ -= item.tokens;
      }
    }
    return true;
  }

  // Where, in the level below, the shown part of `level` stops.
  std::size_t SourcesEnd(std::size_t level) const {
    const std::size_t end = fit_.ranges[level].end;
    if (end == 0) return 0;
    return std::min(story_.at(level, end - 1).sources.end, fit_.ranges[level - 1].end);
  }

  // Shows the newest entries of a level by what they stand for, as long as that fits.
  // The part shown of the level below stays in one piece: what lies between is paid for
  // with the entry.
  void Expand(std::size_t level) {
    const bool is_dialogue = level == 1;
    if (is_dialogue && tail_is_full_) return;
    IndexRange& upper = fit_.ranges[level];
    IndexRange& lower = fit_.ranges[level - 1];
    while (upper.size() > 0) {
      const StoryItem entry = story_.at(level, upper.end - 1);
      const std::size_t begin = std::min(entry.sources.begin, lower.begin);
      const std::size_t slots =
          is_dialogue ? max_ - tail_.items : std::numeric_limits<std::size_t>::max();
      const Cost cost = Count(level - 1, {begin, lower.begin}, slots);
      const std::size_t room = remaining_ + (entry.eligible ? entry.tokens : 0);
      if (cost.items > slots || cost.tokens > room) return;
      if (cost.items == 0 && entry.eligible) return;  // nothing else tells of it
      remaining_ = room - cost.tokens;
      lower.begin = begin;
      --upper.end;
      if (!is_dialogue) continue;
      tail_.items += cost.items;
      tail_.tokens += cost.tokens;
    }
  }

  bool ShowsSummaries() const {
    for (std::size_t level = 1; level < fit_.ranges.size(); ++level) {
      if (Count(level, fit_.ranges[level], 0).items > 0) return true;
    }
    return false;
  }

  bool IsOlderThanTail() const { return Count(0, {0, tail_begin_}, 0).items > 0; }

  void ShowIntro(std::size_t used) {
    const StoryItem intro = story_.intro();
    fit_.shows_intro = !intro.text.empty() && used + intro.tokens <= budget_;
  }

  const Story& story_;
  const std::size_t budget_, min_, max_;
  const std::size_t size_;        // messages
  const std::size_t summarized_;  // position of the first that no summary stands for
  StoryFit fit_;
  Cost tail_;  // messages shown
  std::size_t tail_begin_ = size_;
  bool tail_is_cut_ = false;   // for want of budget: no summary may follow a gap
  bool tail_is_full_ = false;  // messages are left out that no summary stands for
  std::size_t top_ = 0;        // the highest level in use
  std::size_t remaining_ = 0;  // of the budget
};

// Four fifths, but never less than `least`.
std::size_t LeaveRoom(std::size_t limit, std::size_t least) {
  return std::max(limit - limit / 5, least);
}

}  // namespace

StoryFit BestFit(const Story& story, const BestFitLimits& limits,
                 const StoryFit* previous) {
  if (!previous) return Fitter(story, limits).Fit();
  if (auto fit = ExtendFit(story, limits, *previous)) return *std::move(fit);
  return Fitter(story,
                {.budget = LeaveRoom(limits.budget, 0),
                 .min_messages = limits.min_messages,
                 .max_messages = LeaveRoom(limits.max_messages, limits.min_messages)})
      .Fit();
}

std::optional<StoryFit> ExtendFit(const Story& story, const BestFitLimits& limits,
                                  const StoryFit& previous) {
  if (previous.ranges.empty() || previous.ranges.size() > story.levels()) return {};
  for (std::size_t level = 0; level < previous.ranges.size(); ++level) {
    if (previous.ranges[level].end > story.size(level)) return {};
  }
  StoryFit fit = previous;
  fit.ranges.resize(story.levels());
  fit.ranges[0].end = story.size(0);
  CollectItems(story, fit);
  const std::size_t max = std::max(limits.max_messages, limits.min_messages);
  const auto messages =
      static_cast<std::size_t>(std::ranges::count_if(fit.items, IsMessage));
  const bool goes_on =
      fit.items.size() >= previous.items.size() &&
      std::equal(previous.items.begin(), previous.items.end(), fit.items.begin());
  if (!goes_on || messages > max || fit.tokens > limits.budget) return {};
  return fit;
}

}  // namespace talefold
