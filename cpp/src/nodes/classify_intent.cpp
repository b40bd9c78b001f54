// ClassifyIntent: what the player wants is what the nearest record of a knowledge base
// is labelled with.

#include <algorithm>
#include <utility>

#include "base/field_prefix.h"
#include "graph/descriptor.h"
#include "nodes/support/attach.h"
#include "nodes/support/diagnostics.h"
#include "nodes/support/filtered_knowledge.h"

namespace talefold {

namespace {

class ClassifyIntentNode final : public Node {
 public:
  ClassifyIntentNode(std::string name, const ClassifyIntentParams& params,
                     const NodeEnvironment& environment)
      : Node(std::move(name)),
        knowledge_(this->name(), params.embedded_string_storage, environment) {
    SetParams(params);
  }

  void SetParams(const AnyNodeParams& params) override {
    const auto& changed = std::get<ClassifyIntentParams>(params);
    const std::size_t label_field = LabelField(changed.metadata_field);
    knowledge_.SetFilter(changed.filter);
    label_field_ = label_field;
    params_ = changed;
  }

  std::string_view skipped_exit() const override { return kNotFoundExit; }

  std::string_view Execute(TurnContext& turn) override;

 private:
  std::size_t LabelField(const std::string& name) const;
  std::string Label(std::size_t record) const;
  bool IsNear(const KnowledgeHit& hit) const;
  void Report(json::object& diagnostics,
              const std::vector<KnowledgeHit>& nearest) const;

  FilteredKnowledge knowledge_;
  std::size_t label_field_ = 0;
  ClassifyIntentParams params_;
};

std::string_view ClassifyIntentNode::Execute(TurnContext& turn) {
  const int wanted = turn.diagnostics ? params_.diagnostic_topk : 1;
  const std::vector<KnowledgeHit> nearest = knowledge_.Search(
      turn.current, static_cast<std::size_t>(wanted), /*threshold=*/0);
  if (turn.diagnostics) Report(*turn.diagnostics, nearest);
  if (nearest.empty() || !IsNear(nearest.front())) return kNotFoundExit;
  const std::string label = Label(nearest.front().record);
  if (label.empty()) return kNotFoundExit;
  AttachIntention(turn, name(), label);
  if (params_.notify_client) {
    turn.output.EmitAtCommit(
        {name(),
         "intent",
         {{"intent", label},
          {"record", knowledge_.base().records()[nearest.front().record].id}}});
  }
  return kFoundExit;
}

// Throws InvalidParamValue for a field that gives no label.
std::size_t ClassifyIntentNode::LabelField(const std::string& field) const {
  const std::vector<KnowledgeField>& fields = knowledge_.base().config().fields;
  const auto found = knowledge_.base().FindField(field);
  if (found && fields[*found].type != MetadataType::StringSet) return *found;
  std::vector<std::string_view> labels;
  for (const KnowledgeField& each : fields) {
    if (each.type != MetadataType::StringSet) labels.push_back(each.name);
  }
  throw Error(ErrorCode::InvalidParamValue,
              FieldPrefix(name(), "metadata_field") + "'" + field + "' is " +
                  (found ? "a set of strings, which is no label"
                         : "no field of the knowledge base") +
                  "; fields with a label are " +
                  (labels.empty() ? "none" : ListNames(labels)),
              "name the field that holds what the player wants");
}

// Empty when the record has none.
std::string ClassifyIntentNode::Label(std::size_t record) const {
  const json::value value = knowledge_.base().metadata().Value(record, label_field_);
  if (value.is_null()) return {};
  return value.is_string() ? std::string(value.get_string()) : OneLineJson(value);
}

bool ClassifyIntentNode::IsNear(const KnowledgeHit& hit) const {
  // In the precision of distances, as searches compare.
  return params_.threshold == 0 ||
         static_cast<float>(hit.distance) <= static_cast<float>(params_.threshold);
}

void ClassifyIntentNode::Report(json::object& diagnostics,
                                const std::vector<KnowledgeHit>& nearest) const {
  json::array list;
  for (const KnowledgeHit& hit : nearest) {
    list.push_back(json::object{{"id", knowledge_.base().records()[hit.record].id},
                                {"label", Label(hit.record)},
                                {"distance", hit.distance}});
  }
  json::object& report = Section(diagnostics, "intention");
  report["search_method"] = knowledge_.base().search_method();
  report["nearest"] = std::move(list);
}

}  // namespace

std::unique_ptr<Node> MakeClassifyIntent(std::string name,
                                         const ClassifyIntentParams& params,
                                         const NodeEnvironment& environment) {
  return std::make_unique<ClassifyIntentNode>(std::move(name), params, environment);
}

void CheckClassifyIntent(const std::string& name, const ClassifyIntentParams& params,
                         std::vector<GraphProblem>& problems) {
  CheckFilterText(name, params.filter, problems);
}

}  // namespace talefold
