#include "memory/scene_history.h"

#include <utility>

#include "scene/message_format.h"

namespace talefold {

namespace {

// What others say while the character is silent is cut into entries of so many lines:
// a prompt leaves out whole entries.
constexpr std::size_t kLinesOfEntry = 8;

void AddLine(std::string_view line, std::string& text) {
  if (line.empty()) return;
  if (!text.empty()) text += '\n';
  text += line;
}

}  // namespace

SceneHistory::SceneHistory(const SceneState& state,
                           std::shared_ptr<const SceneStory> story)
    : story_(std::move(story)) {
  for (const auto& [key, text] : state.notes) notes_.push_back({key, text});
  const auto& messages = story_->messages();
  for (std::size_t i = FirstUncovered(state.timeline, state.memory);
       i < messages.size(); ++i) {
    AddMessage(*messages[i], state.settings.format);
  }
}

void SceneHistory::AddMessage(const Message& message, SceneFormat format) {
  if (!story_->IsShown(message)) return;
  if (message.kind == MessageKind::Character &&
      message.speaker == story_->character()) {
    open_.assistant = message.text;
    CloseEntry(message.id);
    return;
  }
  if (open_lines_ == kLinesOfEntry) CloseEntry(message.id);
  AddLine(FormatMessage(message, format), open_.user);
  ++open_lines_;
}

void SceneHistory::CloseEntry(std::int64_t id) {
  open_.id = id;
  entries_.push_back(std::exchange(open_, {}));
  open_lines_ = 0;
}

HistoryEntry SceneHistory::entry(std::size_t index) const {
  if (index == entries_.size()) {
    return {current_->id, current_->revision, current_->user, current_->assistant,
            current_->tool_calls};
  }
  const Entry& entry = entries_[index];
  return {.id = entry.id, .user = entry.user, .assistant = entry.assistant};
}

}  // namespace talefold
