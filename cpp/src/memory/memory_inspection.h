// Looking at a scene's memory: what an entry was made from, and how much it saves.
#pragma once

#include <cstddef>
#include <functional>
#include <string_view>
#include <vector>

#include "scene/scene_memory.h"
#include "scene/timeline.h"

namespace talefold {

// Positions in the timeline of the messages that a base entry summarizes; empty when
// there are none.
std::vector<std::size_t> SourceMessages(const Timeline& timeline,
                                        const MemoryEntry& base_entry);

struct LayerStatistics {
  std::size_t layer = 0;  // 0 = base
  std::size_t source_tokens = 0;
  std::size_t source_count = 0;  // messages, or entries of the list below
  std::size_t tokens = 0;
  std::size_t count = 0;
  int reduction_percent = 0;  // of the source tokens; negative when there are more now
};

int ReductionPercent(std::size_t source_tokens, std::size_t tokens);

// Of the summaries of a layer that have sources, against those sources; backstory
// counts on neither side. Throws InvalidArgument for a layer that is not there.
LayerStatistics CompressionOf(
    const Timeline& timeline, const SceneMemory& memory, std::size_t layer,
    const std::function<std::size_t(const Message&)>& message_tokens,
    const std::function<std::size_t(std::string_view)>& text_tokens);

}  // namespace talefold
