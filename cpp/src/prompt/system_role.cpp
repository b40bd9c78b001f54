#include "prompt/system_role.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace talefold {

namespace {

constexpr std::string_view kProbe = "talefold0probe";
constexpr std::string_view kOther = "talefold0other";

// What joins two texts in one message.
constexpr std::string_view kBreak = "\n\n";

// The template's text after the last message; nullopt when that one is not shown there.
std::optional<std::string> EndAfterProbe(const Model& model,
                                         std::span<const ChatMessage> messages) {
  const std::string text = model.RenderTemplate(messages);
  const std::size_t at = text.rfind(kProbe);
  if (at == text.npos) return std::nullopt;
  std::string end = text.substr(at + kProbe.size());
  if (end.find(kOther) != end.npos) return std::nullopt;
  return end;
}

bool ShowsBeforeUser(const Model& model, std::vector<ChatMessage> messages) {
  messages.push_back({Role::System, std::string(kProbe)});
  messages.push_back({Role::User, std::string(kOther)});
  const std::string text = model.RenderTemplate(messages);
  const std::size_t at = text.find(kProbe);
  return at != text.npos && text.rfind(kOther) > at;
}

bool ShowsAlone(const Model& model, std::vector<ChatMessage> messages) {
  const std::string probe(kProbe);
  const auto opening =
      EndAfterProbe(model, std::vector<ChatMessage>{{Role::User, probe}});
  messages.push_back({Role::System, probe});
  const auto end = EndAfterProbe(model, messages);
  return opening && end && end->ends_with(*opening);
}

// Whether the next message that is no system message is the user's.
bool UserFollows(std::span<const ChatMessage> messages, std::size_t i) {
  const auto rest = messages.subspan(i);
  const auto next = std::ranges::find_if(
      rest, [](const auto& message) { return message.role != Role::System; });
  return next != rest.end() && next->role == Role::User;
}

// Adds `text` and what is marked in it to the end of `message`.
void AppendTo(ChatMessage& message, std::string_view joint, const ChatMessage& text) {
  if (!message.text.empty()) message.text += joint;
  const std::size_t shift = message.text.size();
  message.text += text.text;
  for (const TextSpan& marker : text.markers) {
    message.markers.push_back({marker.begin + shift, marker.end + shift});
  }
}

}  // namespace

SystemRole ProbeSystemRole(const Model& model) {
  const std::string other(kOther);
  const std::vector<ChatMessage> user = {{Role::User, other}};
  const std::vector<ChatMessage> exchange = {{Role::User, other},
                                             {Role::Assistant, other}};
  return {.first = ShowsBeforeUser(model, {}),
          .first_alone = ShowsAlone(model, {}),
          .later = ShowsBeforeUser(model, exchange),
          .later_alone = ShowsAlone(model, user)};
}

MergedMessages MergeSystemMessages(std::span<const ChatMessage> messages,
                                   const SystemRole& role) {
  MergedMessages merged;
  ChatMessage pending;  // system text that waits for the message of the user after it
  bool first = true;    // no other message was met yet
  for (std::size_t i = 0; i < messages.size(); ++i) {
    const ChatMessage& message = messages[i];
    merged.begin.push_back(merged.messages.size());
    const bool is_system = message.role == Role::System;
    first = first && is_system;
    const bool user_follows = is_system && UserFollows(messages, i);
    const bool allowed = first ? (user_follows ? role.first : role.first_alone)
                               : (user_follows ? role.later : role.later_alone);
    if (!is_system || allowed) {
      merged.messages.push_back(std::exchange(pending, {}));
      merged.messages.back().role = message.role;
      AppendTo(merged.messages.back(), kBreak, message);
    } else if (user_follows) {
      AppendTo(pending, kBreak, message);
    } else if (!merged.messages.empty() && merged.messages.back().role == Role::User) {
      AppendTo(merged.messages.back(), kBreak, message);
    } else {
      merged.messages.push_back({Role::User, message.text, message.markers});
    }
  }
  return merged;
}

}  // namespace talefold
