// CannedResponse: one of several fixed lines, without a model.

#include <utility>

#include "base/field_prefix.h"
#include "base/seed.h"
#include "nodes/support/attach.h"
#include "nodes/support/diagnostics.h"
#include "nodes/support/reply.h"
#include "nodes/support/text_source.h"

namespace talefold {

namespace {

LineOrder OrderOf(SelectionStrategy strategy) {
  switch (strategy) {
    case SelectionStrategy::Random:
      return LineOrder::Random;
    case SelectionStrategy::Sequential:
      return LineOrder::Sequential;
    case SelectionStrategy::Shuffle:
      break;
  }
  return LineOrder::Shuffle;
}

class CannedResponseNode final : public Node {
 public:
  CannedResponseNode(std::string name, const CannedResponseParams& params,
                     const NodeEnvironment& environment)
      : Node(std::move(name)),
        lines_(LinesOf(this->name(), params.string_storage, params.inline_strings,
                       environment)),
        params_(params) {
    if (lines_->size() > 0) return;
    throw Error(ErrorCode::InvalidParamValue,
                FieldPrefix(this->name(), "string_storage") + "the storage '" +
                    params.string_storage + "' has no lines",
                "give it at least one line to say");
  }

  bool writes_reply() const override { return params_.output_slot.empty(); }

  void SetParams(const AnyNodeParams& params) override {
    params_ = std::get<CannedResponseParams>(params);
  }

  std::string_view Execute(TurnContext& turn) override {
    auto cursor = turn.lines.find(name());
    if (cursor == turn.lines.end()) {
      const LineCursor fresh{.seed = RandomSeed() >> 11};  // exact in a snapshot's JSON
      cursor = turn.lines.emplace(name(), fresh).first;
    }
    const std::size_t line =
        NextLine(OrderOf(params_.selection_strategy), lines_->size(), cursor->second);
    const std::string& text = lines_->entry(line).text;
    if (turn.diagnostics) {
      json::object& output = Section(*turn.diagnostics, "output");
      output["line"] = line;
      output["text"] = text;
    }
    Deliver(turn, name(), params_.output_slot, text);
    return kDefaultExit;
  }

 private:
  std::shared_ptr<const StringStorage> lines_;
  CannedResponseParams params_;
};

}  // namespace

std::unique_ptr<Node> MakeCannedResponse(std::string name,
                                         const CannedResponseParams& params,
                                         const NodeEnvironment& environment) {
  return std::make_unique<CannedResponseNode>(std::move(name), params, environment);
}

void CheckCannedResponse(const std::string& name, const CannedResponseParams& params,
                         std::vector<GraphProblem>& problems) {
  CheckTextSource(name, params.string_storage, "inline_strings",
                  params.inline_strings.size(), problems);
  CheckOptionalName(name, "output_slot", params.output_slot, problems);
}

}  // namespace talefold
