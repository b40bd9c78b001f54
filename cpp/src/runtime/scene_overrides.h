// Settings that a scene puts in place of its nodes' params.
#pragma once

#include <string>

#include "scene/scene_state.h"
#include "talefold/graph.h"

namespace talefold {

// Throws InvalidParamValue unless nodes of this type let a scene set this field: all of
// the memory's, and of those that show the story what says how.
void CheckOverridable(const std::string& node_type, const std::string& field);

// The node's params with what `overrides` has for its type. Throws InvalidParamValue.
AnyNodeParams WithOverrides(const GraphNode& node, const SceneOverrides& overrides);

}  // namespace talefold
