#include "runtime/scene_overrides.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "base/json.h"
#include "graph/descriptor.h"
#include "talefold/error.h"

namespace talefold {

namespace {

constexpr std::array<std::string_view, 2> kMemoryTypes = {"Archive", "LayeredHistory"};
constexpr std::array<std::string_view, 3> kStoryTypes = {"Generate", "GenerateAndSpeak",
                                                         "ToolCall"};
constexpr std::array<std::string_view, 2> kStoryFields = {"history", "prompt_caching"};

}  // namespace

void CheckOverridable(const std::string& node_type, const std::string& field) {
  if (std::ranges::find(kMemoryTypes, node_type) != kMemoryTypes.end()) return;
  if (std::ranges::find(kStoryTypes, node_type) == kStoryTypes.end()) {
    throw Error(
        ErrorCode::InvalidParamValue,
        "settings of '" + node_type +
            "' cannot be overridden; allowed: Archive, LayeredHistory, Generate, "
            "GenerateAndSpeak, ToolCall");
  }
  if (std::ranges::find(kStoryFields, field) == kStoryFields.end()) {
    throw Error(ErrorCode::InvalidParamValue,
                "a scene cannot override '" + field + "' of " + node_type +
                    "; allowed: history, prompt_caching",
                "set it in the character's graph");
  }
}

AnyNodeParams WithOverrides(const GraphNode& node, const SceneOverrides& overrides) {
  AnyNodeParams params = node.params;
  const auto found = overrides.find(DescriptorOf(params).name);
  if (found == overrides.end()) return params;
  json::object values;
  for (const auto& [field, value] : found->second) {
    values[field] = ParseJson(value, ErrorCode::InvalidParamValue, "override");
  }
  std::vector<GraphProblem> problems;
  ReadParams(values, node.name, params, problems);
  ThrowIfInvalid(problems);
  return params;
}

}  // namespace talefold
