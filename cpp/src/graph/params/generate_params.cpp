// The Generate node as data.
#include "graph/params/nested_params.h"

namespace talefold {

template <>
const EnumDescriptor& EnumDescriptorOf<Placement>() {
  static const EnumDescriptor descriptor{
      "Placement",
      "Where a rendered template goes, relative to the player's message.",
      {
          Choice(Placement::InPlaceOfUser, "in_place_of_user",
                 "Replaces the player's message; the template must use user_message."),
          Choice(Placement::BeforeUserAsUser, "before_user_as_user",
                 "A user message before the player's."),
          Choice(Placement::BeforeUserAsSystem, "before_user_as_system",
                 "A system message before the player's."),
          Choice(Placement::AfterUserAsUser, "after_user_as_user",
                 "A user message after the player's."),
          Choice(Placement::AfterUserAsSystem, "after_user_as_system",
                 "A system message after the player's."),
      }};
  return descriptor;
}

namespace {

std::vector<FieldDescriptor> GenerateFields() {
  using P = GenerateParams;
  return {
      Field("model_name", &P::model_name)
          .Structural()
          .Group("Model")
          .Doc("Model that writes the reply. Empty = the agent's default model."),
      Field("context_size", &P::context_size)
          .Structural()
          .Min(0)
          .Ui(0, 32768)
          .Group("Model")
          .Doc(
              "Context window of this node, in tokens, at most what the model was "
              "trained for. 0 = 4096, or the model's trained size if that is smaller."),
      Field("system_prompt", &P::system_prompt)
          .Localizable()
          .Multiline()
          .Group("Prompt")
          .Doc("Who the character is and how it talks. Empty = no system prompt."),
      Field("template", &P::template_text)
          .CppName("template_text")
          .Localizable()
          .Multiline()
          .Group("Prompt")
          .Doc("Mustache template for text added to the current turn; the tag "
               "user_message is the player's text. Empty = nothing is added."),
      Field("placement", &P::placement)
          .Group("Prompt")
          .Doc("Where the rendered template goes, relative to the player's message."),
      Field("stream", &P::stream)
          .Group("Output")
          .Doc("Send the reply piece by piece while it is written, then once more "
               "complete."),
      SamplingField(&P::sampling),
      ContextField(&P::context),
      AdaptationField(&P::adaptation),
      Field("default_exit", &P::default_exit)
          .Exit()
          .Doc("Node that runs after the reply. Empty = the turn ends."),
  };
}

std::vector<KeyDescriptor> GenerateDiagnostics() {
  std::vector<KeyDescriptor> keys = ModelDiagnostics("the model was not asked");
  keys.insert(
      keys.end(),
      {
          {"parameters.reply_reserve_tokens",
           "Tokens of context_size kept free for the reply.", ""},
          {"history.covered_through",
           "Index of the last interaction the summary in the prompt stands for.",
           "the dialog has no summary"},
          {"history.trimmed_from",
           "Index of the first interaction left out because it did not fit.",
           "none was left out"},
          {"history.replayed_from",
           "Index of the first interaction the prompt shows word for word.", ""},
          {"history.high_water_tokens",
           "Most tokens a prompt may have: context_size less the room kept for "
           "the reply.",
           ""},
          {"history.low_water_tokens",
           "Tokens the prompt is brought down to when it has to be trimmed.", ""},
      });
  return keys;
}

}  // namespace

const NodeDescriptor& GenerateDescriptor() {
  static const NodeDescriptor descriptor{
      .type = NodeType::Generate,
      .name = "Generate",
      .summary = "Writes the character's reply to the player.",
      .params = {"GenerateParams", "Params of a Generate node.", GenerateFields()},
      .exits = {{"default", "default_exit", "Taken when the reply is complete."}},
      .diagnostics = GenerateDiagnostics(),
      .skip_reasons = {},
      .events = {},
      .side_effects =
          {
              "Stores the reply as the assistant text of the running interaction.",
              "Sends answer_text events: pieces while the reply is written when "
              "`stream` "
              "is on, and always a final one with the complete reply.",
              "Adds the tokens it generates to the turn's tokens_generated.",
              "Shows the newest summary of the dialog at the end of the system "
              "message, "
              "marked as data, and replays only the interactions after it.",
              "Leaves the oldest interactions out of its prompt when they do not fit; "
              "they stay in the dialog and can still be summarized.",
              "Holds a KV cache of its own, of context_size tokens.",
          },
      .make_default = [] { return AnyNodeParams(GenerateParams{}); },
      .check = nullptr,
  };
  return descriptor;
}

}  // namespace talefold
