// A call that a model made in its reply.
#pragma once

#include <string>

namespace talefold {

struct ToolCall {
  std::string name;
  std::string arguments;  // a JSON object, on one line
  std::string raw;        // as the model wrote it: name and arguments, no markers

  bool operator==(const ToolCall&) const = default;
};

}  // namespace talefold
