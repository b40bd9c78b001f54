// Instruction: attaches a text that templates of later nodes can show.

#include <utility>

#include "nodes/node.h"
#include "nodes/support/attach.h"

namespace talefold {

namespace {

class InstructionNode final : public Node {
 public:
  InstructionNode(std::string name, const InstructionParams& params)
      : Node(std::move(name)), params_(params) {}

  void SetParams(const AnyNodeParams& params) override {
    params_ = std::get<InstructionParams>(params);
  }

  std::string_view Execute(TurnContext& turn) override {
    AttachInstruction(turn, NameOr(params_.instruction_name, name()),
                      params_.instruction);
    return kDefaultExit;
  }

 private:
  InstructionParams params_;
};

}  // namespace

std::unique_ptr<Node> MakeInstruction(std::string name, const InstructionParams& params,
                                      const NodeEnvironment&) {
  return std::make_unique<InstructionNode>(std::move(name), params);
}

void CheckInstruction(const std::string& name, const InstructionParams& params,
                      std::vector<GraphProblem>& problems) {
  CheckOptionalName(name, "instruction_name", params.instruction_name, problems);
}

}  // namespace talefold
