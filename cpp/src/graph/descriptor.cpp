#include "graph/descriptor.h"

#include <algorithm>
#include <cstddef>

#include "base/field_prefix.h"

namespace talefold {

#define TALEFOLD_NODE(Name, number) const NodeDescriptor& Name##Descriptor();
#include "talefold/node_types.def"
#undef TALEFOLD_NODE

const FieldDescriptor* StructDescriptor::Find(std::string_view field) const {
  const auto found = std::find_if(fields.begin(), fields.end(),
                                  [&](const auto& row) { return row.name == field; });
  return found == fields.end() ? nullptr : &*found;
}

const std::vector<const NodeDescriptor*>& NodeDescriptors() {
  static const std::vector<const NodeDescriptor*> descriptors{
#define TALEFOLD_NODE(Name, number) &Name##Descriptor(),
#include "talefold/node_types.def"
#undef TALEFOLD_NODE
  };
  return descriptors;
}

const NodeDescriptor& DescriptorOf(const AnyNodeParams& params) {
  // The variant and the registry have the same order.
  if (params.index() >= NodeDescriptors().size()) {
    throw Error(ErrorCode::InvalidArgument, "these params are of no node type");
  }
  return *NodeDescriptors()[params.index()];
}

const NodeDescriptor* FindNodeDescriptor(std::string_view type_name) {
  for (const NodeDescriptor* descriptor : NodeDescriptors()) {
    if (descriptor->name == type_name) return descriptor;
  }
  return nullptr;
}

const std::vector<KeyDescriptor>& CommonDiagnostics() {
  static const std::vector<KeyDescriptor> keys{
      {"name", "Name of the node in its graph.", ""},
      {"type", "Its node type.", ""},
      {"exit", "The exit it took.", "the node failed"},
      {"wall_ms", "Milliseconds the node took.", ""},
  };
  return keys;
}

void* ParamsPointer(AnyNodeParams& params) {
  return std::visit([](auto& value) -> void* { return &value; }, params);
}

const void* ParamsPointer(const AnyNodeParams& params) {
  return std::visit([](const auto& value) -> const void* { return &value; }, params);
}

GraphProblem ParamProblem(std::string_view node, std::string_view field,
                          std::string_view what, std::string hint) {
  return {.code = ErrorCode::InvalidParamValue,
          .is_warning = false,
          .node = std::string(node),
          .field = std::string(field),
          .message = FieldPrefix(node, field) + std::string(what),
          .hint = std::move(hint)};
}

GraphProblem ParamWarning(std::string_view node, std::string_view field,
                          std::string_view what, std::string hint) {
  GraphProblem problem = ParamProblem(node, field, what, std::move(hint));
  problem.is_warning = true;
  return problem;
}

std::string DidYouMean(std::string_view name,
                       const std::vector<std::string_view>& known) {
  const std::string_view closest = ClosestName(name, known);
  return closest.empty() ? "" : "did you mean '" + std::string(closest) + "'?";
}

std::string DescribeFound(const json::value& value) {
  std::string found(JsonTypeName(value));
  if (!value.is_structured() && !value.is_null()) found += " " + DescribeJson(value);
  return found;
}

}  // namespace talefold
