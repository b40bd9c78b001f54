// The rows that the nodes of a scene's memory share.
#pragma once

#include <vector>

#include "graph/params/nested_params.h"

namespace talefold {

template <>
const EnumDescriptor& EnumDescriptorOf<SummaryMethod>();

template <typename P>
FieldBuilder MemoryModelNameField() {
  return Field("model_name", &P::model_name)
      .Structural()
      .Group("Model")
      .Doc("Model that writes the summaries. Empty = the scene's default model.");
}

template <typename P>
FieldBuilder MemoryContextSizeField() {
  return Field("context_size", &P::context_size)
      .Structural()
      .Min(0)
      .Ui(0, 32768)
      .Group("Model")
      .Doc(
          "Context window of this node, in tokens, at most what the model was trained "
          "for. 0 = 8192, or the model's trained size if that is smaller.");
}

template <typename P>
FieldBuilder MemoryExitField() {
  return Field("default_exit", &P::default_exit)
      .Exit()
      .Doc("Node of the memory graph that runs next. Empty = it ends.");
}

inline ExitDescriptor MemoryExit() {
  return {"default", "default_exit", "Always taken, whether or not there was work."};
}

// Of every memory node; they are events of the scene.
std::vector<EventDescriptor> MemoryEvents();

}  // namespace talefold
