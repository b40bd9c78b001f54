// A request as a model saw it, kept for inspection.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "talefold/node_params.h"

namespace talefold {

// Recorded when a model is loaded with record_requests, as its reply begins. A request
// that only scores candidates has max_tokens 0.
struct RecordedRequest {
  std::string node = {};
  std::vector<std::pair<std::string, std::string>> messages = {};  // role, text
  std::vector<std::int32_t> prompt_tokens = {};
  // What the KV cells hold: equal to prompt_tokens, or the cache is wrong.
  std::vector<std::int32_t> cached_tokens = {};
  // llama only: one logit a vocabulary entry for the reply's first token.
  std::vector<float> next_logits = {};
  std::int32_t max_tokens = 0;
  std::uint64_t seed = 0;
  SamplingOverrides sampling = {};
  std::string grammar = {};  // GBNF; empty = none
};

}  // namespace talefold
