// What a scene remembers beside its messages: summaries of them, and summaries of
// those.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "scene/message.h"
#include "scene/timeline.h"

namespace talefold {

// Unique within a scene's memory, never used twice; 0 is none.
using EntryId = std::int64_t;

// A base entry summarizes messages, an entry of a layer summarizes entries of the list
// below it. A static entry is backstory that an author wrote: it has no sources.
struct MemoryEntry {
  EntryId id = 0;
  std::string text = {};
  // First and last source, inclusive: message ids of a base entry, else entry ids. Both
  // 0 when there is none: a static entry, or all messages were erased since.
  std::int64_t first = 0;
  std::int64_t last = 0;
  StoryTime ts = {};  // when it happened
  StoryTime ts_start = {};
  StoryTime ts_end = {};
  std::optional<PresentSet> present = {};  // unset = unknown, visible to all
  bool is_static = false;
  bool verbatim = false;     // the text is that of the sources, not a summary
  bool out_of_sync = false;  // a source changed after it was written
  bool edited = false;       // the text was replaced by hand

  bool has_sources() const { return first != 0; }
  bool operator==(const MemoryEntry&) const = default;
};

using EntryList = std::vector<MemoryEntry>;

struct SceneMemory {
  // Static entries first, then the summaries; each in story order.
  EntryList base = {};
  // layers[0] summarizes `base`, layers[k] summarizes layers[k - 1].
  std::vector<EntryList> layers = {};
  EntryId next_id = 1;

  bool operator==(const SceneMemory&) const = default;
};

// A place in a memory: layer 0 is the base, layer k is layers[k - 1].
struct EntryPlace {
  std::size_t layer = 0;
  std::size_t index = 0;

  bool operator==(const EntryPlace&) const = default;
};

// Positions [begin, end).
struct IndexRange {
  std::size_t begin = 0;
  std::size_t end = 0;

  std::size_t size() const { return end - begin; }
  bool operator==(const IndexRange&) const = default;
};

const EntryList& ListOf(const SceneMemory& memory, std::size_t layer);
EntryList& ListOf(SceneMemory& memory, std::size_t layer);
const MemoryEntry& EntryAt(const SceneMemory& memory, EntryPlace place);
MemoryEntry& EntryAt(SceneMemory& memory, EntryPlace place);
std::optional<EntryPlace> PlaceOf(const SceneMemory& memory, EntryId id);
// Throws SummaryNotFound, naming the id.
EntryPlace FindEntry(const SceneMemory& memory, EntryId id);

// How many entries of the base are static: they stand first.
std::size_t StaticCount(const SceneMemory& memory);
// Whether anything was summarized yet.
bool HasSummaries(const SceneMemory& memory);

// The messages a base entry covers; empty when it has none any more.
IndexRange MessageRange(const Timeline& timeline, const MemoryEntry& base_entry);
// The entries that the entry at `place`, of a layer, was made from, as positions in the
// list below it.
IndexRange SourceRange(const SceneMemory& memory, EntryPlace place);
// The same down to the base: as positions in `memory.base`.
IndexRange BaseRange(const SceneMemory& memory, EntryPlace place);

// Position of the first message that no entry covers.
std::size_t FirstUncovered(const Timeline& timeline, const SceneMemory& memory);

// Keeping entries true to the messages. `index` is a position in the timeline.

// Whether an entry of a layer was made from one that is out of sync.
bool HasStaleSource(const SceneMemory& memory, EntryPlace place);
// The entry, and every entry that was made from it, is out of sync from now on.
void MarkOutOfSync(SceneMemory& memory, EntryPlace place);
// A message's text changed: what summarizes it is out of sync.
void OnMessageChanged(const Timeline& timeline, std::size_t index, SceneMemory& memory);
// Before the message is erased: ranges that begin or end with it shrink by it.
void BeforeErase(const Timeline& timeline, std::size_t index, SceneMemory& memory);
// Time passages changed: what entries say of when they happened follows them.
void Restamp(const Timeline& timeline, SceneMemory& memory);

// Who was present in any of the sources; unknown when that is so for one of them.
std::optional<PresentSet> UnionOfPresence(std::span<const MemoryEntry> sources);

}  // namespace talefold
