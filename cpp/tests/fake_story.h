// Stories made from sizes, and what a fit shows of them: 1 character is 1 token.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "memory/story_fit.h"

namespace talefold {

class FakeStory final : public Story {
 public:
  struct Item {
    std::int64_t id = 0;
    std::string text = {};
    bool eligible = true;
    std::string speaker = {};
    IndexRange sources = {};
  };

  // Its messages; "Bob" says all of them.
  explicit FakeStory(const std::vector<std::size_t>& messages = {}) {
    for (const std::size_t size : messages) Say(size);
  }

  FakeStory& Say(std::size_t size, bool eligible = true, std::string speaker = "Bob") {
    const auto id = static_cast<std::int64_t>(FirstId(0) + said_++);
    items[0].push_back({id, std::string(size, 'm'), eligible, std::move(speaker), {}});
    return *this;
  }

  FakeStory& Begin(std::size_t intro_size) {
    intro_text = std::string(intro_size, 'i');
    return *this;
  }

  // An entry of `level` over items of the level below; new levels come into being.
  FakeStory& Sum(std::size_t level, std::size_t size, IndexRange sources,
                 bool eligible = true) {
    if (items.size() <= level) items.resize(level + 1);
    const auto id = static_cast<std::int64_t>(FirstId(level) + items[level].size());
    items[level].push_back(
        {id, std::string(size, Letter(level)), eligible, {}, sources});
    return *this;
  }

  // One entry of `size` for each of `sources`.
  FakeStory& SumAll(std::size_t level, std::size_t size,
                    const std::vector<IndexRange>& sources) {
    for (const IndexRange range : sources) Sum(level, size, range);
    return *this;
  }

  std::size_t levels() const override { return items.size(); }
  std::size_t size(std::size_t level) const override { return items[level].size(); }
  StoryItem at(std::size_t level, std::size_t index) const override {
    ++reads;
    const Item& item = items.at(level).at(index);
    return {item.id,       item.text,    item.text.size(),
            item.eligible, item.speaker, item.sources};
  }
  StoryItem intro() const override {
    return {.text = intro_text, .tokens = intro_text.size()};
  }

  static constexpr std::size_t FirstId(std::size_t level) {
    return 100'000 * level + 1;
  }
  // m, a, b, c ... from messages upwards.
  static char Letter(std::size_t level) {
    return level == 0 ? 'm' : static_cast<char>('a' + level - 1);
  }

  std::vector<std::vector<Item>> items{1};  // by level
  std::string intro_text;
  mutable std::size_t reads = 0;  // calls of at()

