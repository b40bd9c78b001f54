// What a turn tells its host while it runs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "talefold/error.h"

namespace talefold {

// Text for the player. A streaming node sends deltas (whole code points), then one
// final event with the complete reply; a node that does not stream sends the final one
// only.
struct AnswerText {
  std::string node;
  std::string text;
  bool is_delta = false;
  bool is_final = false;
};

// Speech for the player, as it is made. Chunks of one node follow each other without a
// gap and have the same rate; the last one, which has no samples, closes them. A node
// that voices nothing sends none.
struct AudioChunk {
  std::string node;
  std::int32_t sample_rate = 0;       // samples per second
  std::vector<std::int16_t> samples;  // one channel; at most a second
  std::string text;                   // the sentence that begins with this chunk
  bool is_final = false;
};

// A node reports something to the game, e.g. event_type "summarized".
struct NodeEvent {
  std::string node;
  std::string event_type;
  std::vector<std::pair<std::string, std::string>> pairs;
};

// The turn waits for Turn::Resolve with one of `options`.
struct DecisionRequired {
  std::string node;
  std::vector<std::string> options;
};

enum class TurnStatus { Success, Cancelled, Error };

// The last event of a turn; there is exactly one.
struct TurnComplete {
  TurnStatus status = TurnStatus::Success;
  std::int64_t tokens_generated = 0;
  std::optional<Error> error;  // set when status is Error
  std::string debug_info;      // JSON; empty unless diagnostics are enabled
};

struct Event {
  std::uint64_t turn_id = 0;
  std::variant<AnswerText, AudioChunk, NodeEvent, DecisionRequired, TurnComplete> body;
};

}  // namespace talefold
