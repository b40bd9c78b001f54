// A scene's story -> ordered chat messages: what a Generate-class node shows its model.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "inference/chat_message.h"
#include "memory/scene_story.h"
#include "prompt/projection.h"

namespace talefold {

// What a prompt shows beside what the scene says of itself. Refers to its texts.
struct ScenePromptParts {
  Preamble persona = {};
  std::span<const Pin> notes = {};
  std::string_view frame = {};  // the node's rendered template
  Placement placement = Placement::BeforeUserAsSystem;
  std::string_view story = {};  // as one text
  std::string_view said = {};   // by the character, earlier in this turn
  SceneFormat format = SceneFormat::Screenplay;
  // The story stands before everything that is the character's own or changes often.
  bool story_first = false;
};

// A system message and a user's, and what was said. Both orders have the same parts:
//
//   story first    system: scene             user: story persona notes frame task
//   story last     system: persona scene notes [frame]   user: story [frame] task
//
// The frame stands before the story where `placement` puts it before the user's text.
std::vector<ChatMessage> ProjectScene(const SceneStory& story,
                                      const ScenePromptParts& parts);

}  // namespace talefold
