// What choosing the part of a scene's story that a prompt shows takes: 20,000 messages
// with summaries and three layers, all tokens counted before. Beside it a story of a
// tenth: the time is to depend on the budget alone. Prints figures; asserts nothing.
//
//   talefold_bench_assembly [choices]

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include "memory/best_fit.h"
#include "memory/ratio_fit.h"

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kBudget = 8192;  // tokens
constexpr std::size_t kBytesPerToken = 4;
constexpr std::size_t kLayers = 3;
constexpr std::size_t kUnsummarized = 20;  // newest messages

// Messages of 30 to 70 tokens, an entry of 200 for 30 of them, one of 200 for eight
// entries of the level below. A few messages are not shown.
class LongStory final : public talefold::Story {
 public:
  explicit LongStory(std::size_t messages) : items_(kLayers + 2) {
    for (std::size_t i = 0; i < messages; ++i) {
      items_[0].push_back({.tokens = 30 + i * 37 % 41, .eligible = i % 25 != 7});
    }
    Summarize(1, 30);
    for (std::size_t level = 2; level < items_.size(); ++level) Summarize(level, 8);
    SetLength(messages);
  }

  // As it was after so many messages.
  void SetLength(std::size_t messages) {
    sizes_.assign(items_.size(), messages);
    std::size_t end = messages - kUnsummarized;
    for (std::size_t level = 1; level < items_.size(); ++level) {
      const std::vector<Item>& items = items_[level];
      const auto newer = std::partition_point(
          items.begin(), items.end(),
          [&](const Item& item) { return item.sources.end <= end; });
      sizes_[level] = end = static_cast<std::size_t>(newer - items.begin());
    }
  }

  std::size_t levels() const override { return items_.size(); }
  std::size_t size(std::size_t level) const override { return sizes_[level]; }
  talefold::StoryItem at(std::size_t level, std::size_t index) const override {
    const Item& item = items_[level][index];
    return {.id = static_cast<std::int64_t>(index) + 1,
            .text = {text_.data(), item.tokens * kBytesPerToken},
            .tokens = item.tokens,
            .eligible = item.eligible,
            .speaker = "Bob",
            .sources = item.sources};
  }

 private:
  struct Item {
    std::size_t tokens = 0;
    bool eligible = true;
    talefold::IndexRange sources = {};
  };

  void Summarize(std::size_t level, std::size_t group) {
    const std::size_t end = items_[level - 1].size();
    for (std::size_t i = 0; i + group <= end; i += group) {
      items_[level].push_back({.tokens = 200, .sources = {i, i + group}});
    }
  }

  const std::string text_ = std::string(200 * kBytesPerToken, 'x');
  std::vector<std::vector<Item>> items_;  // by level
  std::vector<std::size_t> sizes_;
};

// Microseconds of each choice.
struct Times {
  std::vector<double> best_fit, extend_fit, ratio_fit;
};

template <typename Work>
void Measure(std::vector<double>& times, const Work& work) {
  const Clock::time_point start = Clock::now();
  work();
  times.push_back(
      std::chrono::duration<double, std::micro>(Clock::now() - start).count());
}

// One of each for every message of the last ones that are said.
Times Run(std::size_t messages, std::size_t choices) {
  LongStory story(messages);
  const talefold::BestFitLimits limits = {.budget = kBudget};
  const talefold::RatioLimits ratio = {.budget = kBudget};
  talefold::StoryFit kept;
  std::size_t shown = 0;
  Times times;
  for (std::size_t i = 0; i < choices; ++i) {
    story.SetLength(messages - choices + i + 1);
    Measure(times.best_fit,
            [&] { shown += talefold::BestFit(story, limits).items.size(); });
    Measure(times.ratio_fit,
            [&] { shown += talefold::RatioFit(story, ratio).items.size(); });
    std::optional<talefold::StoryFit> extended;
    Measure(times.extend_fit,
            [&] { extended = talefold::ExtendFit(story, limits, kept); });
    if (extended) {
      kept = *std::move(extended);
    } else {
      times.extend_fit.pop_back();
      kept = talefold::BestFit(story, limits, &kept);
    }
  }
  std::printf("%zu messages, %zu choices, %zu of them kept; %.0f items shown each\n",
              messages, choices, times.extend_fit.size(),
              static_cast<double>(shown) / static_cast<double>(2 * choices));
  return times;
}

double Median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

void Report(const char* name, const std::vector<double>& long_us,
            const std::vector<double>& short_us) {
  std::printf("%-12s median %.1f us  worst %.1f us  20,000/2,000 messages %.3f\n", name,
              Median(long_us), *std::max_element(long_us.begin(), long_us.end()),
              Median(long_us) / Median(short_us));
}

}  // namespace

int main(int argc, char** argv) {
  const int asked = argc > 1 ? std::atoi(argv[1]) : 1000;
  const auto choices = static_cast<std::size_t>(std::clamp(asked, 10, 1900));
  const Times short_times = Run(2'000, choices);
  const Times long_times = Run(20'000, choices);
  Report("best fit", long_times.best_fit, short_times.best_fit);
  Report("kept", long_times.extend_fit, short_times.extend_fit);
  Report("ratio", long_times.ratio_fit, short_times.ratio_fit);
  return 0;
}
