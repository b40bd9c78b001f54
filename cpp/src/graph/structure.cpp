// Checks of a whole graph: names, the start node, where exits lead.
#include <algorithm>
#include <deque>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/text.h"
#include "graph/descriptor.h"

namespace talefold {

namespace {

constexpr std::size_t kMaxNameBytes = 64;

GraphProblem StructureProblem(std::string_view node, std::string message,
                              std::string hint = {}) {
  return {.code = ErrorCode::GraphCompilationFailed,
          .is_warning = false,
          .node = std::string(node),
          .field = "",
          .message = std::move(message),
          .hint = std::move(hint)};
}

bool IsControl(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

// Why a node cannot be called so; empty when it can.
std::string NameFault(const std::string& name) {
  if (name.empty()) return "it must not be empty";
  if (name.size() > kMaxNameBytes) {
    return "it has " + std::to_string(name.size()) + " bytes; allowed 1 to " +
           std::to_string(kMaxNameBytes);
  }
  if (name.find('.') != std::string::npos) {
    return "'.' is not allowed; it separates node and field in keys of texts";
  }
  if (std::any_of(name.begin(), name.end(), IsControl)) {
    return "control characters are not allowed";
  }
  try {
    CheckText(name, "name", kMaxNameBytes);
  } catch (const Error& error) {
    return error.message();
  }
  return "";
}

// Whole code points, about as long as a name may be.
std::string Shortened(const std::string& name) {
  if (name.size() <= kMaxNameBytes) return name;
  std::size_t end = kMaxNameBytes;
  while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xC0) == 0x80) --end;
  return name.substr(0, end) + "...";
}

class StructureChecker {
 public:
  explicit StructureChecker(const GraphDescription& graph) : graph_(graph) {
    for (const GraphNode& node : graph_.nodes()) names_.push_back(node.name);
  }

  std::vector<GraphProblem> Run() {
    if (graph_.nodes().empty()) {
      problems_.push_back(StructureProblem("", "the graph has no nodes"));
      return problems_;
    }
    CheckStartNode();
    for (const GraphNode& node : graph_.nodes()) {
      CheckName(node.name);
      ValidateParams(node.params, node.name, problems_);
      CheckExits(node);
    }
    WarnOfUnreachable();
    return problems_;
  }

 private:
  void CheckStartNode() {
    const std::string& start = graph_.start_node();
    if (start.empty()) {
      problems_.push_back(
          StructureProblem("", "the graph has no start node",
                           "set the start node to one of " + ListNames(names_)));
    } else if (!graph_.FindNode(start)) {
      problems_.push_back(StructureProblem(
          "",
          "start node: there is no node '" + start + "'; allowed: " + ListNames(names_),
          DidYouMean(start, names_)));
    }
  }

  void CheckName(const std::string& name) {
    if (!seen_.insert(name).second) {
      problems_.push_back(StructureProblem(
          name, "node '" + name + "': another node has this name already"));
    }
    const std::string fault = NameFault(name);
    if (fault.empty()) return;
    problems_.push_back(
        StructureProblem(name, "node '" + Shortened(name) + "': bad name: " + fault));
  }

  void CheckExits(const GraphNode& node) {
    for (const auto& [field, target] : ExitTargets(node)) {
      if (target.empty() || graph_.FindNode(target)) continue;
      GraphProblem problem =
          ParamProblem(node.name, field,
                       "there is no node '" + target +
                           "'; allowed: empty (the turn ends), " + ListNames(names_),
                       DidYouMean(target, names_));
      problem.code = ErrorCode::InvalidExitTarget;
      problems_.push_back(std::move(problem));
    }
  }

  void WarnOfUnreachable() {
    const GraphNode* start = graph_.FindNode(graph_.start_node());
    if (!start) return;
    std::set<const GraphNode*> reached{start};
    std::deque<const GraphNode*> queue{start};
    bool reaches_end = false;
    while (!queue.empty()) {
      for (const auto& [field, target] : ExitTargets(*queue.front())) {
        const GraphNode* next = graph_.FindNode(target);
        reaches_end = reaches_end || !next;
        if (next && reached.insert(next).second) queue.push_back(next);
      }
      queue.pop_front();
    }
    if (!reaches_end) {
      problems_.push_back(StructureProblem(
          start->name,
          "no turn can end: every exit that node '" + start->name +
              "' leads to names another node",
          "leave an exit empty (the turn ends) in one of the nodes of the cycle"));
      problems_.back().is_warning = true;
    }
    for (const GraphNode& node : graph_.nodes()) {
      if (reached.contains(&node)) continue;
      problems_.push_back(StructureProblem(
          node.name,
          "node '" + node.name + "' is never reached from start node '" + start->name +
              "'",
          "name it in an exit of another node, or remove it"));
      problems_.back().is_warning = true;
    }
  }

  // Field and target of each exit, in the order of the table.
  static std::vector<std::pair<std::string, std::string>> ExitTargets(
      const GraphNode& node) {
    std::vector<std::pair<std::string, std::string>> targets;
    for (const FieldDescriptor& field : DescriptorOf(node.params).params.fields) {
      if (!field.is_exit) continue;
      const json::value target = field.read(ParamsPointer(node.params));
      targets.emplace_back(field.name, target.get_string());
    }
    return targets;
  }

  const GraphDescription& graph_;
  std::vector<std::string_view> names_;
  std::set<std::string> seen_;
  std::vector<GraphProblem> problems_;
};

std::string WithHint(const GraphProblem& problem) {
  return problem.hint.empty() ? problem.message
                              : problem.message + " (" + problem.hint + ")";
}

}  // namespace

std::vector<GraphProblem> ValidateStructure(const GraphDescription& graph) {
  return StructureChecker(graph).Run();
}

void ThrowIfInvalid(const std::vector<GraphProblem>& problems) {
  std::vector<const GraphProblem*> errors;
  for (const GraphProblem& problem : problems) {
    if (!problem.is_warning) errors.push_back(&problem);
  }
  if (errors.empty()) return;
  const GraphProblem& first = *errors.front();
  if (errors.size() == 1) throw Error(first.code, first.message, first.hint);
  std::string message = std::to_string(errors.size()) + " problems in the graph:";
  for (const GraphProblem* error : errors) message += "\n- " + WithHint(*error);
  throw Error(first.code, message);
}

}  // namespace talefold
