// An agent's state as JSON text and back.
#pragma once

#include <string>
#include <string_view>

#include "dialog/agent_state.h"

namespace talefold {

// Format version 1. Component types in use are declared under `required_components`; a
// dialog without any leaves no trace of them.
std::string WriteSnapshot(const AgentState& state);

// Throws MalformedSnapshot (with the JSON path), SnapshotVersionTooNew or
// DialogUnsupportedComponent.
AgentState ReadSnapshot(std::string_view text);

}  // namespace talefold
