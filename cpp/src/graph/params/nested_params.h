// Tables of the structs that params of several nodes contain, and the rows every
// model-backed node shares.
#pragma once

#include <string>
#include <vector>

#include "graph/field_builder.h"

namespace talefold {

template <>
const StructDescriptor& StructDescriptorOf<SamplingOverrides>();
template <>
const StructDescriptor& StructDescriptorOf<ContextOverrides>();
template <>
const StructDescriptor& StructDescriptorOf<LoraAdapter>();
template <>
const StructDescriptor& StructDescriptorOf<ModelAdaptation>();
template <>
const StructDescriptor& StructDescriptorOf<HistoryParams>();
template <>
const StructDescriptor& StructDescriptorOf<IntentDescription>();
template <>
const EnumDescriptor& EnumDescriptorOf<KvType>();

template <typename Params>
FieldBuilder SamplingField(SamplingOverrides Params::* member) {
  return Field("sampling", member)
      .Group("Advanced")
      .Doc("Sampling settings of this node; each one left unset is the model's own.");
}

template <typename Params>
FieldBuilder ContextField(ContextOverrides Params::* member) {
  return Field("context", member)
      .Structural()
      .Group("Advanced")
      .Doc("Memory and batching of this node's model context; unset = inherited.");
}

template <typename Params>
FieldBuilder AdaptationField(ModelAdaptation Params::* member) {
  return Field("adaptation", member)
      .Structural()
      .Group("Advanced")
      .Doc("LoRA adapters this node runs the model with; none = the base model.");
}

// Diagnostics keys every model-backed node reports. `absent_when` is the condition
// under which the node did not use its model.
std::vector<KeyDescriptor> ModelDiagnostics(const std::string& absent_when);
// Those about the prompt alone, of a node that generates nothing.
std::vector<KeyDescriptor> PromptDiagnostics(const std::string& absent_when);

}  // namespace talefold
