#include "scene/backstory.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

#include "talefold/error.h"

namespace talefold {

namespace {

const MemoryEntry* FirstSummary(const SceneMemory& memory) {
  return HasSummaries(memory) ? &memory.base[StaticCount(memory)] : nullptr;
}

// When what the scene tells begins; unset while it tells nothing.
std::optional<StoryTime> BeginningOf(const Timeline& timeline,
                                     const SceneMemory& memory) {
  if (const MemoryEntry* first = FirstSummary(memory)) return first->ts;
  for (std::size_t i = 0; i < timeline.size(); ++i) {
    const MessageKind kind = timeline.at(i).kind;
    if (!TellsStory(kind) || kind == MessageKind::Time) continue;
    return timeline.ClockBefore(i);
  }
  return std::nullopt;
}

void CheckOlderThanStory(const Timeline& timeline, const SceneMemory& memory,
                         StoryTime ts) {
  const std::optional<StoryTime> begins = BeginningOf(timeline, memory);
  if (!begins || ts < *begins) return;
  throw Error(ErrorCode::InvalidArgument,
              "backstory must be older than what the scene tells, which begins " +
                  FormatStoryTime(timeline.clock() - *begins) +
                  " ago; allowed: longer ago than that",
              "give a longer time, or write it as a message of the scene");
}

}  // namespace

void ShiftStory(Timeline& timeline, SceneMemory& memory, StoryTime by) {
  if (by == StoryTime{}) return;
  timeline.SetStart(timeline.start() + by);
  for (std::size_t layer = 0; layer <= memory.layers.size(); ++layer) {
    for (MemoryEntry& entry : ListOf(memory, layer)) {
      for (StoryTime* time : {&entry.ts, &entry.ts_start, &entry.ts_end}) {
        *time = std::max(*time + by, StoryTime{});
      }
    }
  }
}

EntryId AddBackstory(Timeline& timeline, SceneMemory& memory, std::string text,
                     StoryTime ago) {
  const StoryTime clock = timeline.clock();
  StoryTime ts = clock - ago;
  CheckOlderThanStory(timeline, memory, ts);
  if (ago > kMaxStoryTime) {
    throw Error(ErrorCode::InvalidArgument, "backstory of " + FormatStoryTime(ago) +
                                                " ago; allowed: at most 100000 years");
  }
  if (ts < StoryTime{}) {
    ShiftStory(timeline, memory, StoryTime{} - ts);
    ts = {};
  }
  MemoryEntry entry;
  const EntryId id = entry.id = memory.next_id++;
  entry.text = std::move(text);
  entry.ts = entry.ts_start = entry.ts_end = ts;
  entry.is_static = true;
  const auto end =
      memory.base.begin() + static_cast<std::ptrdiff_t>(StaticCount(memory));
  const auto place = std::upper_bound(
      memory.base.begin(), end, ts,
      [](StoryTime time, const MemoryEntry& e) { return time < e.ts; });
  memory.base.insert(place, std::move(entry));
  return id;
}

void RemoveBackstory(Timeline& timeline, SceneMemory& memory, EntryPlace place) {
  const MemoryEntry& entry = EntryAt(memory, place);
  if (!entry.is_static) {
    throw Error(ErrorCode::InvalidArgument,
                "entry " + std::to_string(entry.id) +
                    " is a summary; only backstory can be removed",
                "edit or regenerate the summary, or regenerate all");
  }
  memory.base.erase(memory.base.begin() + static_cast<std::ptrdiff_t>(place.index));
  StoryTime oldest = timeline.start();
  if (StaticCount(memory) > 0) oldest = std::min(oldest, memory.base.front().ts);
  ShiftStory(timeline, memory, StoryTime{} - oldest);
}

}  // namespace talefold
