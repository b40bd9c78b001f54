// Replies with tool calls, read in every format.
#include <algorithm>

#include "base/json.h"
#include "fuzz.h"
#include "tools/tool_call_parser.h"

using namespace talefold;

namespace {

const ToolSet& Tools() {
  using enum ToolParameterType;
  static const ToolSet tools(std::vector<ToolDescription>{
      {"open_door",
       "Opens a door.",
       {{"door", String, "Which.", true, {"cellar", "front \"gate\" \\ü"}},
        {"keep_open", Boolean}}},
      {"pour",
       "",
       {{"drink", String},
        {"cups", Integer, "", true},
        {"price", Number},
        {"size", Integer, "", false, {"1", "2"}}}},
      {"ring-bell"}});
  return tools;
}

void CheckCall(const ToolCall& call, const ToolFormat& format) {
  fuzz::Require(Tools().Find(call.name) != nullptr, "a call is of a known tool");
  JsonProblem problem;
  const auto arguments = TryParseJson(call.arguments, problem);
  fuzz::Require(arguments && arguments->is_object(), "arguments are a JSON object");

  std::string shown;
  for (const MessagePart& part : format.CallMessage({&call, 1}).parts) {
    shown += part.text;
  }
  const ParsedReply again = ParseToolCalls(shown, format, Tools());
  fuzz::Require(again.problems.empty() && again.calls.size() == 1 &&
                    again.calls[0].name == call.name &&
                    again.calls[0].arguments == call.arguments,
                "a call as prompts show it is the same call");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using enum ToolCallFormat;
  const std::string_view reply = fuzz::AsText(data, size);
  for (const ToolCallFormat each : {Chatml, Llama3, Mistral, Generic}) {
    const ToolFormat& format = GetToolFormat(each);
    const ParsedReply parsed = ParseToolCalls(reply, format, Tools());
    for (const ToolCall& call : parsed.calls) CheckCall(call, format);
    for (const ToolCallProblem& problem : parsed.problems) {
      fuzz::Require(problem.offset <= size, "a problem is somewhere in the reply");
    }
    fuzz::Require(parsed.calls.size() + parsed.problems.size() <= 65,
                  "at most 64 calls are looked at");
  }
  return 0;
}
