// The Archive node as data.
#include "graph/params/memory_fields.h"

namespace talefold {

template <>
const EnumDescriptor& EnumDescriptorOf<SummaryMethod>() {
  static const EnumDescriptor descriptor{
      "SummaryMethod",
      "Length and shape of the summaries of a scene.",
      {
          Choice(SummaryMethod::Short, "short", "Key points in 2 to 3 sentences."),
          Choice(SummaryMethod::Balanced, "balanced",
                 "A narrative of 1 to 2 paragraphs."),
          Choice(SummaryMethod::Long, "long",
                 "A detailed narrative of 1 to 3 paragraphs."),
          Choice(SummaryMethod::Facts, "facts",
                 "A numbered list of events in their order, of any length."),
      }};
  return descriptor;
}

namespace {

std::vector<FieldDescriptor> ArchiveFields() {
  using P = ArchiveParams;
  return {
      MemoryModelNameField<P>(),
      MemoryContextSizeField<P>(),
      Field("enabled", &P::enabled)
          .Group("Behavior")
          .Doc("Off: no entries are written; those that are there are still used."),
      Field("token_threshold", &P::token_threshold)
          .Min(1)
          .Ui(512, 64000)
          .Group("Behavior")
          .Doc("An entry ends when its messages have more tokens than this; a time "
               "passage, or a character that comes or goes, ends it earlier."),
      Field("method", &P::method)
          .Group("Prompt")
          .Doc("Length and shape of a summary; layers above are not affected."),
      Field("preceding_summaries", &P::preceding_summaries)
          .Min(0)
          .Ui(0, 24)
          .Group("Prompt")
          .Doc(
              "How many of the newest summaries are shown as earlier chapters. 0 helps "
              "with a model that copies them into the new one."),
      Field("custom_instructions", &P::custom_instructions)
          .Localizable()
          .Multiline()
          .Group("Prompt")
          .Doc("Added to the task: style, focus or form of the summaries."),
      SamplingField(&P::sampling),
      ContextField(&P::context),
      AdaptationField(&P::adaptation),
      MemoryExitField<P>(),
  };
}

}  // namespace

const NodeDescriptor& ArchiveDescriptor() {
  static const NodeDescriptor descriptor{
      .type = NodeType::Archive,
      .name = "Archive",
      .summary = "Summarizes the older messages of a scene, entry after entry.",
      .params = {"ArchiveParams", "Params of an Archive node.", ArchiveFields()},
      .exits = {MemoryExit()},
      .diagnostics = {},
      .skip_reasons = {},
      .events = MemoryEvents(),
      .side_effects =
          {
              "Works in the memory graph of a scene only; in the graph of an agent or "
              "of "
              "a character it is an error.",
              "Adds at most one entry each time the scene's memory graph runs; the "
              "newest message is never taken.",
              "Asks the model up to five times, with another seed each time. Then the "
              "messages themselves are the entry, if they are within token_threshold; "
              "else they wait, and memory_failed says why.",
              "Messages of 64 tokens together or less become an entry as they are.",
              "Holds a KV cache of its own, of context_size tokens.",
          },
      .make_default = [] { return AnyNodeParams(ArchiveParams{}); },
      .check = {},
  };
  return descriptor;
}

}  // namespace talefold
