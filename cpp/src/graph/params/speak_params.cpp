// The Speak node as data.
#include "graph/params/speech_fields.h"

namespace talefold {

namespace {

std::vector<FieldDescriptor> SpeakFields() {
  std::vector<FieldDescriptor> fields = SpeechFields<SpeakParams>();
  fields.push_back(Field("default_exit", &SpeakParams::default_exit)
                       .Exit()
                       .Doc("Node that runs next. Empty = the turn ends."));
  return fields;
}

std::vector<KeyDescriptor> SpeakDiagnostics() {
  std::vector<KeyDescriptor> keys = SpeechDiagnostics();
  keys.insert(keys.begin(),
              {"parameters.*", "Every param of the node, as it was in this turn.", ""});
  return keys;
}

std::vector<std::string> SpeakSideEffects() {
  std::vector<std::string> effects = SpeechSideEffects();
  effects.push_back(
      "Voices the text that a node last added to the reply in this turn; "
      "without one, nothing.");
  return effects;
}

}  // namespace

const NodeDescriptor& SpeakDescriptor() {
  static const NodeDescriptor descriptor{
      .type = NodeType::Speak,
      .name = "Speak",
      .summary = "Voices what the character said last in this turn.",
      .params = {"SpeakParams", "Params of a Speak node.", SpeakFields()},
      .exits = {{"default", "default_exit", "Always taken, when all has been spoken."}},
      .diagnostics = SpeakDiagnostics(),
      .skip_reasons = {},
      .events = SpeechEvents(),
      .side_effects = SpeakSideEffects(),
      .make_default = [] { return AnyNodeParams(SpeakParams{}); },
      .check = nullptr,
  };
  return descriptor;
}

}  // namespace talefold
