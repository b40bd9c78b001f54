// The past of a character in a scene: its story, and for nodes that look at turns alone
// what was said since the newest summary.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "dialog/history.h"
#include "memory/scene_story.h"
#include "scene/scene_state.h"

namespace talefold {

// Entries in the sense of a dialog: what others said and did, then the character's own
// line. Copies what it shows, and is not changed by what the scene does later.
class SceneHistory final : public HistorySource {
 public:
  SceneHistory(const SceneState& state, std::shared_ptr<const SceneStory> story);

  // What others said since the character's last line: the text of the turn to come.
  const std::string& open_text() const { return open_.user; }
  // The last entry, kept by the caller.
  void SetCurrent(const Interaction* current) { current_ = current; }

  std::size_t size() const override { return entries_.size() + (current_ ? 1 : 0); }
  HistoryEntry entry(std::size_t index) const override;
  const SummaryComponent* newest_summary() const override { return nullptr; }
  std::span<const Pin> pins() const override { return notes_; }
  const SceneStory* story() const override { return story_.get(); }

 private:
  struct Entry {
    std::int64_t id = 0;
    std::string user = {};
    std::string assistant = {};
  };
  void AddMessage(const Message& message, SceneFormat format);
  void CloseEntry(std::int64_t id);

  const std::shared_ptr<const SceneStory> story_;
  std::vector<Entry> entries_;
  Entry open_;
  std::size_t open_lines_ = 0;
  std::vector<Pin> notes_;
  const Interaction* current_ = nullptr;
};

}  // namespace talefold
