#include "prompt/projection.h"

#include "prompt/default_texts.h"
#include "prompt/reasoning.h"

namespace talefold {

namespace {

constexpr std::string_view kBlankLine = "\n\n";

void AppendText(Role role, std::string_view text, std::vector<ChatMessage>& messages) {
  if (!text.empty()) messages.push_back({role, std::string(text)});
}

// A paragraph of its own at the end of a text.
void AppendParagraph(std::string_view paragraph, std::string& text) {
  if (!text.empty()) text += kBlankLine;
  text += paragraph;
}

// Each call of one format in one message, its results after it.
void AppendCalls(std::span<const ToolCallComponent> calls,
                 std::vector<ChatMessage>& messages) {
  for (std::size_t i = 0; i < calls.size();) {
    const ToolFormat* format = FindToolFormat(calls[i].format);
    std::vector<ToolCall> made;
    std::vector<ChatMessage> results;
    for (; i < calls.size() && FindToolFormat(calls[i].format) == format; ++i) {
      if (!format || !calls[i].result) continue;
      made.push_back({calls[i].tool_name, calls[i].arguments, {}});
      results.push_back(
          format->ResultMessage(calls[i].tool_name, *calls[i].result).ToChatMessage());
    }
    if (made.empty()) continue;
    messages.push_back(format->CallMessage(made).ToChatMessage());
    messages.insert(messages.end(), results.begin(), results.end());
  }
}

}  // namespace

// Of each pin the further lines indented: none can pass for the start of
// something else.
std::string PinList(std::span<const Pin> pins) {
  std::string list(default_texts::kPinsGuard);
  for (const Pin& pin : pins) {
    list += "\n- ";
    for (const char c : pin.text) {
      list += c;
      if (c == '\n') list += "  ";
    }
  }
  return list;
}

Memory MemoryOf(const HistorySource& history) {
  return {history.pins(), history.newest_summary()};
}

ChatMessage SystemMessage(const Preamble& preamble, const Memory& memory) {
  ChatMessage message{Role::System, std::string(preamble.system_prompt)};
  if (!preamble.tools.empty()) {
    AppendParagraph("", message.text);
    AppendParts(preamble.tools, message);
  }
  if (!memory.pins.empty()) AppendParagraph(PinList(memory.pins), message.text);
  if (memory.summary) {
    AppendParagraph(default_texts::kSummaryGuard, message.text);
    message.text += '\n';
    message.text += memory.summary->text;
  }
  return message;
}

Projection ProjectHistory(const HistorySource& history, std::size_t from,
                          std::size_t end, const Preamble& preamble,
                          const std::optional<ReasoningTags>& reasoning) {
  Projection projection;
  projection.replayed_from = from;
  ChatMessage system = SystemMessage(preamble, MemoryOf(history));
  if (!system.text.empty()) projection.messages.push_back(std::move(system));
  for (std::size_t i = from; i < end; ++i) {
    projection.entry_begin.push_back(projection.messages.size());
    const HistoryEntry entry = history.entry(i);
    AppendText(Role::User, entry.user, projection.messages);
    AppendCalls(entry.tool_calls, projection.messages);
    AppendText(Role::Assistant, VisibleText(entry.assistant, reasoning),
               projection.messages);
  }
  projection.entry_begin.push_back(projection.messages.size());
  return projection;
}

void AppendCurrentTurn(const HistoryEntry& current, std::string_view frame,
                       Placement placement, std::vector<ChatMessage>& messages) {
  switch (placement) {
    case Placement::InPlaceOfUser:
      AppendText(Role::User, frame.empty() ? current.user : frame, messages);
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
