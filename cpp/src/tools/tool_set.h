// The tools of a node, checked.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "talefold/tool.h"

namespace talefold {

struct ToolParameterSchema {
  std::string name;
  ToolParameterType type;
  std::string description;
  bool required;
  std::vector<json::value> allowed;  // values of the type; empty = all of them
};

struct ToolSchema {
  std::string name;
  std::string description;
  std::vector<ToolParameterSchema> parameters;  // in the order of a call's arguments
};

// "string", "integer", "number" or "boolean", as in a JSON Schema.
std::string_view ToolParameterTypeName(ToolParameterType type);

// `value` is of `type`. An integer fits in 64 bits with a sign; an integer is a number,
// but 3.0 is no integer.
bool HasType(const json::value& value, ToolParameterType type);

// Immutable; any thread. Owned by the node that offers the tools.
class ToolSet {
 public:
  // 1 to 64 tools. Throws InvalidParamValue naming `node`, the field
  // ("tools[1].parameters[0].enum[2]"), the value and what is allowed.
  explicit ToolSet(std::span<const ToolDescription> tools, std::string_view node = {});

  const std::vector<ToolSchema>& all() const { return tools_; }
  // nullptr when there is none of this name.
  const ToolSchema* Find(std::string_view name) const;

 private:
  std::vector<ToolSchema> tools_;
};

// What a list of tools shows a model of one of them: {"type": "function", "function":
// {name, description, parameters}}, the parameters as a JSON Schema.
json::object DescribeTool(const ToolSchema& tool);

}  // namespace talefold
