// Where the text that a node wrote goes: to the player and the dialog, or into a slot.
#pragma once

#include <string>

#include "nodes/node.h"

namespace talefold {

// Adds to the character's reply of the running interaction; a second text of the same
// turn follows the first after a blank line.
void AppendReply(TurnContext& turn, const std::string& text);

// The complete text of `node`: into `slot`, or when that is empty to the player, as the
// (next part of the) reply.
void Deliver(TurnContext& turn, const std::string& node, const std::string& slot,
             const std::string& text);

// What the player has had of a reply that was cut stays. False when that is nothing.
bool KeepInterrupted(TurnContext& turn, const std::string& delivered);

}  // namespace talefold
