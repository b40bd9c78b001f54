#include "nodes/support/reply.h"

#include "nodes/support/diagnostics.h"

namespace talefold {

void AppendReply(TurnContext& turn, const std::string& text) {
  std::string& assistant = turn.current.assistant;
  if (!assistant.empty() && !text.empty()) assistant += "\n\n";
  assistant += text;
  turn.newest_reply = text;
  ++turn.current.revision;
}

void Deliver(TurnContext& turn, const std::string& node, const std::string& slot,
             const std::string& text) {
  if (!slot.empty()) {
    turn.slots[slot] = text;
    if (turn.diagnostics) Section(*turn.diagnostics, "output")["slot"] = text;
    return;
  }
  AppendReply(turn, text);
  turn.reply_written = true;
  turn.output.Emit({node, text, false, true});
}

bool KeepInterrupted(TurnContext& turn, const std::string& delivered) {
  if (delivered.empty()) return false;
  AppendReply(turn, delivered);
  turn.current.status = InteractionStatus::Interrupted;
  return true;
}

}  // namespace talefold
