// The scripted model: deterministic, without weights, for tests and for wiring a game.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "talefold/node_params.h"

namespace talefold {

// One reply. The text is emitted token by token, then the outcome happens. Asked to
// choose among candidates, the model takes the one that is the text, or gives each the
// probability that the text names as a JSON object: {"A": 0.6, "B": 0.3}. A grammar
// does not change what it says.
struct ScriptedReply {
  enum class Outcome {
    Finish,        // the model is done
    Fail,          // InferenceFailed
    Stall,         // nothing more until the turn is cancelled or times out
    OutOfContext,  // ContextOverflow if no token was emitted, else the reply is cut
  };
  std::string text = {};
  Outcome outcome = Outcome::Finish;
  bool echo = false;  // the reply is the text of the request's last message instead
};

struct ScriptedModelOptions {
  // Walked in order by each (agent, node) on its own, then from the start again. Empty
  // = an empty reply.
  std::vector<ScriptedReply> replies = {};
  // Replies of nodes with these names, in place of `replies`.
  std::map<std::string, std::vector<ScriptedReply>> node_replies = {};
  std::string tokenizer = "words";  // "chars": 1 code point = 1 token; "words": 1 word
  std::int32_t trained_context_size = 131072;  // tokens
  std::int32_t token_delay_us = 0;             // microseconds before each token
  // What stands between <think> and </think> is left in replies.
  bool keep_reasoning = false;
  bool record_requests = false;  // keep every request for inspection
  SamplingOverrides default_sampling = {};
};

}  // namespace talefold
