#include "prompt/projection.h"

#include "base/json.h"
#include "base/text.h"
#include "prompt/default_texts.h"

namespace talefold {

namespace {

void AppendText(Role role, std::string_view text, std::vector<ChatMessage>& messages) {
  if (!text.empty()) messages.push_back({role, std::string(text)});
}

std::string RenderFrame(const MustacheTemplate* frame, std::string_view user_message) {
  if (!frame) return {};
  // Lists of what earlier nodes of the turn attached; no node attaches any yet.
  const json::object context{{"user_message", user_message},
                             {"instructions", json::array{}},
                             {"knowledge", json::array{}}};
  std::string rendered = frame->Render(context);
  if (TrimWhitespace(rendered).empty()) rendered.clear();
  return rendered;
}

}  // namespace

std::string SystemMessage(std::string_view system_prompt,
                          const SummaryComponent* summary) {
  std::string text(system_prompt);
  if (!summary) return text;
  if (!text.empty()) text += "\n\n";
  text += default_texts::kSummaryGuard;
  text += '\n';
  text += summary->text;
  return text;
}

Projection ProjectHistory(const HistorySource& history, std::size_t from,
                          std::size_t end, std::string_view system_prompt) {
  Projection projection;
  projection.replayed_from = from;
  AppendText(Role::System, SystemMessage(system_prompt, history.newest_summary()),
             projection.messages);
  for (std::size_t i = from; i < end; ++i) {
    projection.entry_begin.push_back(projection.messages.size());
    const HistoryEntry entry = history.entry(i);
    AppendText(Role::User, entry.user, projection.messages);
    AppendText(Role::Assistant, entry.assistant, projection.messages);
  }
  projection.entry_begin.push_back(projection.messages.size());
  return projection;
}

void AppendCurrentTurn(const HistoryEntry& current, const Framing& framing,
                       std::vector<ChatMessage>& messages) {
  const std::string frame = RenderFrame(framing.template_text, current.user);
  switch (framing.placement) {
    case Placement::InPlaceOfUser:
      AppendText(Role::User, frame.empty() ? current.user : std::string_view(frame),
                 messages);
      break;
    case Placement::BeforeUserAsUser:
      AppendText(Role::User, frame, messages);
      AppendText(Role::User, current.user, messages);
      break;
    case Placement::BeforeUserAsSystem:
      AppendText(Role::System, frame, messages);
      AppendText(Role::User, current.user, messages);
      break;
    case Placement::AfterUserAsUser:
      AppendText(Role::User, current.user, messages);
      AppendText(Role::User, frame, messages);
      break;
    case Placement::AfterUserAsSystem:
      AppendText(Role::User, current.user, messages);
      AppendText(Role::System, frame, messages);
      break;
  }
  AppendText(Role::Assistant, current.assistant, messages);
}

}  // namespace talefold
