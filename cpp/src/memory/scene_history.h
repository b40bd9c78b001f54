// A scene as one of its characters sees it: the source of that character's prompts.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dialog/history.h"
#include "scene/scene_state.h"

namespace talefold {

// Whether the character may know of what these people witnessed: it was among them, or
// nobody knows who was.
bool MayKnow(const std::optional<PresentSet>& present, std::string_view character);

// Entries in the sense of a dialog: what others said and did, then the character's own
// line. What the memory covers is one empty entry that its texts stand for. Copies what
// it shows, and is not changed by what the scene does later.
class SceneHistory final : public HistorySource {
 public:
  // Reads the messages before `end`. `direction`: for this reply alone; may be empty.
  SceneHistory(const SceneState& state, std::string_view character, std::size_t end,
               bool use_layers, std::string_view direction = {});

  // What others said since the character's last line: the text of the turn to come.
  const std::string& open_text() const { return open_.user; }
  // Texts of the memory, the oldest first; what `fits` refuses goes, the oldest first.
  void FitMemory(const std::function<bool(const SummaryComponent&)>& fits);
  // The last entry, kept by the caller.
  void SetCurrent(const Interaction* current) { current_ = current; }

  std::size_t size() const override { return entries_.size() + (current_ ? 1 : 0); }
  HistoryEntry entry(std::size_t index) const override;
  const SummaryComponent* newest_summary() const override {
    return summary_ ? &*summary_ : nullptr;
  }
  std::span<const Pin> pins() const override { return notes_; }

 private:
  struct Entry {
    std::int64_t id = 0;
    std::string user = {};
    std::string assistant = {};
  };
  void ReadMemory(const SceneState& state, std::string_view character, bool use_layers);
  void AddEntry(const SceneMemory& memory, EntryPlace place,
                std::string_view character);
  void AddMessage(const Message& message, std::string_view character,
                  SceneFormat format);
  void CloseEntry(std::int64_t id);
  void UseMemory();

  std::vector<std::string> memory_;  // the intro is among them
  std::optional<SummaryComponent> summary_;
  std::vector<Entry> entries_;
  Entry open_;
  std::size_t open_lines_ = 0;
  std::vector<Pin> notes_;
  const Interaction* current_ = nullptr;
};

}  // namespace talefold
