// The whole story at falling detail: each stretch of it once, the oldest most
// compressed.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "scene/scene_memory.h"

namespace talefold {

struct GradientOptions {
  std::size_t lowest_layer = 0;  // 0 = down to the base, 1 = down to layers[0], ...
  // Stops before the entry that is, or was made from, this base entry.
  std::optional<std::size_t> before_base = {};
};

// The places of the entries, in story order. Backstory comes first if the base is in.
std::vector<EntryPlace> CompileGradient(const SceneMemory& memory,
                                        const GradientOptions& options = {});

std::vector<std::string> TextsOf(const SceneMemory& memory,
                                 const std::vector<EntryPlace>& places);

}  // namespace talefold
