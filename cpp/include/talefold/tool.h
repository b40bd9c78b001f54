// Tools that a character may call, as its graph describes them.
#pragma once

#include <string>
#include <vector>

namespace talefold {

enum class ToolParameterType { String, Integer, Number, Boolean };

struct ToolParameter {
  std::string name = {};  // 1 to 64 letters, digits, '_', '-'; unique in its tool
  ToolParameterType type = ToolParameterType::String;
  std::string description = {};  // what the model is told of it; may be empty
  bool required = false;         // a call without it is refused
  // The only values allowed, at most 256; empty = every value of the type. A string
  // stands as it is, a value of any other type as JSON writes it ("3", "0.5", "true").
  std::vector<std::string> enum_values = {};  // `enum` on every other surface

  bool operator==(const ToolParameter&) const = default;
};

struct ToolDescription {
  std::string name = {};  // 1 to 64 letters, digits, '_', '-'; unique among the tools
  std::string description = {};
  std::vector<ToolParameter> parameters = {};  // at most 64

  bool operator==(const ToolDescription&) const = default;
};

// How a model is told of tools, and how it calls them.
enum class ToolCallFormat {
  Auto,     // by the markers in the model's chat template
  Chatml,   // <tool_call>{"name": .., "arguments": {..}}</tool_call>
  Llama3,   // {"name": .., "parameters": {..}}, after <|python_tag|> or not
  Mistral,  // [TOOL_CALLS] [{"name": .., "arguments": {..}}]
  Generic,  // {"tool": .., "arguments": {..}}: for models that were trained on none
};

// Who decides whether a tool is called.
enum class ToolChoice {
  Auto,      // the model: calls or prose
  Required,  // the graph: calls, whenever the player said something
};

}  // namespace talefold
