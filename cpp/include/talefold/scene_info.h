// What a scene tells of its messages and of its memory, as plain values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace talefold {

enum class MessageKind {
  Character,
  Narrator,
  Director,              // an instruction to a character; no part of the story
  Time,                  // a passage of in-story time
  Reinforcement,         // a tracked state of a character, as a note
  ContextInvestigation,  // what was found about the story, as a note
};

// How a model sees the messages of a scene.
enum class SceneFormat {
  Screenplay,
  Chat,
  Narrative,
  AiAware,  // laid out as Screenplay
};

// What holds for the whole scene.
struct SceneSettings {
  std::string intro = {};          // how the story begins
  std::string intention = {};      // what it is meant to do
  std::string writing_style = {};  // of the story and its summaries
  SceneFormat format = SceneFormat::Screenplay;

  bool operator==(const SceneSettings&) const = default;
};

// Times are ISO-8601 durations.
struct SceneMessage {
  std::int64_t id = 0;
  MessageKind kind = MessageKind::Character;
  std::string text = {};
  std::string speaker = {};
  std::string source = {};
  std::string meta = {};
  bool hidden = false;
  std::optional<std::vector<std::string>> present = {};  // unset = unknown
  std::string duration = {};               // of a time passage; else empty
  std::vector<std::string> versions = {};  // texts that are not shown, oldest first
  std::uint64_t based_on = 0;  // of a reply: the timeline's version that it read
};

struct SceneEntry {
  std::int64_t id = 0;
  std::int64_t layer = 0;  // 0 = base
  std::string text = {};
  // First and last source: messages of a base entry, else entries; 0 = none.
  std::int64_t first = 0;
  std::int64_t last = 0;
  std::string ts = {};
  std::string ts_start = {};
  std::string ts_end = {};
  std::optional<std::vector<std::string>> present = {};
  bool is_static = false;
  bool verbatim = false;
  bool out_of_sync = false;
  bool edited = false;
};

// How much one layer of a scene's memory saves.
struct SceneLayerStats {
  std::int64_t layer = 0;  // 0 = base
  std::int64_t source_tokens = 0;
  std::int64_t source_count = 0;  // messages, or entries of the layer below
  std::int64_t tokens = 0;
  std::int64_t count = 0;
  std::int32_t reduction_percent = 0;
};

// One text of the story in a prompt: a message or an entry; id 0 is the intro.
struct ShownText {
  std::int64_t id = 0;
  std::string text = {};  // as the model sees it
  std::int64_t tokens = 0;
};

// Those of one level.
struct StorySection {
  std::int64_t level = 0;  // 0 = messages, 1 = base entries, 2 = the first layer, ...
  std::vector<ShownText> texts = {};  // the oldest first
  std::int64_t tokens = 0;
  std::optional<std::int64_t> budget = {};  // of this level, where each has one
  bool incomplete = false;                  // older content than this was left out
};

// What a character's next prompt shows of the story.
struct StoryReview {
  std::vector<StorySection> sections = {};  // the oldest content first
  std::int64_t tokens = 0;
  std::int64_t budget = 0;
  std::string text = {};  // all of it, as it stands in the prompt
};

// What an entry was made from; one of the two lists is empty.
struct SceneSources {
  std::vector<SceneMessage> messages = {};
  std::vector<SceneEntry> entries = {};
};

}  // namespace talefold
