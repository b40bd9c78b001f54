// The HumanMessageGuardrail node as data.
#include "graph/field_builder.h"

namespace talefold {

const NodeDescriptor& HumanMessageGuardrailDescriptor() {
  using P = HumanMessageGuardrailParams;
  static const NodeDescriptor descriptor{
      .type = NodeType::HumanMessageGuardrail,
      .name = "HumanMessageGuardrail",
      .summary = "Looks for forbidden patterns in the player's text.",
      .params =
          {"HumanMessageGuardrailParams",
           "Params of a HumanMessageGuardrail node.",
           {
               Field("string_storage", &P::string_storage)
                   .Structural()
                   .Group("Content")
                   .Doc("A List of patterns: a name, or the path of a .txt file under "
                        "the engine's storage root. Empty = inline_strings."),
               Field("inline_strings", &P::inline_strings)
                   .Structural()
                   .NonEmpty()
                   .Group("Content")
                   .Doc("Patterns, in place of string_storage: ECMAScript regular "
                        "expressions, which are searched for without regard to case."),
               Field("triggered_exit", &P::triggered_exit)
                   .Exit()
                   .Doc("Node that runs when a pattern was found. Empty = the turn "
                        "ends."),
               Field("not_triggered_exit", &P::not_triggered_exit)
                   .Exit()
                   .Doc("Node that runs when none was. Empty = the turn ends."),
           }},
      .exits = {{"triggered", "triggered_exit",
                 "A pattern was found, or its search was too costly to be finished."},
                {"not_triggered", "not_triggered_exit", "None was found."}},
      .diagnostics = {{"parameters.*",
                       "Every param of the node, as it was in this turn.", ""},
                      {"guardrail.index", "Position of the pattern among all, from 0.",
                       "none was found"},
                      {"guardrail.pattern", "The pattern.", "none was found"},
                      {"guardrail.given_up",
                       "Why its search was not finished; it counts as found.",
                       "the search was finished"}},
      .skip_reasons = {},
      .events = {},
      .side_effects = {"Logs a warning when a search was given up."},
      .make_default = [] { return AnyNodeParams(HumanMessageGuardrailParams{}); },
      .check = nullptr,
  };
  return descriptor;
}

}  // namespace talefold
