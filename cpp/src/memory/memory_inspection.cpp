#include "memory/memory_inspection.h"

#include <cmath>
#include <string>

#include "talefold/error.h"

namespace talefold {

std::vector<std::size_t> SourceMessages(const Timeline& timeline,
                                        const MemoryEntry& base_entry) {
  std::vector<std::size_t> messages;
  const IndexRange range = MessageRange(timeline, base_entry);
  for (std::size_t i = range.begin; i < range.end; ++i) {
    if (TellsStory(timeline.at(i).kind)) messages.push_back(i);
  }
  return messages;
}

int ReductionPercent(std::size_t source_tokens, std::size_t tokens) {
  if (source_tokens == 0) return 0;
  const double left = static_cast<double>(tokens) / static_cast<double>(source_tokens);
  return static_cast<int>(std::lround((1.0 - left) * 100.0));
}

LayerStatistics CompressionOf(
    const Timeline& timeline, const SceneMemory& memory, std::size_t layer,
    const std::function<std::size_t(const Message&)>& message_tokens,
    const std::function<std::size_t(std::string_view)>& text_tokens) {
  if (layer > memory.layers.size()) {
    throw Error(ErrorCode::InvalidArgument,
                "the scene's memory has no layer " + std::to_string(layer) +
                    "; allowed 0 (base) to " + std::to_string(memory.layers.size()));
  }
  LayerStatistics statistics{.layer = layer};
  const EntryList& entries = ListOf(memory, layer);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (!entries[i].has_sources()) continue;
    ++statistics.count;
    statistics.tokens += text_tokens(entries[i].text);
    if (layer == 0) {
      for (const std::size_t message : SourceMessages(timeline, entries[i])) {
        ++statistics.source_count;
        statistics.source_tokens += message_tokens(timeline.at(message));
      }
      continue;
    }
    const IndexRange range = SourceRange(memory, {layer, i});
    for (std::size_t source = range.begin; source < range.end; ++source) {
      ++statistics.source_count;
      statistics.source_tokens += text_tokens(ListOf(memory, layer - 1)[source].text);
    }
  }
  statistics.reduction_percent =
      ReductionPercent(statistics.source_tokens, statistics.tokens);
  return statistics;
}

}  // namespace talefold
