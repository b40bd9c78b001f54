// The GenerateAndSpeak node as data.
#include "graph/params/history_fields.h"
#include "graph/params/speech_fields.h"

namespace talefold {

namespace {

std::vector<KeyDescriptor> Diagnostics() {
  std::vector<KeyDescriptor> keys = HistoryDiagnostics();
  keys.push_back(LeftOutDiagnostics());
  for (KeyDescriptor& key : SpeechDiagnostics()) {
    key.absent_when =
        key.absent_when.empty() ? "the turn failed before" : key.absent_when;
    keys.push_back(std::move(key));
  }
  return keys;
}

}  // namespace

const NodeDescriptor& GenerateAndSpeakDescriptor() {
  using P = GenerateAndSpeakParams;
  static const NodeDescriptor descriptor{
      .type = NodeType::GenerateAndSpeak,
      .name = "GenerateAndSpeak",
      .summary = "Writes the character's reply, and voices it while it is written.",
      .params = {"GenerateAndSpeakParams", "Params of a GenerateAndSpeak node.",
                 JoinFields(
                     {ReplyFields<P>(),
                      SpeechFields<P>(),
                      AdvancedFields<P>(),
                      {Field("default_exit", &P::default_exit)
                           .Exit()
                           .Doc(
                               "Node that runs when the reply has been spoken. Empty = "
                               "the turn ends.")}})},
      .exits = {{"default", "default_exit",
                 "Taken when the reply is complete and spoken."}},
      .diagnostics = Diagnostics(),
      .skip_reasons = {},
      .events = SpeechEvents(),
      .side_effects =
          [] {
            std::vector<std::string> effects = {
                "Stores the reply as the assistant text of the running interaction. Of "
                "a reply that is cut, what was streamed, or without `stream` what "
                "could "
                "be heard.",
                "Sends answer_text events: pieces while the reply is written when "
                "`stream` is on, and a final one when it is complete, though not all "
                "of "
                "it may have been spoken.",
            };
            for (auto& effect : SpeechSideEffects()) effects.push_back(effect);
            for (auto& effect : HistorySideEffects()) effects.push_back(effect);
            return effects;
          }(),
      .make_default = [] { return AnyNodeParams(GenerateAndSpeakParams{}); },
      .check = nullptr,
  };
  return descriptor;
}

}  // namespace talefold
