// Everything of a scene that a snapshot keeps.
#pragma once

#include <map>
#include <string>

#include "scene/scene_memory.h"
#include "scene/timeline.h"

namespace talefold {

// Settings of a scene in place of params: node type -> field -> JSON text.
using SceneOverrides = std::map<std::string, std::map<std::string, std::string>>;

struct SceneState {
  Timeline timeline = {};
  SceneMemory memory = {};
  PresentSet active = {};  // who takes part now
  SceneSettings settings = {};
  std::map<std::string, std::string> notes = {};  // by key
  SceneOverrides overrides = {};
};

}  // namespace talefold
