// Generate: the character's reply.

#include <utility>

#include "nodes/support/attach.h"
#include "nodes/support/history_node.h"
#include "nodes/support/reply.h"

namespace talefold {

namespace {

class GenerateNode final : public HistoryNode {
 public:
  GenerateNode(std::string name, const GenerateParams& params,
               const NodeEnvironment& environment)
      : HistoryNode(std::move(name), params, environment) {
    SetParams(params);
  }

  bool writes_reply() const override { return params_.output_slot.empty(); }

  void SetParams(const AnyNodeParams& params) override {
    params_ = std::get<GenerateParams>(params);
    UseParams(params_.sampling, TextsOf(params_));
  }

  std::string_view Execute(TurnContext& turn) override;

 private:
  GenerateParams params_;
};

std::string_view GenerateNode::Execute(TurnContext& turn) {
  const bool streams = params_.stream && params_.output_slot.empty();
  std::string streamed;
  const auto on_piece = [&](std::string_view piece) {
    if (!streams || piece.empty()) return;
    streamed += piece;
    turn.output.Emit({name(), std::string(piece), true, false});
  };
  const Generation reply = Ask(turn, {.on_piece = on_piece, .on_cut = [&] {
                                        return KeepInterrupted(turn, streamed);
                                      }});
  if (!turn.stopped) Deliver(turn, name(), params_.output_slot, reply.text);
  return kDefaultExit;
}

}  // namespace

std::unique_ptr<Node> MakeGenerate(std::string name, const GenerateParams& params,
                                   const NodeEnvironment& environment) {
  return std::make_unique<GenerateNode>(std::move(name), params, environment);
}

void CheckGenerate(const std::string& name, const GenerateParams& params,
                   std::vector<GraphProblem>& problems) {
  CheckFrame(name, params.template_text, params.placement, problems);
  CheckOptionalName(name, "output_slot", params.output_slot, problems);
}

}  // namespace talefold
