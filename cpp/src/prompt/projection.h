// History -> ordered chat messages: what a Generate-class node shows its model.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dialog/history.h"
#include "inference/chat_message.h"
#include "inference/reasoning_tags.h"
#include "talefold/node_params.h"
#include "tools/tool_format.h"

namespace talefold {

struct Projection {
  std::vector<ChatMessage> messages;
  std::size_t replayed_from = 0;  // index of the first entry replayed
  // For each replayed entry the index of its first message, then the end of the last;
  // an entry without text has no message.
  std::vector<std::size_t> entry_begin;
};

// What a node tells its model before everything else. Refers to the node's texts.
struct Preamble {
  std::string_view system_prompt;
  std::span<const MessagePart> tools = {};  // of a node that offers some
};

// What every prompt of a character knows of the past, beside the replayed turns.
struct Memory {
  std::span<const Pin> pins = {};
  const SummaryComponent* summary = nullptr;  // nullptr = nothing was folded yet
};

Memory MemoryOf(const HistorySource& history);

// The pins, one an item, behind a sentence that tells what they are.
std::string PinList(std::span<const Pin> pins);

// The preamble, the pins behind a sentence that tells what they are, and the summary
// behind the guard sentence; a blank line between any two of them. No text when there
// is none of them.
ChatMessage SystemMessage(const Preamble& preamble, const Memory& memory);

// The system message and the entries [from, end), verbatim but for the reasoning that
// imported texts of the character may have between `reasoning` tags; of calls those
// with a result, in their entry between the user's text and the character's.
Projection ProjectHistory(const HistorySource& history, std::size_t from,
                          std::size_t end, const Preamble& preamble,
                          const std::optional<ReasoningTags>& reasoning = {});

// Appends the running turn: the user's text with `frame` where `placement` says, then
// what the character already said in this turn. An empty text adds nothing.
void AppendCurrentTurn(const HistoryEntry& current, std::string_view frame,
                       Placement placement, std::vector<ChatMessage>& messages);

}  // namespace talefold
