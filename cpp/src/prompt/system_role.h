// Where a chat template takes system messages, and what becomes of the others.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "inference/model.h"

namespace talefold {

// Whether a template shows a system message in its place. "Alone": no message of the
// user follows it before the next reply; the reply must then open as it does after a
// message of the user, and a template such as llama2's has no "[/INST]" there.
struct SystemRole {
  bool first = false;        // before the first message of the user
  bool first_alone = false;  // before everything, alone
  bool later = false;        // before another message of the user
  bool later_alone = false;

  bool Anywhere() const { return first && first_alone && later && later_alone; }
};

// Found out by rendering: a template that cannot place a text drops it in silence.
SystemRole ProbeSystemRole(const Model& model);

struct MergedMessages {
  std::vector<ChatMessage> messages;
  // For each message before the merge, the index in `messages` where its tokens begin;
  // one that was appended to another begins where that one ends.
  std::vector<std::size_t> begin;
};

// Each system message that `role` does not allow joins the message of the user after it
// or, when there is none, the one before it; alone it becomes a message of the user.
MergedMessages MergeSystemMessages(std::span<const ChatMessage> messages,
                                   const SystemRole& role);

}  // namespace talefold
