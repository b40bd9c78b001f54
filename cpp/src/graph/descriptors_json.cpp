// The tables as one JSON document, from which other surfaces are generated.
#include <algorithm>
#include <string>
#include <vector>

#include "graph/descriptor.h"

namespace talefold {

namespace {

std::string_view TypeName(FieldType type) {
  switch (type) {
    case FieldType::Bool:
      return "bool";
    case FieldType::Int:
      return "int";
    case FieldType::Float:
      return "float";
    case FieldType::String:
      return "string";
    case FieldType::Enum:
      return "enum";
    case FieldType::StringList:
      return "string_list";
    case FieldType::Object:
      return "object";
    case FieldType::ObjectList:
      break;
  }
  return "object_list";
}

// Whole numbers without a fraction.
json::value Number(const std::optional<double>& number) {
  if (!number) return nullptr;
  const auto whole = static_cast<std::int64_t>(*number);
  if (static_cast<double>(whole) == *number) return whole;
  return *number;
}

json::value Choices(const EnumDescriptor* enumeration) {
  if (!enumeration) return nullptr;
  json::array names;
  for (const auto& value : enumeration->values)
    names.push_back(json::value(value.name));
  return names;
}

template <typename Items, typename ToJson>
json::array List(const Items& items, ToJson to_json) {
  json::array list;
  for (const auto& item : items) list.push_back(to_json(item));
  return list;
}

// Every key is always there: null, false or empty where it does not apply.
json::value FieldJson(const FieldDescriptor& field) {
  return json::object{
      {"name", field.name},
      {"cpp_name", field.cpp_name},
      {"type", TypeName(field.type)},
      {"enum", field.enumeration ? json::value(field.enumeration->name) : nullptr},
      {"struct", field.object ? json::value(field.object->name) : nullptr},
      {"default", field.default_value},
      {"sparse", field.sparse},
      {"structural", field.structural},
      {"localizable", field.localizable},
      {"multiline", field.multiline},
      {"exit", field.is_exit},
      {"non_empty", field.non_empty},
      {"min", Number(field.min)},
      {"max", Number(field.max)},
      {"ui_min", Number(field.ui_min)},
      {"ui_max", Number(field.ui_max)},
      {"choices", Choices(field.enumeration)},
      {"group", field.group},
      {"doc", field.doc},
  };
}

json::value StructJson(const StructDescriptor& descriptor) {
  return json::object{{"name", descriptor.name},
                      {"doc", descriptor.doc},
                      {"fields", List(descriptor.fields, FieldJson)}};
}

json::value KeyJson(const KeyDescriptor& key) {
  return json::object{
      {"key", key.key}, {"meaning", key.meaning}, {"absent_when", key.absent_when}};
}

json::value ExitJson(const ExitDescriptor& exit) {
  return json::object{{"name", exit.name}, {"field", exit.field}, {"doc", exit.doc}};
}

json::value EventJson(const EventDescriptor& event) {
  return json::object{{"event_type", event.event_type},
                      {"meaning", event.meaning},
                      {"pairs", List(event.pairs, KeyJson)}};
}

json::value NodeJson(const NodeDescriptor* node) {
  return json::object{
      {"name", node->name},
      {"number", static_cast<int>(node->type)},
      {"summary", node->summary},
      {"params", StructJson(node->params)},
      {"exits", List(node->exits, ExitJson)},
      {"diagnostics", List(node->diagnostics, KeyJson)},
      {"skip_reasons", List(node->skip_reasons, KeyJson)},
      {"events", List(node->events, EventJson)},
      {"side_effects", List(node->side_effects,
                            [](const auto& effect) { return json::value(effect); })},
  };
}

json::value EnumJson(const EnumDescriptor* descriptor) {
  return json::object{
      {"name", descriptor->name},
      {"doc", descriptor->doc},
      {"values", List(descriptor->values, [](const auto& value) {
         return json::value(json::object{{"name", value.name}, {"doc", value.doc}});
       })}};
}

json::value ErrorJson(const ErrorInfo& info) {
  return json::object{{"code", static_cast<int>(info.code)},
                      {"name", info.name},
                      {"meaning", info.meaning}};
}

// The enums that occur in a table, in order of first use.
std::vector<const EnumDescriptor*> UsedEnums() {
  std::vector<const EnumDescriptor*> enums;
  const auto collect = [&](const StructDescriptor& descriptor) {
    for (const FieldDescriptor& field : descriptor.fields) {
      const EnumDescriptor* used = field.enumeration;
      if (used && std::find(enums.begin(), enums.end(), used) == enums.end()) {
        enums.push_back(used);
      }
    }
  };
  for (const NodeDescriptor* node : NodeDescriptors()) collect(node->params);
  for (const StructDescriptor* nested : NestedStructDescriptors()) collect(*nested);
  return enums;
}

}  // namespace

std::string DescriptorsJson() {
  return PrettyJson(json::object{
      {"version", 1},
      {"nodes", List(NodeDescriptors(), NodeJson)},
      {"node_diagnostics", List(CommonDiagnostics(), KeyJson)},
      {"structs", List(NestedStructDescriptors(),
                       [](const auto* nested) { return StructJson(*nested); })},
      {"enums", List(UsedEnums(), EnumJson)},
      {"errors", List(ErrorTable(), ErrorJson)},
  });
}

}  // namespace talefold
