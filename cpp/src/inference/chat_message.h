// A message of a prompt: a role, and a text that is always data.
#pragma once

#include <string>
#include <string_view>

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

struct ChatMessage {
  Role role = Role::User;
  std::string text;

  bool operator==(const ChatMessage&) const = default;
};

}  // namespace talefold
