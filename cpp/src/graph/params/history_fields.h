// The rows that nodes which replay the dialog share.
#pragma once

#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "graph/params/nested_params.h"

namespace talefold {

template <>
const EnumDescriptor& EnumDescriptorOf<Placement>();

template <>
const EnumDescriptor& EnumDescriptorOf<SceneFormat>();
template <>
const EnumDescriptor& EnumDescriptorOf<PromptCaching>();

template <typename P>
FieldBuilder ModelNameField() {
  return Field("model_name", &P::model_name)
      .Structural()
      .Group("Model")
      .Doc("Model that this node asks. Empty = the agent's default model.");
}

template <typename P>
FieldBuilder ContextSizeField() {
  return Field("context_size", &P::context_size)
      .Structural()
      .Min(0)
      .Ui(0, 32768)
      .Group("Model")
      .Doc(
          "Context window of this node, in tokens, at most what the model was trained "
          "for. 0 = 4096, or the model's trained size if that is smaller.");
}

template <typename P>
FieldBuilder OutputSlotField() {
  return Field("output_slot", &P::output_slot)
      .Structural()
      .Group("Output")
      .Doc(
          "Name of a slot that takes the text in place of the reply: the player does "
          "not see it, and later nodes of the turn show it as slot_<name>. Empty = "
          "the text is the reply.");
}

// What Generate and GenerateAndSpeak have in common, up to their output.
template <typename P>
std::vector<FieldDescriptor> ReplyFields() {
  return {
      ModelNameField<P>(),
      ContextSizeField<P>(),
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
          .Doc(
              "Mustache template for text added to the current turn: user_message, and "
              "the instructions, knowledge and slots that earlier nodes of the turn "
              "left. Empty = nothing is added."),
      Field("placement", &P::placement)
          .Group("Prompt")
          .Doc("Where the rendered template goes, relative to the player's message."),
      Field("stream", &P::stream)
          .Group("Output")
          .Doc("Send the reply piece by piece while it is written, then once more "
               "complete."),
  };
}

// What of a scene's story the node shows, and where.
template <typename P>
std::vector<FieldDescriptor> StoryFields() {
  return {Field("prompt_caching", &P::prompt_caching)
              .Group("History")
              .Doc("Whether the prompts of a scene put the story before the character, "
                   "so that all characters who know the same share its place in the KV "
                   "cache."),
          Field("history", &P::history)
              .Group("History")
              .Doc("How much of a scene's story the prompts show.")};
}

// sampling, context and adaptation, and before them those of a story.
template <typename P>
std::vector<FieldDescriptor> AdvancedFields() {
  std::vector<FieldDescriptor> fields = StoryFields<P>();
  fields.insert(fields.end(), {SamplingField(&P::sampling), ContextField(&P::context),
                               AdaptationField(&P::adaptation)});
  return fields;
}

inline std::vector<FieldDescriptor> JoinFields(
    std::vector<std::vector<FieldDescriptor>> lists) {
  std::vector<FieldDescriptor> all;
  for (auto& list : lists) {
    all.insert(all.end(), std::make_move_iterator(list.begin()),
               std::make_move_iterator(list.end()));
  }
  return all;
}

// Of ModelDiagnostics and of the window of replayed history.
std::vector<KeyDescriptor> HistoryDiagnostics();
// Of nodes with `template`.
KeyDescriptor LeftOutDiagnostics();
// Of nodes with `output_slot`.
KeyDescriptor SlotDiagnostics();
// What every node that replays history does besides its own.
std::vector<std::string> HistorySideEffects();
// Those, and what writing the reply does.
std::vector<std::string> ReplySideEffects();

}  // namespace talefold
