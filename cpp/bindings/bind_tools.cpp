#include <tuple>
#include <vector>

#include "bind.h"
#include "convert.h"
#include "tools/tool_call_parser.h"
#include "tools/tool_grammar.h"

namespace talefold::python {

namespace {

// name, type, description, required, enum
using ParameterArgument = std::tuple<Text, Text, Text, bool, std::vector<Text>>;
// name, description, parameters
using ToolArgument = std::tuple<Text, Text, std::vector<ParameterArgument>>;

ToolParameterType TypeFromName(std::string_view name) {
  using enum ToolParameterType;
  for (const ToolParameterType type : {String, Integer, Number, Boolean}) {
    if (name == ToolParameterTypeName(type)) return type;
  }
  throw Error(ErrorCode::InvalidArgument,
              "type of a tool's parameter is \"" + std::string(name) +
                  "\"; allowed are string, integer, number and boolean");
}

ToolSet Tools(const std::vector<ToolArgument>& arguments) {
  std::vector<ToolDescription> tools;
  for (const auto& [name, description, parameters] : arguments) {
    ToolDescription tool{name.utf8, description.utf8, {}};
    for (const auto& [p_name, type, p_description, required, values] : parameters) {
      ToolParameter parameter{
          p_name.utf8, TypeFromName(type.utf8), p_description.utf8, required, {}};
      for (const Text& value : values) parameter.enum_values.push_back(value.utf8);
      tool.parameters.push_back(std::move(parameter));
    }
    tools.push_back(std::move(tool));
  }
  return ToolSet(tools);
}

const ToolFormat& FormatFromName(std::string_view name) {
  using enum ToolCallFormat;
  for (const ToolCallFormat format : {Chatml, Llama3, Mistral, Generic}) {
    if (GetToolFormat(format).name == name) return GetToolFormat(format);
  }
  throw Error(ErrorCode::InvalidArgument,
              "tool_call_format is \"" + std::string(name) +
                  "\"; allowed are chatml, llama3, mistral and generic");
}

std::string Grammar(const std::vector<ToolArgument>& tools, const Text& format,
                    bool allow_prose) {
  return ToolGrammar(Tools(tools), FormatFromName(format.utf8),
                     {.allow_prose = allow_prose});
}

// (name, arguments) of each call, messages of the problems, prose.
py::tuple Parse(const Text& reply, const std::vector<ToolArgument>& tools,
                const Text& format) {
  const ParsedReply parsed =
      ParseToolCalls(reply.utf8, FormatFromName(format.utf8), Tools(tools));
  py::list calls, problems;
  for (const ToolCall& call : parsed.calls) {
    calls.append(py::make_tuple(call.name, call.arguments));
  }
  for (const ToolCallProblem& problem : parsed.problems) {
    problems.append(problem.message);
  }
  return py::make_tuple(calls, problems, parsed.prose);
}

}  // namespace

void BindTools(py::module_& module) {
  using py::arg;

  module.def("tool_grammar", &Grammar, arg("tools"), arg("format"), arg("allow_prose"));
  module.def("parse_tool_calls", &Parse, arg("reply"), arg("tools"), arg("format"));
}

}  // namespace talefold::python
