#include "scene/scene_memory.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

#include "talefold/error.h"

namespace talefold {

namespace {

std::size_t IndexOfEntry(const EntryList& entries, EntryId id) {
  const auto found = std::ranges::find(entries, id, &MemoryEntry::id);
  return static_cast<std::size_t>(found - entries.begin());
}

// The base entry whose range holds the message at `index`.
std::optional<std::size_t> BaseEntryOf(const Timeline& timeline, std::size_t index,
                                       const SceneMemory& memory) {
  for (std::size_t i = StaticCount(memory); i < memory.base.size(); ++i) {
    const IndexRange range = MessageRange(timeline, memory.base[i]);
    if (range.begin <= index && index < range.end) return i;
  }
  return std::nullopt;
}

// An entry whose messages are all erased tells of the moment of the one before.
void StampBase(const Timeline& timeline, EntryList& base) {
  std::size_t read = 0;
  StoryTime clock = timeline.start();
  for (MemoryEntry& entry : base) {
    if (entry.is_static) continue;
    const std::size_t last = entry.has_sources() ? timeline.Find(entry.last) : read;
    for (; read < last; ++read) clock = clock + timeline.at(read).duration;
    entry.ts = entry.ts_start = entry.ts_end = clock;
  }
}

void StampLayer(SceneMemory& memory, std::size_t layer) {
  const EntryList& sources = ListOf(memory, layer - 1);
  EntryList& entries = ListOf(memory, layer);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const IndexRange range = SourceRange(memory, {layer, i});
    entries[i].ts = sources[range.begin].ts;
    entries[i].ts_start = sources[range.begin].ts_start;
    entries[i].ts_end = sources[range.end - 1].ts_end;
  }
}

}  // namespace

const EntryList& ListOf(const SceneMemory& memory, std::size_t layer) {
  return layer == 0 ? memory.base : memory.layers.at(layer - 1);
}

EntryList& ListOf(SceneMemory& memory, std::size_t layer) {
  return layer == 0 ? memory.base : memory.layers.at(layer - 1);
}

const MemoryEntry& EntryAt(const SceneMemory& memory, EntryPlace place) {
  return ListOf(memory, place.layer).at(place.index);
}

MemoryEntry& EntryAt(SceneMemory& memory, EntryPlace place) {
  return ListOf(memory, place.layer).at(place.index);
}

std::optional<EntryPlace> PlaceOf(const SceneMemory& memory, EntryId id) {
  for (std::size_t layer = 0; layer <= memory.layers.size(); ++layer) {
    const EntryList& entries = ListOf(memory, layer);
    const std::size_t index = IndexOfEntry(entries, id);
    if (index < entries.size()) return EntryPlace{layer, index};
  }
  return std::nullopt;
}

EntryPlace FindEntry(const SceneMemory& memory, EntryId id) {
  if (const auto place = PlaceOf(memory, id)) return *place;
  throw Error(ErrorCode::SummaryNotFound,
              "the scene's memory has no entry " + std::to_string(id),
              "take the id from the scene's entries");
}

std::size_t StaticCount(const SceneMemory& memory) {
  const auto summary = std::ranges::find(memory.base, false, &MemoryEntry::is_static);
  return static_cast<std::size_t>(summary - memory.base.begin());
}

bool HasSummaries(const SceneMemory& memory) {
  return StaticCount(memory) < memory.base.size();
}

IndexRange MessageRange(const Timeline& timeline, const MemoryEntry& base_entry) {
  if (!base_entry.has_sources()) return {};
  return {timeline.Find(base_entry.first), timeline.Find(base_entry.last) + 1};
}

IndexRange SourceRange(const SceneMemory& memory, EntryPlace place) {
  const MemoryEntry& entry = EntryAt(memory, place);
  const EntryList& sources = ListOf(memory, place.layer - 1);
  return {IndexOfEntry(sources, entry.first), IndexOfEntry(sources, entry.last) + 1};
}

IndexRange BaseRange(const SceneMemory& memory, EntryPlace place) {
  IndexRange range{place.index, place.index + 1};
  for (std::size_t layer = place.layer; layer > 0; --layer) {
    range = {SourceRange(memory, {layer, range.begin}).begin,
             SourceRange(memory, {layer, range.end - 1}).end};
  }
  return range;
}

std::size_t FirstUncovered(const Timeline& timeline, const SceneMemory& memory) {
  for (auto entry = memory.base.rbegin(); entry != memory.base.rend(); ++entry) {
    if (entry->has_sources()) return timeline.Find(entry->last) + 1;
  }
  return 0;
}

bool HasStaleSource(const SceneMemory& memory, EntryPlace place) {
  if (place.layer == 0) return false;
  const IndexRange range = SourceRange(memory, place);
  const EntryList& sources = ListOf(memory, place.layer - 1);
  const auto begin = sources.begin();
  return std::any_of(begin + static_cast<std::ptrdiff_t>(range.begin),
                     begin + static_cast<std::ptrdiff_t>(range.end),
                     [](const MemoryEntry& source) { return source.out_of_sync; });
}

void MarkOutOfSync(SceneMemory& memory, EntryPlace place) {
  EntryAt(memory, place).out_of_sync = true;
  if (place.layer == memory.layers.size()) return;
  const std::size_t above = place.layer + 1;
  for (std::size_t i = 0; i < ListOf(memory, above).size(); ++i) {
    const IndexRange range = SourceRange(memory, {above, i});
    if (range.begin <= place.index && place.index < range.end) {
      MarkOutOfSync(memory, {above, i});
    }
  }
}

void OnMessageChanged(const Timeline& timeline, std::size_t index,
                      SceneMemory& memory) {
  if (!TellsStory(timeline.at(index).kind)) return;
  if (const auto entry = BaseEntryOf(timeline, index, memory)) {
    MarkOutOfSync(memory, {0, *entry});
  }
}

void BeforeErase(const Timeline& timeline, std::size_t index, SceneMemory& memory) {
  const auto found = BaseEntryOf(timeline, index, memory);
  if (!found) return;
  MemoryEntry& entry = memory.base[*found];
  OnMessageChanged(timeline, index, memory);
  const MessageId id = timeline.at(index).id;
  if (entry.first == id && entry.last == id) {
    entry.first = entry.last = 0;
  } else if (entry.first == id) {
    entry.first = timeline.at(index + 1).id;
  } else if (entry.last == id) {
    entry.last = timeline.at(index - 1).id;
  }
}

void Restamp(const Timeline& timeline, SceneMemory& memory) {
  StampBase(timeline, memory.base);
  for (std::size_t layer = 1; layer <= memory.layers.size(); ++layer) {
    StampLayer(memory, layer);
  }
}

std::optional<PresentSet> UnionOfPresence(std::span<const MemoryEntry> sources) {
  PresentSet present;
  for (const MemoryEntry& source : sources) {
    if (!source.present) return std::nullopt;
    PresentSet both;
    std::ranges::set_union(present, *source.present, std::back_inserter(both));
    present = std::move(both);
  }
  return present;
}

}  // namespace talefold
