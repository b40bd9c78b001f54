// The Instruction node as data.
#include "graph/field_builder.h"

namespace talefold {

const NodeDescriptor& InstructionDescriptor() {
  using P = InstructionParams;
  static const NodeDescriptor descriptor{
      .type = NodeType::Instruction,
      .name = "Instruction",
      .summary = "Attaches an instruction that templates of later nodes can show.",
      .params = {"InstructionParams",
                 "Params of an Instruction node.",
                 {
                     Field("instruction_name", &P::instruction_name)
                         .Group("Behavior")
                         .Doc("Name under which templates find it: instruction_<name>. "
                              "Empty = the node's name."),
                     Field("instruction", &P::instruction)
                         .Localizable()
                         .Multiline()
                         .Group("Behavior")
                         .Doc("The text, shown as it stands."),
                     Field("default_exit", &P::default_exit)
                         .Exit()
                         .Doc("Node that runs next. Empty = the turn ends."),
                 }},
      .exits = {{"default", "default_exit", "Always taken."}},
      .diagnostics = {{"parameters.*",
                       "Every param of the node, as it was in this turn.", ""},
                      {"instruction.name", "Name of the instruction.", ""},
                      {"instruction.text", "Its text.", ""}},
      .skip_reasons = {},
      .events = {},
      .side_effects =
          {"Attaches the instruction to the running interaction, in place of "
           "one of the same name. It is not replayed in later turns."},
      .make_default = [] { return AnyNodeParams(InstructionParams{}); },
      .check = nullptr,
  };
  return descriptor;
}

}  // namespace talefold
