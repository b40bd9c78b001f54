// How a reasoning model marks the part of its reply that is no answer.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace talefold {

struct ReasoningTags {
  std::string open;   // "<think>"
  std::string close;  // "</think>"
  // The chat template writes `open` itself, at the end of a prompt.
  bool opened_by_prompt = false;

  bool operator==(const ReasoningTags&) const = default;
};

// The tags in the text of a chat template; nullopt when it knows none. `prompt`: a
// prompt as the template writes it.
std::optional<ReasoningTags> FindReasoningTags(std::string_view chat_template,
                                               std::string_view prompt);

}  // namespace talefold
