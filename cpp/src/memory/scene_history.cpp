#include "memory/scene_history.h"

#include <algorithm>
#include <utility>

#include "memory/gradient.h"
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

bool IsShown(const Message& message, std::string_view character) {
  if (message.hidden) return false;
  const bool is_own = message.speaker == character;
  if (message.kind == MessageKind::Director) return is_own;
  return (is_own && message.kind == MessageKind::Character) ||
         MayKnow(message.present, character);
}

}  // namespace

bool MayKnow(const std::optional<PresentSet>& present, std::string_view character) {
  return !present || present->empty() ||
         std::ranges::binary_search(*present, character);
}

SceneHistory::SceneHistory(const SceneState& state, std::string_view character,
                           std::size_t end, bool use_layers,
                           std::string_view direction) {
  for (const auto& [key, text] : state.notes) notes_.push_back({key, text});
  ReadMemory(state, character, use_layers);
  for (std::size_t i = FirstUncovered(state.timeline, state.memory); i < end; ++i) {
    AddMessage(state.timeline.at(i), character, state.settings.format);
  }
  if (direction.empty()) return;
  Message message;
  message.kind = MessageKind::Director;
  message.speaker = character;
  message.text = direction;
  AddLine(FormatMessage(message, state.settings.format), open_.user);
}

void SceneHistory::ReadMemory(const SceneState& state, std::string_view character,
                              bool use_layers) {
  if (!HasSummaries(state.memory) && !state.settings.intro.empty()) {
    memory_.push_back(state.settings.intro);
  }
  std::vector<EntryPlace> places;
  if (use_layers) {
    places = CompileGradient(state.memory);
  } else {
    for (std::size_t i = 0; i < state.memory.base.size(); ++i) places.push_back({0, i});
  }
  for (const EntryPlace place : places) AddEntry(state.memory, place, character);
  if (memory_.empty()) return;
  entries_.emplace_back();
  UseMemory();
}

// What the character may know of an entry: the whole, or of what it was made from what
// it witnessed.
void SceneHistory::AddEntry(const SceneMemory& memory, EntryPlace place,
                            std::string_view character) {
  const IndexRange range = place.layer == 0 ? IndexRange{place.index, place.index + 1}
                                            : BaseRange(memory, place);
  std::vector<std::string> known;
  for (std::size_t i = range.begin; i < range.end; ++i) {
    const MemoryEntry& entry = memory.base[i];
    if (MayKnow(entry.present, character)) known.push_back(entry.text);
  }
  if (known.size() == range.size()) known = {EntryAt(memory, place).text};
  memory_.insert(memory_.end(), known.begin(), known.end());
}

void SceneHistory::UseMemory() {
  SummaryComponent summary;
  for (const std::string& text : memory_) {
    if (!summary.text.empty()) summary.text += "\n\n";
    summary.text += text;
  }
  summary.covered_through = 0;
  summary_ = std::move(summary);
}

void SceneHistory::FitMemory(const std::function<bool(const SummaryComponent&)>& fits) {
  while (summary_ && memory_.size() > 1 && !fits(*summary_)) {
    memory_.erase(memory_.begin());
    UseMemory();
  }
}

void SceneHistory::AddMessage(const Message& message, std::string_view character,
                              SceneFormat format) {
  if (!IsShown(message, character)) return;
  if (message.kind == MessageKind::Character && message.speaker == character) {
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
