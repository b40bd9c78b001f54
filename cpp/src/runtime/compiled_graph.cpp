#include "runtime/compiled_graph.h"

#include <algorithm>
#include <iterator>
#include <type_traits>
#include <utility>

#include "base/catch_error.h"
#include "base/field_prefix.h"
#include "graph/descriptor.h"
#include "prompt/trimmer.h"

namespace talefold {

namespace {

std::unique_ptr<Node> MakeNode(const GraphNode& node,
                               const NodeEnvironment& environment) {
  return std::visit(
      [&](const auto& params) -> std::unique_ptr<Node> {
        using Params = std::decay_t<decltype(params)>;
#define TALEFOLD_NODE(Name, number)                     \
  if constexpr (std::is_same_v<Params, Name##Params>) { \
    return Make##Name(node.name, params, environment);  \
  }
#include "talefold/node_types.def"
#undef TALEFOLD_NODE
        return nullptr;
      },
      node.params);
}

void CheckNode(const GraphNode& node, std::vector<GraphProblem>& problems) {
  std::visit(
      [&](const auto& params) {
        using Params = std::decay_t<decltype(params)>;
#define TALEFOLD_NODE(Name, number)                     \
  if constexpr (std::is_same_v<Params, Name##Params>) { \
    Check##Name(node.name, params, problems);           \
  }
#include "talefold/node_types.def"
#undef TALEFOLD_NODE
      },
      node.params);
}

// A fold that comes after the trim it should prevent. Tokens of different models and
// sizes of 0 are only known when an agent is created: no warning then.
template <typename TalkParams>
void WarnOfLateFold(const GraphNode& talker, const TalkParams& talk,
                    const GraphNode& folder, const SummarizeParams& fold,
                    std::vector<GraphProblem>& problems) {
  if (talk.context_size == 0 || talk.model_name != fold.model_name) return;
  if (fold.trigger_tokens == 0 || fold.trigger_turns > 0) return;
  const std::int32_t reserve =
      talk.sampling.max_tokens.value_or(DefaultReplyReserve(talk.context_size));
  const std::int32_t high_water = talk.context_size - reserve;
  if (fold.trigger_tokens < high_water) return;
  problems.push_back(
      ParamWarning(folder.name, "trigger_tokens",
                   std::to_string(fold.trigger_tokens) + " is not below what node '" +
                       talker.name + "' can show (" + std::to_string(high_water) +
                       " tokens): it trims history before this node folds it",
                   "lower trigger_tokens well below " + std::to_string(high_water) +
                       ", or raise context_size of '" + talker.name + "'"));
}

template <typename TalkParams>
void WarnOfLateFolds(const GraphDescription& graph,
                     std::vector<GraphProblem>& problems) {
  for (const GraphNode& talker : graph.nodes()) {
    const auto* talk = std::get_if<TalkParams>(&talker.params);
    if (!talk) continue;
    for (const GraphNode& folder : graph.nodes()) {
      const auto* fold = std::get_if<SummarizeParams>(&folder.params);
      if (fold) WarnOfLateFold(talker, *talk, folder, *fold, problems);
    }
  }
}

// The nodes of which a value could not be read: what the others say together with its
// default is no news.
std::set<std::string> NodesWithErrors(const std::vector<GraphProblem>& problems) {
  std::set<std::string> names;
  for (const GraphProblem& problem : problems) {
    if (!problem.is_warning) names.insert(problem.node);
  }
  return names;
}

void CheckNodes(const GraphDescription& graph, const std::set<std::string>& left_out,
                std::vector<GraphProblem>& problems) {
  for (const GraphNode& node : graph.nodes()) {
    if (!left_out.contains(node.name)) CheckNode(node, problems);
  }
  WarnOfLateFolds<GenerateParams>(graph, problems);
  WarnOfLateFolds<GenerateAndSpeakParams>(graph, problems);
  WarnOfLateFolds<ToolCallParams>(graph, problems);
  std::stable_partition(
      problems.begin(), problems.end(),
      [](const GraphProblem& problem) { return !problem.is_warning; });
}

void CheckOnlyMutable(std::string_view name, const AnyNodeParams& before,
                      const AnyNodeParams& after) {
  if (before.index() != after.index()) {
    throw Error(ErrorCode::InvalidParamValue,
                "node '" + std::string(name) + "' is of type " +
                    DescriptorOf(before).name +
                    "; it cannot take params of another type");
  }
  for (const FieldDescriptor& field : DescriptorOf(before).params.fields) {
    if (!field.structural) continue;
    const json::value old_value = field.read(ParamsPointer(before));
    const json::value new_value = field.read(ParamsPointer(after));
    if (old_value == new_value) continue;
    throw Error(
        ErrorCode::ParamNotMutable,
        FieldPrefix(name, field.name) + "frozen when the agent was created (" +
            DescribeJson(old_value) + "); cannot become " + DescribeJson(new_value),
        "pass only the fields to change; for this one create a new agent from a "
        "changed graph, to which a snapshot carries the dialog over");
  }
}

GraphDescription WithParams(const GraphDescription& graph, std::string_view name,
                            const AnyNodeParams& params) {
  GraphDescription changed;
  for (const GraphNode& node : graph.nodes()) {
    changed.AddNode(node.name, node.name == name ? params : node.params);
  }
  changed.SetStartNode(graph.start_node());
  return changed;
}

}  // namespace

std::vector<GraphProblem> ValidateGraph(const GraphDescription& graph) {
  std::vector<GraphProblem> problems = ValidateStructure(graph);
  CheckNodes(graph, {}, problems);
  return problems;
}

std::vector<GraphProblem> ValidateGraphJson(std::string_view text) {
  GraphDescription graph;
  std::vector<GraphProblem> problems = ReadGraph(text, graph);
  const std::set<std::string> unread = NodesWithErrors(problems);
  // With a node missing, what points at it would be reported too.
  const bool all_nodes_read =
      std::ranges::none_of(problems, [](const GraphProblem& problem) {
        return problem.code == ErrorCode::GraphCompilationFailed;
      });
  if (all_nodes_read) {
    std::ranges::move(ValidateStructure(graph), std::back_inserter(problems));
  }
  CheckNodes(graph, unread, problems);
  return problems;
}

CompiledGraph::CompiledGraph(GraphDescription description,
                             const NodeEnvironment& environment, GraphUse use)
    : description_(std::move(description)) {
  ThrowIfInvalid(ValidateGraph(description_));
  ThrowIfInvalid(CheckUse(description_, use));
  for (const GraphNode& node : description_.nodes()) {
    nodes_.push_back(MakeNode(node, environment));
  }
  LinkExits();
  FindRepliesThatFollow();
  CheckBudgets({});
}

void CompiledGraph::LinkExits() {
  for (const GraphNode& node : description_.nodes()) {
    const NodeDescriptor& descriptor = DescriptorOf(node.params);
    for (const ExitDescriptor& exit : descriptor.exits) {
      const json::value target =
          descriptor.params.Find(exit.field)->read(ParamsPointer(node.params));
      targets_[{node.name, exit.name}] = Find(target.as_string());
    }
  }
}

// Spreads backwards from the nodes that write replies, until nothing is added.
void CompiledGraph::FindRepliesThatFollow() {
  for (bool added = true; added;) {
    added = false;
    for (const auto& [from, target] : targets_) {
      if (!target) continue;
      if (!target->writes_reply() && !reply_follows_.contains(target)) continue;
      added = reply_follows_.insert(Find(from.first)).second || added;
    }
  }
}

void CompiledGraph::CheckMemory(const Memory& memory, ErrorCode code) const {
  for (const auto& node : nodes_) node->CheckMemory(memory, code);
}

void CompiledGraph::PlanTrims(const HistorySource& history, TrimStage& trims,
                              Logger& logger) const {
  for (const auto& node : nodes_) {
    const auto error = CatchError([&] { node->PlanTrim(history, trims); });
    if (!error) continue;
    logger.Log(LogLevel::Warning, "trimmer",
               "node '" + node->name() + "': trim not planned: " + error->what());
  }
}

void CompiledGraph::Prepare() const {
  for (const auto& node : nodes_) {
    CatchError([&] { node->Prepare(); });  // else the next turn computes it
  }
}

Node* CompiledGraph::Next(const Node& node, std::string_view exit) const {
  return targets_.at({node.name(), std::string(exit)});
}

Node* CompiledGraph::Find(std::string_view name) const {
  const auto found =
      std::find_if(nodes_.begin(), nodes_.end(),
                   [name](const auto& node) { return node->name() == name; });
  return found == nodes_.end() ? nullptr : found->get();
}

Node& CompiledGraph::Get(std::string_view name) const {
  if (Node* node = Find(name)) return *node;
  std::vector<std::string_view> names;
  for (const auto& node : nodes_) names.push_back(node->name());
  throw Error(ErrorCode::UnknownNode, "no node '" + std::string(name) +
                                          "' in the graph; there are " +
                                          ListNames(names));
}

SummarizeNode* CompiledGraph::FindSummarizer(std::string_view name) const {
  SummarizeNode* first = nullptr;
  for (const auto& node : nodes_) {
    auto* summarizer = dynamic_cast<SummarizeNode*>(node.get());
    if (!summarizer) continue;
    if (summarizer->name() == name) return summarizer;
    if (!first) first = summarizer;
  }
  return first;
}

std::function<void()> CompiledGraph::CheckParams(std::string_view name,
                                                 const AnyNodeParams& params) const {
  const Node& node = Get(name);
  CheckOnlyMutable(name, description_.FindNode(name)->params, params);
  ThrowIfInvalid(ValidateGraph(WithParams(description_, name, params)));
  return node.HostCheck(params);
}

void CompiledGraph::ChangeParams(std::string_view name, const AnyNodeParams& params,
                                 const Memory& memory) {
  Node& node = Get(name);
  const AnyNodeParams before = description_.FindNode(name)->params;
  GraphDescription changed = WithParams(description_, name, params);
  node.SetParams(params);
  try {
    CheckBudgets(memory.pins);
    CheckMemory(memory, ErrorCode::InvalidParamValue);
  } catch (...) {
    node.SetParams(before);
    throw;
  }
  description_ = std::move(changed);
}

std::size_t CompiledGraph::LongestSummary() const {
  std::size_t longest = 0;
  for (const auto& node : nodes_) {
    if (const auto* summarizer = dynamic_cast<const SummarizeNode*>(node.get())) {
      longest =
          std::max(longest, static_cast<std::size_t>(summarizer->max_summary_tokens()));
    }
  }
  return longest;
}

void CompiledGraph::CheckBudgets(std::span<const Pin> pins) const {
  const std::size_t longest = LongestSummary();
  for (const auto& node : nodes_) node->CheckBudget(longest, pins);
}

}  // namespace talefold
