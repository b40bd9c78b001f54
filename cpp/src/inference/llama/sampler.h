// Sampling settings as a llama.cpp sampler chain.
#pragma once

#include <llama.h>

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "inference/llama/reply_grammar.h"
#include "inference/model.h"

namespace talefold {

// Penalties, DRY, top-k, top-p, min-p, temperature, draw; a temperature of 0 takes the
// likeliest token after the penalties. Unset fields: temperature 0.8, top_k 40, top_p
// 0.95, min_p 0.05, no penalties, no DRY. Sees the tokens it chose only. With a grammar
// it chooses anew, among the tokens allowed, when its first choice is not. One thread
// at a time.
class Sampler {
 public:
  // What `request` asks for. Throws InferenceFailed for a grammar that cannot be read.
  Sampler(const llama_vocab* vocab, const GenerationRequest& request);

  // `logits`: one a vocabulary entry. As llama_sampler_sample, for any row. Throws
  // InferenceFailed when the grammar leaves nothing to choose.
  Token Sample(std::span<const float> logits);

 private:
  struct Deleter {
    void operator()(llama_sampler* sampler) const { llama_sampler_free(sampler); }
  };

  void AllCandidates(std::span<const float> logits);
  Token Choose();

  std::unique_ptr<llama_sampler, Deleter> chain_;
  std::optional<ReplyGrammar> grammar_;
  std::vector<llama_token_data> candidates_;
};

}  // namespace talefold
