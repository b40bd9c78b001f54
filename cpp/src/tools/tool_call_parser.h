// A model's reply -> the tool calls in it, and what is wrong with them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "tools/tool_call.h"
#include "tools/tool_format.h"
#include "tools/tool_set.h"

namespace talefold {

enum class ToolCallProblemKind {
  Malformed,        // no JSON, or not of the form of a call
  UnknownTool,      // names the tools there are
  MissingArgument,  // a required one
  UnknownArgument,  // names the parameters there are
  WrongType,
  NotInEnum,
  TooManyCalls,  // what follows the 64th is not looked at
};

struct ToolCallProblem {
  ToolCallProblemKind kind;
  std::size_t offset;  // byte of the reply at which the call, or the damage, begins
  std::string message;

  bool operator==(const ToolCallProblem&) const = default;
};

struct ParsedReply {
  std::vector<ToolCall> calls;  // the valid ones, in order
  // At most one for each call; a call with one is not among `calls`.
  std::vector<ToolCallProblem> problems;
  // What is no call, without white space around it. With neither calls nor problems the
  // reply is plain prose, which is as good an answer as any.
  std::string prose;
};

// Reads what the model itself wrote: nobody else's text is to be passed here. Never
// throws for any bytes, and takes time in proportion to the reply. A marker need not be
// there: vocabularies that have it as a control token leave it out of the reply's text.
ParsedReply ParseToolCalls(std::string_view reply, const ToolFormat& format,
                           const ToolSet& tools);

}  // namespace talefold
