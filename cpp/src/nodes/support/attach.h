// What nodes attach to the running interaction for later nodes of the turn.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "nodes/node.h"

namespace talefold {

// Exits of nodes that look for something to attach.
inline constexpr std::string_view kFoundExit = "found";
inline constexpr std::string_view kNotFoundExit = "not_found";

// Each replaces what has the same name, or source, and reports it in the diagnostics
// ("instruction", "knowledge").
void AttachInstruction(TurnContext& turn, const std::string& name,
                       const std::string& text);
void AttachKnowledge(TurnContext& turn, KnowledgeComponent knowledge);
// What the player wants, as `node` found; reported as "intention".
void AttachIntention(TurnContext& turn, const std::string& node,
                     const std::string& intent);

// `name`, or when that is empty the node's own.
inline const std::string& NameOr(const std::string& name, const std::string& node) {
  return name.empty() ? node : name;
}

// Adds a problem when the param is neither empty nor a name (base/name.h).
void CheckOptionalName(const std::string& node, std::string_view field,
                       const std::string& value, std::vector<GraphProblem>& problems);

}  // namespace talefold
