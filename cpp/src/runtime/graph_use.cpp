#include "runtime/graph_use.h"

#include <string>
#include <variant>

#include "graph/descriptor.h"

namespace talefold {

namespace {

bool KeepsSceneMemory(const GraphNode& node) {
  return std::holds_alternative<ArchiveParams>(node.params) ||
         std::holds_alternative<LayeredHistoryParams>(node.params);
}

// Why the node does not belong there, and what to do; no reason = it does.
struct Verdict {
  std::string reason = {};
  std::string hint = {};
};

Verdict Judge(const GraphNode& node, GraphUse use) {
  if (use == GraphUse::SceneMemory) {
    if (KeepsSceneMemory(node)) return {};
    return {
        "does not belong in the memory graph of a scene; allowed: Archive, "
        "LayeredHistory",
        "put it into the graph of a character"};
  }
  if (KeepsSceneMemory(node)) {
    return {"works in the memory graph of a scene only",
            use == GraphUse::Agent ? "an agent keeps its past with a Summarize node"
                                   : "put it into the memory graph of the scene"};
  }
  if (use == GraphUse::SceneCharacter &&
      std::holds_alternative<SummarizeParams>(node.params)) {
    return {
        "does not belong in the graph of a character in a scene, whose memory "
        "graph summarizes for all of them",
        "remove it; the memory graph of the scene has Archive and LayeredHistory"};
  }
  return {};
}

}  // namespace

std::vector<GraphProblem> CheckUse(const GraphDescription& graph, GraphUse use) {
  std::vector<GraphProblem> problems;
  for (const GraphNode& node : graph.nodes()) {
    const Verdict verdict = Judge(node, use);
    if (verdict.reason.empty()) continue;
    problems.push_back({.code = ErrorCode::GraphCompilationFailed,
                        .is_warning = false,
                        .node = node.name,
                        .field = "",
                        .message = "node '" + node.name + "' of type " +
                                   DescriptorOf(node.params).name + " " +
                                   verdict.reason,
                        .hint = verdict.hint});
  }
  return problems;
}

}  // namespace talefold
