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
  std::variant<AnswerText, NodeEvent, DecisionRequired, TurnComplete> body;
};

}  // namespace talefold
