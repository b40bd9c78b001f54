#include <algorithm>
#include <utility>

#include "graph/descriptor.h"
#include "talefold/graph.h"

namespace talefold {

namespace {

// Where a localizable text is: the node's position and the row of its table.
struct TextPlace {
  std::size_t node;
  const FieldDescriptor* field;
};

std::map<std::string, TextPlace> LocalizableTexts(const std::vector<GraphNode>& nodes) {
  std::map<std::string, TextPlace> places;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    for (const FieldDescriptor& field : DescriptorOf(nodes[i].params).params.fields) {
      if (field.localizable) places[nodes[i].name + "." + field.name] = {i, &field};
    }
  }
  return places;
}

GraphProblem UnknownKey(const std::string& key,
                        const std::map<std::string, TextPlace>& places) {
  std::vector<std::string_view> known;
  for (const auto& [name, place] : places) known.push_back(name);
  return ParamProblem(
      "", key,
      "the graph has no localizable text of this name; allowed: " + ListNames(known),
      DidYouMean(key, known));
}

}  // namespace

GraphDescription& GraphDescription::AddNode(std::string name, AnyNodeParams params) {
  if (name.empty()) {
    throw Error(ErrorCode::GraphCompilationFailed, "a node's name must not be empty");
  }
  if (FindNode(name)) {
    throw Error(ErrorCode::GraphCompilationFailed,
                "node '" + name + "': the graph has a node of this name already",
                "give each node a name of its own");
  }
  if (std::holds_alternative<std::monostate>(params)) {
    throw Error(ErrorCode::GraphCompilationFailed,
                "node '" + name + "': its params are of no node type");
  }
  nodes_.push_back({std::move(name), std::move(params)});
  return *this;
}

GraphDescription& GraphDescription::SetStartNode(std::string name) {
  start_node_ = std::move(name);
  return *this;
}

const GraphNode* GraphDescription::FindNode(std::string_view name) const {
  const auto found = std::find_if(nodes_.begin(), nodes_.end(),
                                  [&](const auto& node) { return node.name == name; });
  return found == nodes_.end() ? nullptr : &*found;
}

std::map<std::string, std::string> GraphDescription::LocalizableStrings() const {
  std::map<std::string, std::string> strings;
  for (const auto& [key, place] : LocalizableTexts(nodes_)) {
    const json::value text =
        place.field->read(ParamsPointer(nodes_[place.node].params));
    if (!text.get_string().empty()) strings.emplace(key, text.get_string());
  }
  return strings;
}

void GraphDescription::ApplyStrings(const std::map<std::string, std::string>& strings) {
  const std::map<std::string, TextPlace> places = LocalizableTexts(nodes_);
  std::vector<GraphNode> changed = nodes_;
  std::vector<GraphProblem> problems;
  for (const auto& [key, text] : strings) {
    const auto place = places.find(key);
    if (place == places.end()) {
      problems.push_back(UnknownKey(key, places));
      continue;
    }
    GraphNode& node = changed[place->second.node];
    ReadStruct(DescriptorOf(node.params).params,
               json::object{{place->second.field->name, text}}, node.name, "",
               ParamsPointer(node.params), problems);
  }
  ThrowIfInvalid(problems);
  nodes_ = std::move(changed);
}

}  // namespace talefold
