// The LayeredHistory node as data.
#include "graph/params/memory_fields.h"

namespace talefold {

namespace {

std::vector<FieldDescriptor> LayeredHistoryFields() {
  using P = LayeredHistoryParams;
  return {
      MemoryModelNameField<P>(),
      MemoryContextSizeField<P>(),
      Field("enabled", &P::enabled)
          .Group("Behavior")
          .Doc("Off: layers are neither written nor used. Turned on late, the next run "
               "takes in the whole story."),
      Field("token_threshold", &P::token_threshold)
          .Min(1)
          .Ui(256, 8192)
          .Group("Behavior")
          .Doc("Tokens of one list that become one entry of the next layer."),
      Field("max_layers", &P::max_layers)
          .Min(1)
          .Ui(1, 5)
          .Group("Behavior")
          .Doc("Most layers above the base entries. Beyond 3 little is left to gain."),
      Field("max_process_tokens", &P::max_process_tokens)
          .Min(1)
          .Ui(256, 8192)
          .Group("Behavior")
          .Doc(
              "A group is summarized in parts of about this many tokens, which are "
              "joined. Above token_threshold it has no effect; set it there for strong "
              "models."),
      Field("chunk_chars", &P::chunk_chars)
          .Min(1)
          .Ui(512, 2048)
          .Group("Behavior")
          .Doc("A request shows its text in chunks of about this many characters, and "
               "asks for a summary of each."),
      Field("analyze", &P::analyze)
          .Group("Prompt")
          .Doc(
              "The model writes an analysis of each chunk first, which is thrown away. "
              "Better summaries, longer replies."),
      Field("max_response_tokens", &P::max_response_tokens)
          .Min(1)
          .Ui(256, 2048)
          .Group("Behavior")
          .Doc("Longest reply, in tokens: the summaries of all chunks of a request, "
               "with "
               "their analysis if there is one."),
      SamplingField(&P::sampling),
      ContextField(&P::context),
      AdaptationField(&P::adaptation),
      MemoryExitField<P>(),
  };
}

}  // namespace

const NodeDescriptor& LayeredHistoryDescriptor() {
  static const NodeDescriptor descriptor{
      .type = NodeType::LayeredHistory,
      .name = "LayeredHistory",
      .summary = "Summarizes the summaries of a scene, layer upon layer.",
      .params = {"LayeredHistoryParams", "Params of a LayeredHistory node.",
                 LayeredHistoryFields()},
      .exits = {MemoryExit()},
      .diagnostics = {},
      .skip_reasons = {},
      .events = MemoryEvents(),
      .side_effects =
          {
              "Works in the memory graph of a scene only; in the graph of an agent or "
              "of "
              "a character it is an error.",
              "Never changes an entry that is there: what is new becomes new entries, "
              "each of at least two of the list below.",
              "A result longer than its source is asked for once more, at half the "
              "length; then the source text itself becomes the entry.",
              "A chunk that the model leaves out is asked for once more; then its own "
              "text stands in the entry.",
              "Holds a KV cache of its own, of context_size tokens.",
          },
      .make_default = [] { return AnyNodeParams(LayeredHistoryParams{}); },
      .check = {},
  };
  return descriptor;
}

}  // namespace talefold
