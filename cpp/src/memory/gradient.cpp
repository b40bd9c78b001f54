#include "memory/gradient.h"

#include <algorithm>

namespace talefold {

namespace {

// Adds the entries of `layer` that come after `shown` base entries and before `end`;
// returns how many base entries are shown then.
std::size_t AddLayer(const SceneMemory& memory, std::size_t layer, std::size_t shown,
                     std::size_t end, std::vector<EntryPlace>& places) {
  for (std::size_t i = 0; i < ListOf(memory, layer).size(); ++i) {
    const IndexRange range = BaseRange(memory, {layer, i});
    if (range.begin < shown) continue;
    if (range.end > end) break;
    places.push_back({layer, i});
    shown = range.end;
  }
  return shown;
}

}  // namespace

std::vector<EntryPlace> CompileGradient(const SceneMemory& memory,
                                        const GradientOptions& options) {
  const std::size_t end = options.before_base.value_or(memory.base.size());
  std::vector<EntryPlace> places;
  std::size_t shown = StaticCount(memory);
  if (options.lowest_layer == 0) {
    for (std::size_t i = 0; i < std::min(shown, end); ++i) places.push_back({0, i});
  }
  for (std::size_t layer = memory.layers.size() + 1; layer > options.lowest_layer;) {
    --layer;
    shown = AddLayer(memory, layer, shown, end, places);
  }
  return places;
}

std::vector<std::string> TextsOf(const SceneMemory& memory,
                                 const std::vector<EntryPlace>& places) {
  std::vector<std::string> texts;
  for (const EntryPlace place : places) texts.push_back(EntryAt(memory, place).text);
  return texts;
}

}  // namespace talefold
