// A story that was written down elsewhere: one JSON object a line.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scene/message.h"

namespace talefold {

// A message to append, or a change of who takes part.
struct TranscriptLine {
  std::optional<Message> message = {};
  std::vector<std::string> activate = {};
  std::vector<std::string> deactivate = {};
  std::size_t number = 0;  // of the line, from 1
};

// "transcript, line 7: "
std::string PlaceOf(const TranscriptLine& line);

// {"kind": "character", "speaker": "Bob", "text": "Hi."}; kinds are those of messages,
// "time_passage" (with `duration`) as well, and "presence" (with `activate` and
// `deactivate`). Blank lines are skipped. Throws MalformedStorage, naming the line.
std::vector<TranscriptLine> ReadTranscript(std::string_view lines,
                                           std::int64_t max_message_bytes);

// The text of a time passage that has none of its own.
std::string PassageText(StoryTime duration);

}  // namespace talefold
