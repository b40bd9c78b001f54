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

template <>
const EnumDescriptor& EnumDescriptorOf<SceneFormat>() {
  static const EnumDescriptor descriptor{
      "SceneFormat",
      "How a model sees the messages of a scene.",
      {
          Choice(SceneFormat::Screenplay, "screenplay",
                 "The name in capitals, the text below it, and a mark where it ends."),
          Choice(SceneFormat::Chat, "chat", "The name, a colon and the text."),
          Choice(SceneFormat::Narrative, "narrative", "The text alone."),
          Choice(SceneFormat::AiAware, "ai_aware",
                 "As screenplay, and the characters know that they are AI personas."),
      }};
  return descriptor;
}

template <>
const EnumDescriptor& EnumDescriptorOf<PromptCaching>() {
  static const EnumDescriptor descriptor{
      "PromptCaching",
      "Whether the prompts of a scene are laid out so that they begin alike.",
      {
          Choice(PromptCaching::Auto, "auto",
                 "As the model needs it: on with llama.cpp, off with a scripted one."),
          Choice(PromptCaching::On, "on",
                 "The story first, then the character and whatever changes often. What "
                 "is shown of the story stays the same until the budget is full."),
          Choice(PromptCaching::Off, "off",
                 "The character first, then the story, chosen anew for each reply."),
      }};
  return descriptor;
}

template <>
const StructDescriptor& StructDescriptorOf<HistoryParams>() {
  using H = HistoryParams;
  static const StructDescriptor descriptor{
      "HistoryParams",
      "How much of a scene's story a node shows its model.",
      {
          Field("format", &H::format)
              .Group("Format")
              .Doc("How the messages are laid out; unset = as the scene says."),
          Field("max_budget", &H::max_budget)
              .Range(0, 262144)
              .Ui(0, 262144)
              .Group("Budget")
              .Doc("Most tokens that the story may have; 0 = what the context has room "
                   "for."),
          Field("best_fit", &H::best_fit)
              .Group("Budget")
              .Doc("Cover the whole story inside the budget, the older the shorter. "
                   "Off: "
                   "fixed shares, by dialogue_ratio and summary_detail_ratio."),
          Field("min_dialogue", &H::min_dialogue)
              .Range(0, 15)
              .Ui(0, 15)
              .Group("Best fit")
              .Doc("So many of the newest messages are shown even beyond the budget; 0 "
                   "= "
                   "none."),
          Field("max_dialogue", &H::max_dialogue)
              .Range(10, 500)
              .Ui(10, 500)
              .Group("Best fit")
              .Doc("Most messages that are shown word for word; not less than "
                   "min_dialogue."),
          Field("dialogue_ratio", &H::dialogue_ratio)
              .Range(10, 90)
              .Ui(10, 90)
              .Group("Shares")
              .Doc("Percentage of the budget for messages; best_fit does without it."),
          Field("summary_detail_ratio", &H::summary_detail_ratio)
              .Range(10, 90)
              .Ui(10, 90)
              .Group("Shares")
              .Doc("Percentage of what is left for each layer of summaries, the most "
                   "detailed first; best_fit does without it."),
          Field("enforce_summary_boundary", &H::enforce_summary_boundary)
              .Group("Shares")
              .Doc("Do not show messages that were summarized, but for the newest five "
                   "lines; best_fit does without it."),
          Field("time_labels", &H::time_labels)
              .Group("Format")
              .Doc("Say before each summary how long ago it was."),
      }};
  return descriptor;
}

namespace {

constexpr const char* kInScene = "the turn is of a scene";
constexpr const char* kInAgent = "the turn is not of a scene";

}  // namespace

std::vector<KeyDescriptor> HistoryDiagnostics() {
  std::vector<KeyDescriptor> keys = ModelDiagnostics("the model was not asked");
  keys.insert(
      keys.end(),
      {
          {"parameters.reply_reserve_tokens",
           "Tokens of context_size kept free for the reply.", ""},
          {"history.covered_through",
           "Index of the last interaction the summary in the prompt stands for.",
           "the dialog has no summary, or the turn is of a scene"},
          {"history.trimmed_from",
           "Index of the first interaction left out because it did not fit.",
           "none was left out, or the turn is of a scene"},
          {"history.replayed_from",
           "Index of the first interaction the prompt shows word for word.", kInScene},
          {"history.high_water_tokens",
           "Most tokens a prompt may have: context_size less the room kept for "
           "the reply.",
           kInScene},
          {"history.low_water_tokens",
           "Tokens the prompt is brought down to when it has to be trimmed.", kInScene},
          {"story.budget_tokens", "Tokens the story may have.", kInAgent},
          {"story.tokens", "Tokens it has.", kInAgent},
          {"story.messages", "Messages that are shown word for word.", kInAgent},
          {"story.summaries", "Entries of the memory that are shown.", kInAgent},
          {"story.incomplete", "Whether some of the story is in neither.", kInAgent},
          {"story.goes_on",
           "Whether it is what an earlier prompt showed, with what was said since.",
           kInAgent},
          {"story.prompt_caching", "Whether the story stands first in the prompt.",
           kInAgent},
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
      "In a scene, shows in place of the dialog as much of the story as `history` "
      "says, "
      "between two lines of equals signs, and asks for the character's next line; the "
      "scene's notes stand for the pins. A template never stands between the story and "
      "what it begins with when prompt_caching is on.",
      "Holds a KV cache of its own, of context_size tokens.",
  };
}

}  // namespace talefold
