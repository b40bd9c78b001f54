// The IntentToInstruction node as data.
#include "graph/field_builder.h"

namespace talefold {

const NodeDescriptor& IntentToInstructionDescriptor() {
  using P = IntentToInstructionParams;
  static const NodeDescriptor descriptor{
      .type = NodeType::IntentToInstruction,
      .name = "IntentToInstruction",
      .summary = "Attaches the instruction that belongs to what the player wants.",
      .params =
          {"IntentToInstructionParams",
           "Params of an IntentToInstruction node.",
           {
               Field("string_storage", &P::string_storage)
                   .Structural()
                   .Group("Content")
                   .Doc("A Map of intentions to instructions: a name, or the path of a "
                        ".json file under the engine's storage root. Empty = "
                        "inline_keys "
                        "and inline_values."),
               Field("inline_keys", &P::inline_keys)
                   .Structural()
                   .NonEmpty()
                   .Group("Content")
                   .Doc("Intentions, in place of string_storage."),
               Field("inline_values", &P::inline_values)
                   .Structural()
                   .Group("Content")
                   .Doc("Their instructions, in the same order."),
               Field("instruction_name", &P::instruction_name)
                   .Group("Behavior")
                   .Doc("Name under which templates find it: instruction_<name>. Empty "
                        "= the node's name."),
               Field("default_exit", &P::default_exit)
                   .Exit()
                   .Doc("Node that runs next. Empty = the turn ends."),
           }},
      .exits = {{"default", "default_exit", "Always taken."}},
      .diagnostics =
          {{"parameters.*", "Every param of the node, as it was in this turn.", ""},
           {"instruction.name", "Name of the instruction.", "nothing was attached"},
           {"instruction.text", "Its text.", "nothing was attached"},
           {"skip_reason", "Why nothing was attached.", "an instruction was"}},
      .skip_reasons = {{"no_intention", "No earlier node of the turn found one.", ""},
                       {"unknown_intent", "It has no instruction.", ""}},
      .events = {},
      .side_effects =
          {"Attaches the instruction to the running interaction, in place of "
           "one of the same name. It is not replayed in later turns.",
           "Logs a warning when there is no instruction to attach, and goes "
           "on."},
      .make_default = [] { return AnyNodeParams(IntentToInstructionParams{}); },
      .check = nullptr,
  };
  return descriptor;
}

}  // namespace talefold
