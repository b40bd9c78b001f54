// History -> ordered chat messages: what a Generate-class node shows its model.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "dialog/history.h"
#include "inference/chat_message.h"
#include "prompt/mustache.h"
#include "talefold/node_params.h"

namespace talefold {

struct Projection {
  std::vector<ChatMessage> messages;
  std::size_t replayed_from = 0;  // index of the first entry replayed
  // For each replayed entry the index of its first message, then the end of the last;
  // an entry without text has no message.
  std::vector<std::size_t> entry_begin;
};

// How the running turn is framed. An empty template frames nothing.
struct Framing {
  const MustacheTemplate* template_text = nullptr;
  Placement placement = Placement::BeforeUserAsSystem;
};

// system_prompt, then, when there is a summary, a blank line, the guard sentence and
// the summary. Empty when there is neither.
std::string SystemMessage(std::string_view system_prompt,
                          const SummaryComponent* summary);

// The system message and the entries [from, end), verbatim.
Projection ProjectHistory(const HistorySource& history, std::size_t from,
                          std::size_t end, std::string_view system_prompt);

// Appends the running turn: the user's text framed by the template, then what the
// character already said in this turn. A template that renders to nothing adds nothing.
void AppendCurrentTurn(const HistoryEntry& current, const Framing& framing,
                       std::vector<ChatMessage>& messages);

}  // namespace talefold
