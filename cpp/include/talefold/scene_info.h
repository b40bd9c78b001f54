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

}  // namespace talefold
