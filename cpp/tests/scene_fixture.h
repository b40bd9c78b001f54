// Scenes whose messages have given sizes: 1 character is 1 token.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scene/scene_memory.h"
#include "scene/timeline.h"

namespace talefold {

inline Message Line(std::size_t size, PresentSet present = {"Alice", "Bob"}) {
  Message message;
  message.kind = MessageKind::Narrator;
  message.text = std::string(size, 'x');
  message.present = std::move(present);
  return message;
}

inline Message Direction(std::size_t size) {
  Message message = Line(size);
  message.kind = MessageKind::Director;
  return message;
}

inline Message Passage(std::int64_t hours) {
  Message message = Line(0);
  message.kind = MessageKind::Time;
  message.text = "Later.";
  message.duration = {hours * 3600};
  return message;
}

inline Timeline MakeTimeline(std::vector<Message> messages) {
  Timeline timeline;
  for (Message& message : messages) timeline.Append(std::move(message));
  return timeline;
}

// A base entry over the messages at [begin, end).
inline MemoryEntry BaseEntry(SceneMemory& memory, const Timeline& timeline,
                             std::size_t begin, std::size_t end,
                             std::string text = "They met.") {
  MemoryEntry entry;
  entry.id = memory.next_id++;
  entry.text = std::move(text);
  entry.first = timeline.at(begin).id;
  entry.last = timeline.at(end - 1).id;
  entry.present = timeline.at(begin).present;
  return entry;
}

// An entry of `layer` over the entries at [begin, end) of the list below it.
inline MemoryEntry LayerEntry(SceneMemory& memory, std::size_t layer, std::size_t begin,
                              std::size_t end, std::string text = "It went on.") {
  MemoryEntry entry;
  entry.id = memory.next_id++;
  entry.text = std::move(text);
  entry.first = ListOf(memory, layer - 1).at(begin).id;
  entry.last = ListOf(memory, layer - 1).at(end - 1).id;
  return entry;
}

// 30 messages of 100; base entries A0-A7 of 200, three messages each; L0 of 300 over
// A[0-1][2-3][4-5][6-7]; L1 of 150 over L0[0-1][2-3].
struct LayeredScene {
  LayeredScene() {
    for (int i = 0; i < 30; ++i) timeline.Append(Line(100));
    for (std::size_t i = 0; i < 8; ++i) {
      memory.base.push_back(
          BaseEntry(memory, timeline, 3 * i, 3 * i + 3, std::string(200, 'a')));
    }
    memory.layers.resize(2);
    for (std::size_t i = 0; i < 4; ++i) {
      memory.layers[0].push_back(
          LayerEntry(memory, 1, 2 * i, 2 * i + 2, std::string(300, 'b')));
    }
    for (std::size_t i = 0; i < 2; ++i) {
      memory.layers[1].push_back(
          LayerEntry(memory, 2, 2 * i, 2 * i + 2, std::string(150, 'c')));
    }
  }

  Timeline timeline;
  SceneMemory memory;
};

inline std::size_t Chars(std::string_view text) { return text.size(); }

}  // namespace talefold
