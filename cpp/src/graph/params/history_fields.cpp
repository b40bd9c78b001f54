#include "graph/params/history_fields.h"

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

std::vector<KeyDescriptor> HistoryDiagnostics() {
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

KeyDescriptor LeftOutDiagnostics() {
  return {"history.left_out[]",
          "What of the turn the template did not show because it did not fit: "
          "knowledge, instructions.",
          "nothing was left out"};
}

KeyDescriptor SlotDiagnostics() {
  return {"output.slot", "The text the slot took.", "output_slot is empty"};
}

std::vector<std::string> ReplySideEffects() {
  std::vector<std::string> effects = {
      "Stores the reply as the assistant text of the running interaction, or in the "
      "slot output_slot.",
      "Sends answer_text events: pieces while the reply is written when `stream` is "
      "on, "
      "and always a final one with the complete reply; none when output_slot is set.",
  };
  for (std::string& effect : HistorySideEffects()) effects.push_back(std::move(effect));
  return effects;
}

std::vector<std::string> HistorySideEffects() {
  return {
      "Adds the tokens it generates to the turn's tokens_generated.",
      "Shows the pins and the newest summary of the dialog at the end of the system "
      "message, marked as data, and replays only the interactions after the summary; "
      "tool calls that have a result are replayed with it.",
      "Leaves the oldest interactions out of its prompt when they do not fit; they "
      "stay "
      "in the dialog and can still be summarized.",
      "Holds a KV cache of its own, of context_size tokens.",
  };
}

}  // namespace talefold
