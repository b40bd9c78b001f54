// The ClassifyIntentLLM node as data.
#include "graph/params/history_fields.h"

namespace talefold {

template <>
const StructDescriptor& StructDescriptorOf<IntentDescription>() {
  static const StructDescriptor descriptor{
      "IntentDescription",
      "Something a player may want.",
      {
          Field("id", &IntentDescription::id)
              .Structural()
              .NonEmpty()
              .Group("Intent")
              .Doc("What later nodes and the host know it by."),
          Field("description", &IntentDescription::description)
              .Structural()
              .Group("Intent")
              .Doc(
                  "What the model is told of it, beside the id. Empty = the id alone."),
      }};
  return descriptor;
}

namespace {

std::vector<FieldDescriptor> Fields() {
  using P = ClassifyIntentLLMParams;
  return {
      ModelNameField<P>(),
      ContextSizeField<P>(),
      Field("system_prompt", &P::system_prompt)
          .Localizable()
          .Multiline()
          .Group("Prompt")
          .Doc("How to classify; the list of intents follows it. Empty = the built-in "
               "instructions."),
      Field("intents", &P::intents)
          .Structural()
          .Group("Behavior")
          .Doc("What the player may want: 1 to 26, each with an id of its own. The "
               "model knows them by the letters A, B, C ..."),
      Field("history_turns", &P::history_turns)
          .Range(0, 64)
          .Ui(0, 8)
          .Group("Prompt")
          .Doc("How many of the newest earlier interactions the model is shown; fewer "
               "where they do not fit."),
      Field("threshold", &P::threshold)
          .Range(0, 1)
          .Ui(0, 1)
          .Group("Behavior")
          .Doc("Least probability of the likeliest intent; those of all intents "
               "together are 1."),
      Field("margin", &P::margin)
          .Range(0, 1)
          .Ui(0, 1)
          .Group("Behavior")
          .Doc("Least lead of the likeliest intent over the second."),
      Field("not_found_intent", &P::not_found_intent)
          .Group("Behavior")
          .Doc("Intention that is attached when none was found. Empty = none."),
      Field("notify_client", &P::notify_client)
          .Group("Output")
          .Doc("Send an event when an intention was found."),
      SamplingField(&P::sampling)
          .Doc("Without effect: no text is generated, and probabilities are the "
               "model's own."),
      ContextField(&P::context),
      AdaptationField(&P::adaptation),
      Field("found_exit", &P::found_exit)
          .Exit()
          .Doc("Node that runs when an intention was found. Empty = the turn ends."),
      Field("not_found_exit", &P::not_found_exit)
          .Exit()
          .Doc("Node that runs when none was. Empty = the turn ends."),
  };
}

std::vector<KeyDescriptor> Diagnostics() {
  const std::string not_asked = "the player said nothing";
  std::vector<KeyDescriptor> keys = PromptDiagnostics(not_asked);
  keys.insert(keys.end(),
              {{"intention.intent", "The intention that was attached.", "none was"},
               {"intention.probabilities[]",
                "Each intent of the node, in the order of its params: `intent` and "
                "`probability`.",
                not_asked + ", or the model failed"},
               {"intention.best", "Probability of the likeliest one.",
                not_asked + ", or the model failed"},
               {"intention.margin", "Its lead over the second.",
                not_asked + ", or the model failed"},
               {"intention.history_turns",
                "Earlier interactions that the model was shown.", not_asked}});
  return keys;
}

}  // namespace

const NodeDescriptor& ClassifyIntentLLMDescriptor() {
  static const NodeDescriptor descriptor{
      .type = NodeType::ClassifyIntentLLM,
      .name = "ClassifyIntentLLM",
      .summary =
          "Finds what the player wants: asks the model which of a list of intents "
          "fits, "
          "and compares the probabilities of the answers without generating one.",
      .params = {"ClassifyIntentLLMParams", "Params of a ClassifyIntentLLM node.",
                 Fields()},
      .exits = {{"found", "found_exit",
                 "The likeliest intent has at least `threshold`, and leads by at least "
                 "`margin`."},
                {"not_found", "not_found_exit",
                 "No intent does, or the player said nothing; the model is not asked "
                 "then."}},
      .diagnostics = Diagnostics(),
      .skip_reasons = {},
      .events = {{"intent",
                  "An intention was found; sent when notify_client is on.",
                  {{"intent", "Its id.", ""},
                   {"probability", "Its probability, a decimal number.", ""}}}},
      .side_effects = {"Attaches the intention to the running interaction, in place of "
                       "an earlier one. It is not replayed in later turns."},
      .make_default = [] { return AnyNodeParams(ClassifyIntentLLMParams{}); },
      .check = nullptr,
  };
  return descriptor;
}

}  // namespace talefold
