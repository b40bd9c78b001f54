#include "tools/tool_set.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <utility>

#include "base/field_prefix.h"
#include "base/name.h"
#include "base/text.h"

namespace talefold {
namespace {

constexpr std::size_t kMaxTools = 64;
constexpr std::size_t kMaxParameters = 64;
constexpr std::size_t kMaxEnumValues = 256;
constexpr std::int64_t kMaxTextBytes = 64 * 1024;

// Where in the params the text in hand stands.
class Place {
 public:
  Place(std::string_view node, std::string field)
      : node_(node), field_(std::move(field)) {}

  Place operator/(std::string_view name) const {
    return {node_, field_ + "." + std::string(name)};
  }
  Place operator[](std::size_t index) const {
    return {node_, field_ + "[" + std::to_string(index) + "]"};
  }

  [[noreturn]] void Fail(const std::string& what, std::string hint = {}) const {
    throw Error(ErrorCode::InvalidParamValue, FieldPrefix(node_, field_) + what,
                std::move(hint));
  }

 private:
  std::string_view node_;
  std::string field_;
};

void CheckSize(std::size_t size, std::size_t max_size, const Place& place) {
  if (size <= max_size) return;
  place.Fail("has " + std::to_string(size) + " entries; at most " +
             std::to_string(max_size) + " are allowed");
}

void CheckDescription(const std::string& text, const Place& place) {
  try {
    CheckText(text, "the text", kMaxTextBytes);
  } catch (const Error& error) {
    place.Fail(error.message());
  }
}

void CheckName(const std::string& name, std::set<std::string>& taken,
               const Place& place) {
  if (!IsName(name)) {
    place.Fail(DescribeJson(json::string(name)) +
               " is no name: " + std::string(kNameRule));
  }
  if (!taken.insert(name).second) {
    place.Fail("the name \"" + name + "\" occurs twice", "give each its own name");
  }
}

json::value ReadEnumValue(const std::string& text, ToolParameterType type,
                          const Place& place) {
  CheckDescription(text, place);
  if (type == ToolParameterType::String) return json::string(text);
  JsonProblem problem;
  auto value = TryParseJson(text, problem);
  if (value && HasType(*value, type)) return std::move(*value);
  place.Fail(DescribeJson(json::string(text)) + " is no value of type " +
             std::string(ToolParameterTypeName(type)));
}

std::vector<json::value> ReadEnum(const ToolParameter& parameter, const Place& place) {
  CheckSize(parameter.enum_values.size(), kMaxEnumValues, place);
  std::vector<json::value> values;
  for (std::size_t i = 0; i < parameter.enum_values.size(); ++i) {
    json::value value =
        ReadEnumValue(parameter.enum_values[i], parameter.type, place[i]);
    if (std::ranges::find(values, value) != values.end()) {
      place[i].Fail(DescribeJson(value) + " occurs twice");
    }
    values.push_back(std::move(value));
  }
  return values;
}

ToolSchema ReadTool(const ToolDescription& tool, std::set<std::string>& taken,
                    const Place& place) {
  CheckName(tool.name, taken, place / "name");
  CheckDescription(tool.description, place / "description");
  CheckSize(tool.parameters.size(), kMaxParameters, place / "parameters");
  ToolSchema schema{tool.name, tool.description, {}};
  std::set<std::string> parameter_names;
  for (std::size_t i = 0; i < tool.parameters.size(); ++i) {
    const ToolParameter& parameter = tool.parameters[i];
    const Place at = (place / "parameters")[i];
    CheckName(parameter.name, parameter_names, at / "name");
    CheckDescription(parameter.description, at / "description");
    schema.parameters.push_back({parameter.name, parameter.type, parameter.description,
                                 parameter.required, ReadEnum(parameter, at / "enum")});
  }
  return schema;
}

}  // namespace

std::string_view ToolParameterTypeName(ToolParameterType type) {
  switch (type) {
    case ToolParameterType::String:
      return "string";
    case ToolParameterType::Integer:
      return "integer";
    case ToolParameterType::Number:
      return "number";
    case ToolParameterType::Boolean:
      break;
  }
  return "boolean";
}

bool HasType(const json::value& value, ToolParameterType type) {
  switch (type) {
    case ToolParameterType::String:
      return value.is_string();
    case ToolParameterType::Integer:
      return value.is_int64();  // what is larger is uint64, or a double
    case ToolParameterType::Number:
      return value.is_number();
    case ToolParameterType::Boolean:
      break;
  }
  return value.is_bool();
}

ToolSet::ToolSet(std::span<const ToolDescription> tools, std::string_view node) {
  const Place place(node, "tools");
  if (tools.empty()) place.Fail("is empty", "describe at least one tool");
  CheckSize(tools.size(), kMaxTools, place);
  std::set<std::string> names;
  for (std::size_t i = 0; i < tools.size(); ++i) {
    tools_.push_back(ReadTool(tools[i], names, place[i]));
  }
}

const ToolSchema* ToolSet::Find(std::string_view name) const {
  const auto found = std::ranges::find(tools_, name, &ToolSchema::name);
  return found == tools_.end() ? nullptr : &*found;
}

json::object DescribeTool(const ToolSchema& tool) {
  json::object properties;
  json::array required;
  for (const ToolParameterSchema& parameter : tool.parameters) {
    json::object property = {{"type", ToolParameterTypeName(parameter.type)}};
    if (!parameter.description.empty()) {
      property["description"] = parameter.description;
    }
    if (!parameter.allowed.empty()) {
      property["enum"] =
          json::array(parameter.allowed.begin(), parameter.allowed.end());
    }
    properties[parameter.name] = std::move(property);
    if (parameter.required) required.emplace_back(parameter.name);
  }
  json::object schema = {{"type", "object"}, {"properties", std::move(properties)}};
  if (!required.empty()) schema["required"] = std::move(required);
  json::object function = {{"name", tool.name}};
  if (!tool.description.empty()) function["description"] = tool.description;
  function["parameters"] = std::move(schema);
  return {{"type", "function"}, {"function", std::move(function)}};
}

}  // namespace talefold
