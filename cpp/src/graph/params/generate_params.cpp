// The Generate node as data.
#include "graph/params/history_fields.h"

namespace talefold {

namespace {

std::vector<KeyDescriptor> Diagnostics() {
  std::vector<KeyDescriptor> keys = HistoryDiagnostics();
  keys.push_back(LeftOutDiagnostics());
  keys.push_back(SlotDiagnostics());
  return keys;
}

}  // namespace

const NodeDescriptor& GenerateDescriptor() {
  using P = GenerateParams;
  static const NodeDescriptor descriptor{
      .type = NodeType::Generate,
      .name = "Generate",
      .summary = "Writes the character's reply to the player.",
      .params = {"GenerateParams", "Params of a Generate node.",
                 JoinFields(
                     {ReplyFields<P>(),
                      {OutputSlotField<P>()},
                      AdvancedFields<P>(),
                      {Field("default_exit", &P::default_exit)
                           .Exit()
                           .Doc("Node that runs after the reply. Empty = the turn "
                                "ends.")}})},
      .exits = {{"default", "default_exit", "Taken when the reply is complete."}},
      .diagnostics = Diagnostics(),
      .skip_reasons = {},
      .events = {},
      .side_effects = ReplySideEffects(),
      .make_default = [] { return AnyNodeParams(GenerateParams{}); },
      .check = nullptr,
  };
  return descriptor;
}

}  // namespace talefold
