// IntentToInstruction: attaches the instruction that belongs to what the player wants.

#include <utility>

#include "graph/descriptor.h"
#include "nodes/node.h"
#include "nodes/support/attach.h"
#include "nodes/support/text_source.h"

namespace talefold {

namespace {

std::shared_ptr<const StringStorage> Instructions(
    const std::string& node, const IntentToInstructionParams& params,
    const NodeEnvironment& environment) {
  if (!params.string_storage.empty()) {
    return environment.find_storage(node, params.string_storage, StorageKind::Map);
  }
  std::vector<StorageEntry> entries;
  for (std::size_t i = 0; i < params.inline_keys.size(); ++i) {
    entries.push_back({params.inline_keys[i], params.inline_values[i]});
  }
  return StringStorage::Map(std::move(entries),
                            "node '" + node + "', inline_keys and inline_values");
}

class IntentToInstructionNode final : public Node {
 public:
  IntentToInstructionNode(std::string name, const IntentToInstructionParams& params,
                          const NodeEnvironment& environment)
      : Node(std::move(name)),
        instructions_(Instructions(this->name(), params, environment)),
        params_(params) {}

  void SetParams(const AnyNodeParams& params) override {
    params_ = std::get<IntentToInstructionParams>(params);
  }

  std::string_view Execute(TurnContext& turn) override {
    if (!turn.current.intention) {
      Skip(turn, "no_intention", "no earlier node of the turn found an intention");
      return kDefaultExit;
    }
    const std::string& intent = turn.current.intention->intent;
    const auto found = instructions_->Find(intent);
    if (found.empty()) {
      Skip(turn, "unknown_intent", "there is no instruction for '" + intent + "'");
      return kDefaultExit;
    }
    AttachInstruction(turn, NameOr(params_.instruction_name, name()),
                      instructions_->entry(found.front()).text);
    return kDefaultExit;
  }

 private:
  void Skip(TurnContext& turn, std::string_view reason, const std::string& why) const {
    turn.logger.Log(LogLevel::Warning, "intent_to_instruction",
                    "node '" + name() + "': " + why);
    if (turn.diagnostics) (*turn.diagnostics)["skip_reason"] = reason;
  }

  std::shared_ptr<const StringStorage> instructions_;
  IntentToInstructionParams params_;
};

}  // namespace

std::unique_ptr<Node> MakeIntentToInstruction(std::string name,
                                              const IntentToInstructionParams& params,
                                              const NodeEnvironment& environment) {
  return std::make_unique<IntentToInstructionNode>(std::move(name), params,
                                                   environment);
}

void CheckIntentToInstruction(const std::string& name,
                              const IntentToInstructionParams& params,
                              std::vector<GraphProblem>& problems) {
  CheckTextSource(name, params.string_storage, "inline_keys", params.inline_keys.size(),
                  problems);
  if (params.inline_keys.size() != params.inline_values.size()) {
    problems.push_back(
        ParamProblem(name, "inline_values",
                     std::to_string(params.inline_values.size()) + " values for " +
                         std::to_string(params.inline_keys.size()) + " inline_keys",
                     "give each key its value, at the same position"));
  }
  CheckOptionalName(name, "instruction_name", params.instruction_name, problems);
}

}  // namespace talefold
