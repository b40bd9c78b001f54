// What a prompt shows of a long story, and what that is chosen from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "scene/scene_memory.h"

namespace talefold {

// A message, or an entry that summarizes some, as a prompt would show it.
struct StoryItem {
  std::int64_t id = 0;
  std::string_view text = {};
  std::size_t tokens = 0;  // of `text`
  bool eligible = true;    // false = never shown; its place in the list stays
  // Who says it; empty = nobody in the story.
  std::string_view speaker = {};
  // Of an entry: the items of the level below that it stands for.
  IndexRange sources = {};
};

// A story as somebody knows it: level 0 has its messages, level 1 summaries of them,
// level k summaries of what level k - 1 has. Every level is in story order, and the
// sources of its items are, too, without an overlap. Views stay valid while the story
// does.
class Story {
 public:
  virtual ~Story() = default;
  virtual std::size_t levels() const = 0;  // >= 1
  virtual std::size_t size(std::size_t level) const = 0;
  virtual StoryItem at(std::size_t level, std::size_t index) const = 0;
  // How it begins, for as long as no summary tells that; an empty text = nothing.
  virtual StoryItem intro() const { return {}; }
};

// Position of the first message that no item of level 1 stands for.
inline std::size_t SummarizedEnd(const Story& story) {
  if (story.levels() == 1 || story.size(1) == 0) return 0;
  return story.at(1, story.size(1) - 1).sources.end;
}

// An item that was chosen. The story's intro is an item of level 0 with the id 0.
struct ShownItem {
  std::size_t level = 0;
  std::int64_t id = 0;
  std::string text = {};
  std::size_t tokens = 0;

  bool operator==(const ShownItem&) const = default;
};

inline bool IsMessage(const ShownItem& item) { return item.level == 0 && item.id != 0; }

struct StoryFit {
  std::vector<ShownItem> items = {};  // the oldest first
  std::size_t tokens = 0;             // of all items
  // By level, what of it is shown; the eligible ones of it are `items`.
  std::vector<IndexRange> ranges = {};
  bool shows_intro = false;
  // Some of the story is older than the first item, or lies in no item.
  bool incomplete = false;
  std::vector<std::size_t> budgets = {};  // by level; empty where there is one for all

  bool operator==(const StoryFit&) const = default;
};

// Fills `items`, `tokens` from `ranges` and `shows_intro`.
void CollectItems(const Story& story, StoryFit& fit);

}  // namespace talefold
