// A message of a prompt: a role, and a text that is data but for marked parts of it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace talefold {

enum class Role { System, User, Assistant };

constexpr std::string_view RoleName(Role role) {
  switch (role) {
    case Role::System:
      return "system";
    case Role::User:
      return "user";
    case Role::Assistant:
      break;
  }
  return "assistant";
}

// Bytes [begin, end) of a message's text.
struct TextSpan {
  std::size_t begin = 0;
  std::size_t end = 0;

  bool operator==(const TextSpan&) const = default;
};

struct ChatMessage {
  Role role = Role::User;
  std::string text = {};
  // What in the text is the engine's own: the markers of tool calls. They become the
  // vocabulary's tokens for them where it has some. Ascending, not overlapping.
  std::vector<TextSpan> markers = {};

  bool operator==(const ChatMessage&) const = default;
};

}  // namespace talefold
