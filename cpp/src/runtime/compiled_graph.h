// A graph made runnable: its nodes with their models, and the rules that need them.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "nodes/node.h"
#include "nodes/summarize.h"
#include "runtime/graph_use.h"

namespace talefold {

// Owned by one agent; same thread rule as its nodes.
class CompiledGraph {
 public:
  // Throws what ValidateGraph and CheckUse find and what the nodes' models say.
  CompiledGraph(GraphDescription description, const NodeEnvironment& environment,
                GraphUse use = GraphUse::Agent);

  const GraphDescription& description() const { return description_; }
  const std::vector<std::unique_ptr<Node>>& nodes() const { return nodes_; }
  Node& start() const { return *Find(description_.start_node()); }
  // nullptr when there is none; UnknownNode from Get.
  Node* Find(std::string_view name) const;
  Node& Get(std::string_view name) const;

  // Where an exit of `node` leads; nullptr = END.
  Node* Next(const Node& node, std::string_view exit) const;

  // Has every node decide where its next prompt starts. What a node cannot decide now
  // is logged, and left to the next turn.
  void PlanTrims(const HistorySource& history, TrimStage& trims, Logger& logger) const;
  // Has every node start to compute how that prompt begins, as far as it can.
  void Prepare() const;

  // Whether a node that writes a reply can run after `node` in the same turn.
  bool ReplyMayFollow(const Node& node) const { return reply_follows_.contains(&node); }
  // Throws an Error of `code` when a node has no room for what is remembered.
  void CheckMemory(const Memory& memory, ErrorCode code) const;
  // Throws InvalidParamValue when a node has no room for the pins and the longest
  // summary of the graph.
  void CheckBudgets(std::span<const Pin> pins) const;

  // The Summarize node called `name`, else the first of the graph, else nullptr.
  SummarizeNode* FindSummarizer(std::string_view name) const;

  // Throws UnknownNode, ParamNotMutable, InvalidParamValue. Returns what the host is
  // still to be asked, if anything: see Node::HostCheck.
  std::function<void()> CheckParams(std::string_view name,
                                    const AnyNodeParams& params) const;
  // Of params that passed the checks. Throws InvalidParamValue when `memory` no longer
  // fits; then nothing has changed.
  void ChangeParams(std::string_view name, const AnyNodeParams& params,
                    const Memory& memory);

 private:
  void LinkExits();
  void FindRepliesThatFollow();
  std::size_t LongestSummary() const;

  GraphDescription description_;
  std::vector<std::unique_ptr<Node>> nodes_;  // in the order of the description
  // (node name, exit name) -> target; exits are structural, so this never changes.
  std::map<std::pair<std::string, std::string>, Node*, std::less<>> targets_;
  std::set<const Node*> reply_follows_;
};

}  // namespace talefold
