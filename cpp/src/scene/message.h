// One message of a scene.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scene/story_time.h"
#include "talefold/scene_info.h"

namespace talefold {

// Unique within a scene, never used twice; 0 is none.
using MessageId = std::int64_t;

std::string_view KindName(MessageKind kind);  // "context_investigation"
std::optional<MessageKind> ParseKind(std::string_view name);

// The names of those who take part, sorted, each once.
using PresentSet = std::vector<std::string>;
PresentSet MakePresentSet(std::vector<std::string> names);

// What is wrong with the name of somebody in a story, which stands at the beginning of
// a line where a prompt shows who speaks: "is empty"; empty = nothing.
std::string_view NameProblem(std::string_view name);

struct Message {
  MessageId id = 0;
  std::uint32_t revision = 0;  // grows with every change of the text
  MessageKind kind = MessageKind::Character;
  std::string text = {};
  // Who speaks; of a director's message the character it is meant for. May be empty.
  std::string speaker = {};
  std::string source = {};  // where it comes from; of a note, its title
  std::string meta = {};    // the host's own data, kept as it is
  bool hidden = false;      // not shown to characters; summarized all the same
  // Who was active when it was pushed; unset = unknown, visible to all.
  std::optional<PresentSet> present = {};
  StoryTime duration = {};                 // of a time passage
  std::vector<std::string> versions = {};  // of a reply: texts not shown, oldest first
  std::uint64_t based_on = 0;  // of a reply: the timeline's version that it read

  bool operator==(const Message&) const = default;
};

// Director's messages and notes tell nothing of the story: no summary reads them.
inline bool TellsStory(MessageKind kind) {
  return kind == MessageKind::Character || kind == MessageKind::Narrator ||
         kind == MessageKind::Time;
}

}  // namespace talefold
