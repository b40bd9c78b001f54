// How the entries of one list become entries of the layer above it: pure arithmetic.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scene/scene_memory.h"

namespace talefold {

// The groups of `tokens`, those of the entries from `start` on, that one entry each is
// to summarize, as positions in the whole list. A group has at least two entries; the
// last ones wait until they have `threshold` tokens.
std::vector<IndexRange> PlanGroups(std::span<const std::size_t> tokens,
                                   std::size_t start, std::size_t threshold);

// The parts of a group of entries that one request each is to summarize: a part takes
// entries while it has less than `max_tokens`.
std::vector<IndexRange> SplitGroup(std::span<const std::size_t> tokens,
                                   std::size_t max_tokens);

// `text` cut at line breaks into chunks of less than `chunk_chars` code points where
// its lines allow that. Leading blank lines are dropped.
std::vector<std::string> SplitChunks(std::string_view text, std::size_t chunk_chars);

// Where in the list below the layer reads on: after what its newest entry covers, or
// from the first summary when it has none.
std::size_t NextSource(const SceneMemory& memory, std::size_t layer);

// The entry that summarizes `range` of the list below `layer`, with this text; without
// an id.
MemoryEntry MakeLayerEntry(const SceneMemory& memory, std::size_t layer,
                           IndexRange range, std::string text);

}  // namespace talefold
