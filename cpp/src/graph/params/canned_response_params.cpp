// The CannedResponse node as data.
#include "graph/params/history_fields.h"

namespace talefold {

template <>
const EnumDescriptor& EnumDescriptorOf<SelectionStrategy>() {
  static const EnumDescriptor descriptor{
      "SelectionStrategy",
      "Which line comes next.",
      {
          Choice(SelectionStrategy::Random, "random",
                 "Each as likely as any other, every time."),
          Choice(SelectionStrategy::Sequential, "sequential",
                 "First to last, then again."),
          Choice(SelectionStrategy::Shuffle, "shuffle",
                 "At random, every line once before any comes again."),
      }};
  return descriptor;
}

const NodeDescriptor& CannedResponseDescriptor() {
  using P = CannedResponseParams;
  static const NodeDescriptor descriptor{
      .type = NodeType::CannedResponse,
      .name = "CannedResponse",
      .summary = "Says one of several fixed lines; asks no model.",
      .params =
          {"CannedResponseParams",
           "Params of a CannedResponse node.",
           {
               Field("string_storage", &P::string_storage)
                   .Structural()
                   .Group("Content")
                   .Doc("A List of lines: a name, or the path of a .txt file under the "
                        "engine's storage root. Empty = inline_strings."),
               Field("inline_strings", &P::inline_strings)
                   .Structural()
                   .NonEmpty()
                   .Group("Content")
                   .Doc("Lines, in place of string_storage."),
               Field("selection_strategy", &P::selection_strategy)
                   .Group("Behavior")
                   .Doc("Which line comes next."),
               OutputSlotField<P>(),
               Field("default_exit", &P::default_exit)
                   .Exit()
                   .Doc("Node that runs next. Empty = the turn ends."),
           }},
      .exits = {{"default", "default_exit", "Always taken."}},
      .diagnostics = {{"parameters.*",
                       "Every param of the node, as it was in this turn.", ""},
                      {"output.line", "Position of the line among all, from 0.", ""},
                      {"output.text", "The line.", ""},
                      {"output.slot", "The text the slot took.",
                       "output_slot is empty"}},
      .skip_reasons = {},
      .events = {},
      .side_effects =
          {"Stores the line as the assistant text of the running interaction, or in "
           "the "
           "slot output_slot.",
           "Sends a final answer_text event with the line; none when output_slot is "
           "set.",
           "Remembers which lines it has said, each agent on its own; a turn that is "
           "not committed said none."},
      .make_default = [] { return AnyNodeParams(CannedResponseParams{}); },
      .check = nullptr,
  };
  return descriptor;
}

}  // namespace talefold
