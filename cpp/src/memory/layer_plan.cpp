#include "memory/layer_plan.h"

#include <algorithm>
#include <utility>

#include "base/text.h"

namespace talefold {

namespace {

constexpr std::size_t kFewestEntries = 2;

}  // namespace

std::vector<IndexRange> PlanGroups(std::span<const std::size_t> tokens,
                                   std::size_t start, std::size_t threshold) {
  std::vector<IndexRange> groups;
  IndexRange group{start, start};
  std::size_t sum = 0;
  for (std::size_t i = start; i < tokens.size(); ++i) {
    if (sum + tokens[i] > threshold && group.size() >= kFewestEntries) {
      groups.push_back(group);
      group = {i, i};
      sum = 0;
    }
    sum += tokens[i];
    group.end = i + 1;
  }
  if (group.size() >= kFewestEntries && sum >= threshold) groups.push_back(group);
  return groups;
}

std::vector<IndexRange> SplitGroup(std::span<const std::size_t> tokens,
                                   std::size_t max_tokens) {
  std::vector<IndexRange> parts;
  std::size_t sum = 0;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (parts.empty() || sum >= max_tokens) {
      parts.push_back({i, i});
      sum = 0;
    }
    sum += tokens[i];
    parts.back().end = i + 1;
  }
  return parts;
}

std::vector<std::string> SplitChunks(std::string_view text, std::size_t chunk_chars) {
  std::vector<std::string> chunks;
  std::size_t length = 0;  // of the last chunk
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::size_t line_length = CountCodePoints(line) + 1;  // with its line break
    const bool blank = TrimWhitespace(line).empty();
    if (!chunks.empty() && (blank || length + line_length < chunk_chars)) {
      chunks.back() += '\n';
      chunks.back() += line;
      length += line_length;
    } else if (!blank) {
      chunks.emplace_back(line);
      length = line_length;
    }
  }
  for (std::string& chunk : chunks) chunk = TrimTrailingWhitespace(chunk);
  return chunks;
}

std::size_t NextSource(const SceneMemory& memory, std::size_t layer) {
  const bool begun = layer <= memory.layers.size() && !ListOf(memory, layer).empty();
  if (begun) {
    return SourceRange(memory, {layer, ListOf(memory, layer).size() - 1}).end;
  }
  return layer == 1 ? StaticCount(memory) : 0;
}

MemoryEntry MakeLayerEntry(const SceneMemory& memory, std::size_t layer,
                           IndexRange range, std::string text) {
  const std::span<const MemoryEntry> sources =
      std::span(ListOf(memory, layer - 1)).subspan(range.begin, range.size());
  MemoryEntry entry;
  entry.text = std::move(text);
  entry.first = sources.front().id;
  entry.last = sources.back().id;
  entry.ts = sources.front().ts;
  entry.ts_start = sources.front().ts_start;
  entry.ts_end = sources.back().ts_end;
  entry.present = UnionOfPresence(sources);
  entry.out_of_sync = std::ranges::any_of(sources, &MemoryEntry::out_of_sync);
  return entry;
}

}  // namespace talefold
