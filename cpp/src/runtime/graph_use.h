// Which node types work in which graph.
#pragma once

#include <vector>

#include "talefold/graph.h"

namespace talefold {

enum class GraphUse {
  Agent,
  SceneCharacter,  // the scene keeps the past
  SceneMemory,     // nothing else is done in it
};

// GraphCompilationFailed for each node that does not belong in a graph of this use.
std::vector<GraphProblem> CheckUse(const GraphDescription& graph, GraphUse use);

}  // namespace talefold
