// A scene's state as JSON text and back.
#pragma once

#include <string>
#include <string_view>

#include "base/json.h"
#include "scene/scene_state.h"

namespace talefold {

// Format version 1.
std::string WriteSceneSnapshot(const SceneState& state);

// Throws MalformedSnapshot (with the JSON path) or SnapshotVersionTooNew.
SceneState ReadSceneSnapshot(std::string_view text);

// {"Archive": {"token_threshold": 512}}
json::object OverridesJson(const SceneOverrides& overrides);

}  // namespace talefold