 private:
  std::size_t said_ = 0;
};

// 30 messages of 100; entries a of 200 over three each, 8 of them; b of 300 over two of
// those each; c of 150 over two of those each.
inline FakeStory LayeredStory() {
  FakeStory story(std::vector<std::size_t>(30, 100));
  for (std::size_t i = 0; i < 8; ++i) story.Sum(1, 200, {3 * i, 3 * i + 3});
  for (std::size_t i = 0; i < 4; ++i) story.Sum(2, 300, {2 * i, 2 * i + 2});
  for (std::size_t i = 0; i < 2; ++i) story.Sum(3, 150, {2 * i, 2 * i + 2});
  return story;
}

// What is shown, the oldest first, as "intro c0 b2 a6-7 m24-29": letter of the level
// and numbers, counted from 0, that the items were made with.
inline std::string Outline(const StoryFit& fit) {
  std::string outline;
  for (std::size_t i = 0; i < fit.items.size();) {
    const ShownItem& first = fit.items[i];
    std::size_t run = 1;
    while (i + run < fit.items.size() && fit.items[i + run].level == first.level &&
           fit.items[i + run].id == first.id + static_cast<std::int64_t>(run)) {
      ++run;
    }
    if (!outline.empty()) outline += ' ';
    if (first.level == 0 && first.id == 0) {
      outline += "intro";
      run = 1;
    } else {
      const auto number =
          static_cast<std::size_t>(first.id) - FakeStory::FirstId(first.level);
      outline += FakeStory::Letter(first.level) + std::to_string(number);
      if (run > 1) outline += '-' + std::to_string(number + run - 1);
    }
    i += run;
  }
  return outline;
}

// Adds up to `most` messages; now and then some in a row are not to be shown.
inline void SayAtRandom(FakeStory& story, std::size_t most, std::mt19937& random) {
  bool eligible = true;
  for (std::size_t left = random() % (most + 1); left > 0; --left) {
    if (random() % (eligible ? 8 : 3) == 0) eligible = !eligible;
    story.Say(1 + random() % 40, eligible, random() % 4 == 0 ? "" : "Bob");
  }
}

// With up to four levels of entries, here and there an item that none stands for or an
// entry whose sources were erased. An entry may be shown when one of its sources may.
inline FakeStory RandomStory(std::mt19937& random) {
  FakeStory story;
  if (random() % 2 == 0) story.Begin(1 + random() % 60);
  SayAtRandom(story, 80, random);
  const std::size_t levels = 1 + random() % 5;
  for (std::size_t level = 1; level < levels; ++level) {
    const std::size_t end =
        story.size(level - 1) - random() % 8 % (story.size(level - 1) + 1);
    for (std::size_t i = 0; i < end;) {
      if (random() % 10 == 0) {
        ++i;
        continue;
      }
      if (random() % 12 == 0) story.Sum(level, 20, {i, i});
      const IndexRange sources{i, std::min(i + 1 + random() % 5, end)};
      bool eligible = false;
      for (; i < sources.end; ++i) eligible |= story.at(level - 1, i).eligible;
      story.Sum(level, 1 + random() % 80, sources, eligible);
    }
    if (story.levels() == level) story.items.emplace_back();
  }
  return story;
}

// Which messages a fit shows, by position, and how often.
struct Coverage {
  Coverage(const FakeStory& story, const StoryFit& fit) : times(story.size(0)) {
    for (std::size_t level = fit.ranges.size(); level-- > 0;) {
      for (std::size_t i = fit.ranges[level].begin; i < fit.ranges[level].end; ++i) {
        if (!story.at(level, i).eligible) continue;
        std::set<std::size_t> messages;
        Collect(story, level, i, messages);
        if (messages.empty()) continue;
        is_in_order &= *messages.begin() >= first;
        first = *messages.begin();
        oldest = std::min(oldest, first);
        if (level == 0) ++raw;
        for (const std::size_t message : messages) ++times[message];
        if (level > 0) entries.push_back(std::move(messages));
      }
    }
  }

  // Entries that tell of a message that is shown beside them.
  std::size_t straddling() const {
    return static_cast<std::size_t>(
        std::ranges::count_if(entries, [&](const std::set<std::size_t>& messages) {
          return std::ranges::any_of(
              messages, [&](std::size_t message) { return times[message] > 1; });
        }));
  }

  std::vector<std::size_t> times;
  std::size_t raw = 0;
  std::size_t first = 0;  // message of the newest item
  std::size_t oldest = times.size();
  bool is_in_order = true;
  std::vector<std::set<std::size_t>> entries;

 private:
  static void Collect(const FakeStory& story, std::size_t level, std::size_t index,
                      std::set<std::size_t>& messages) {
    if (level == 0) {
      if (story.at(0, index).eligible) messages.insert(index);
      return;
    }
    const IndexRange sources = story.at(level, index).sources;
    for (std::size_t i = sources.begin; i < sources.end; ++i) {
      Collect(story, level - 1, i, messages);
    }
  }
};

// Whether an item lies before the newest entry above it, but in none: no summary will
// ever tell it.
inline bool IsForgotten(const FakeStory& story, std::size_t level, std::size_t index) {
  if (level + 1 == story.levels() || story.size(level + 1) == 0) return false;
  const auto& above = story.items[level + 1];
  if (index >= above.back().sources.end) return false;
  for (std::size_t i = 0; i < above.size(); ++i) {
    const IndexRange sources = above[i].sources;
    if (index >= sources.begin && index < sources.end) {
      return IsForgotten(story, level + 1, i);
    }
  }
  return true;
}

}  // namespace talefold
