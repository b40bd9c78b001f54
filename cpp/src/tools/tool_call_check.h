// The JSON of one call against the schema of its tool.
#pragma once

#include <cstddef>
#include <string_view>
#include <variant>

#include "tools/tool_call.h"
#include "tools/tool_call_parser.h"

namespace talefold {

// `raw`: what stands in `reply` from byte `offset` on; call `index` of it, counted from
// 0.
std::variant<ToolCall, ToolCallProblem> CheckToolCall(
    std::string_view reply, std::size_t offset, std::string_view raw, std::size_t index,
    const ToolFormat& format, const ToolSet& tools);

}  // namespace talefold
