// A scene's story as one of its characters knows it.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "memory/story_fit.h"
#include "scene/scene_state.h"

namespace talefold {

// Whether the character may know of what these people witnessed: it was among them, or
// nobody knows who was.
bool MayKnow(const std::optional<PresentSet>& present, std::string_view character);

// A value: what the scene does later does not change it. Shares the messages with the
// scene and copies the entries, so that making one takes longer with a longer story,
// but no more than a copy of pointers does.
class SceneStory {
 public:
  struct Entry {
    EntryId id = 0;
    std::string text = {};  // what the character may know of it; may be empty
    StoryTime ts_start = {};
    StoryTime ts_end = {};
    IndexRange sources = {};  // in the level below
  };

  // Reads the messages before `end`. `hint`: one more direction; may be empty.
  SceneStory(const SceneState& state, std::string_view character,
             std::vector<std::string> cast, std::size_t end, bool use_layers,
             std::string_view hint = {});

  const std::string& character() const { return character_; }
  // All characters of the scene, sorted.
  const std::vector<std::string>& cast() const { return cast_; }
  const SceneSettings& settings() const { return settings_; }
  StoryTime start() const { return start_; }
  StoryTime now() const { return now_; }
  const std::vector<Entry>& backstory() const { return backstory_; }
  // What the character was told to do since its last line.
  const std::vector<Message>& directions() const { return directions_; }

  const std::vector<std::shared_ptr<const Message>>& messages() const {
    return messages_;
  }
  bool IsShown(const Message& message) const;
  // Lists of summaries; levels()[0] is of messages.
  const std::vector<std::vector<Entry>>& levels() const { return levels_; }

 private:
  void ReadBase(const SceneState& state);
  void ReadLayers(const SceneMemory& memory);
  void ReadDirections(std::string_view hint);
  Entry MakeEntry(const MemoryEntry& entry, IndexRange sources) const;

  const std::string character_;
  const std::vector<std::string> cast_;
  const SceneSettings settings_;
  const StoryTime start_, now_;
  std::vector<std::shared_ptr<const Message>> messages_;
  std::vector<Entry> backstory_;
  std::vector<std::vector<Entry>> levels_;
  std::vector<Message> directions_;
};

// How a story is written out.
struct StoryLayout {
  SceneFormat format = SceneFormat::Screenplay;
  bool time_labels = true;
  StoryTime labels_at = {};  // when "2 hours ago" is said

  bool operator==(const StoryLayout&) const = default;
};

// The story laid out and counted, as far as somebody asks for it.
class FormattedStory final : public Story {
 public:
  using CountTokens = std::function<std::size_t(const std::string& text)>;

  // Refers to `story`.
  FormattedStory(const SceneStory& story, const StoryLayout& layout,
                 CountTokens count_tokens);

  std::size_t levels() const override { return story_.levels().size() + 1; }
  std::size_t size(std::size_t level) const override;
  StoryItem at(std::size_t level, std::size_t index) const override;
  StoryItem intro() const override;

 private:
  struct Text {
    std::string text;
    std::size_t tokens = 0;
  };
  const Text& Format(std::size_t level, std::size_t index) const;
  std::string EntryText(std::size_t level, const SceneStory::Entry& entry) const;
  Text Count(std::size_t level, std::string text) const;

  const SceneStory& story_;
  const StoryLayout layout_;
  const CountTokens count_tokens_;
  mutable std::vector<std::unordered_map<std::size_t, Text>> texts_;  // by level
  const Text intro_;
};

// What is shown of a story as one text.
std::string JoinStory(const StoryFit& fit);
// What happened before the story, one a line, as the character may know it.
std::string BackstoryList(const SceneStory& story);

}  // namespace talefold
