// Retrieve: attaches what a knowledge base holds that is near to the player's text.

#include <utility>

#include "nodes/support/attach.h"
#include "nodes/support/diagnostics.h"
#include "nodes/support/filtered_knowledge.h"

namespace talefold {

namespace {

class RetrieveNode final : public Node {
 public:
  RetrieveNode(std::string name, const RetrieveParams& params,
               const NodeEnvironment& environment)
      : Node(std::move(name)),
        knowledge_(this->name(), params.embedded_string_storage, environment) {
    SetParams(params);
  }

  void SetParams(const AnyNodeParams& params) override {
    const auto& changed = std::get<RetrieveParams>(params);
    knowledge_.SetFilter(changed.filter);
    params_ = changed;
  }

  std::string_view skipped_exit() const override { return kNotFoundExit; }

  std::string_view Execute(TurnContext& turn) override {
    KnowledgeComponent found{NameOr(params_.source, name())};
    for (const KnowledgeHit& hit :
         knowledge_.Search(turn.current, static_cast<std::size_t>(params_.top_k),
                           params_.threshold)) {
      const KnowledgeRecord& record = knowledge_.base().records()[hit.record];
      found.chunks.push_back({record.id, record.text, hit.distance});
    }
    const std::string_view exit = found.chunks.empty() ? kNotFoundExit : kFoundExit;
    AttachKnowledge(turn, std::move(found));
    if (turn.diagnostics) {
      Section(*turn.diagnostics, "knowledge")["search_method"] =
          knowledge_.base().search_method();
    }
    return exit;
  }

 private:
  FilteredKnowledge knowledge_;
  RetrieveParams params_;
};

}  // namespace

std::unique_ptr<Node> MakeRetrieve(std::string name, const RetrieveParams& params,
                                   const NodeEnvironment& environment) {
  return std::make_unique<RetrieveNode>(std::move(name), params, environment);
}

void CheckRetrieve(const std::string& name, const RetrieveParams& params,
                   std::vector<GraphProblem>& problems) {
  CheckOptionalName(name, "source", params.source, problems);
  CheckFilterText(name, params.filter, problems);
}

}  // namespace talefold
