// A character's behaviour as data: nodes, their params, and where each exit leads.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "talefold/error.h"
#include "talefold/node_params.h"

namespace talefold {

struct GraphNode {
  std::string name = {};
  AnyNodeParams params;
};

// Something wrong in a graph. `node` and `field` are empty where they do not apply;
// `field` is a path such as "sampling.top_p". A warning does not stop compilation.
struct GraphProblem {
  ErrorCode code;
  bool is_warning = false;
  std::string node = {};
  std::string field = {};
  std::string message = {};
  std::string hint = {};
};

// A builder and a value: copy it freely, change it until an agent is created from it
// (the agent keeps its own copy). Not thread-safe.
class GraphDescription {
 public:
  // Throws GraphCompilationFailed for an empty or already used name; the graph is then
  // unchanged.
  GraphDescription& AddNode(std::string name, AnyNodeParams params);
#define TALEFOLD_NODE(Name, number)                                    \
  GraphDescription& Add##Name(std::string name, Name##Params params) { \
    return AddNode(std::move(name), AnyNodeParams(std::move(params))); \
  }
#include "talefold/node_types.def"
#undef TALEFOLD_NODE
  GraphDescription& SetStartNode(std::string name);

  const std::vector<GraphNode>& nodes() const { return nodes_; }
  const std::string& start_node() const { return start_node_; }
  // nullptr when there is no such node.
  const GraphNode* FindNode(std::string_view name) const;

  // JSON graph file, two-space indent, fields that equal their default left out.
  std::string ToJson() const;
  // Throws the first problem's code, with every problem in the message.
  static GraphDescription FromJson(std::string_view text);

  // Every non-empty localizable text, keyed "node.field".
  std::map<std::string, std::string> LocalizableStrings() const;
  // Replaces localizable texts by key. An unknown key is InvalidParamValue, and nothing
  // changes.
  void ApplyStrings(const std::map<std::string, std::string>& strings);

 private:
  std::vector<GraphNode> nodes_ = {};
  std::string start_node_ = {};
};

// Checks everything that can be checked without models: structure, ranges, exits,
// templates. Errors first, then warnings.
std::vector<GraphProblem> ValidateGraph(const GraphDescription& graph);

// The same for a graph file's text, including its JSON.
std::vector<GraphProblem> ValidateGraphJson(std::string_view text);

// The descriptor tables of all nodes and error codes as one JSON document: what every
// generated surface is made from.
std::string DescriptorsJson();

}  // namespace talefold
