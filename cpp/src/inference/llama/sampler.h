// Sampling settings as a llama.cpp sampler chain.
#pragma once

#include <llama.h>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "inference/model.h"

namespace talefold {

// Penalties, DRY, top-k, top-p, min-p, temperature, draw; a temperature of 0 takes the
// likeliest token after the penalties. Unset fields: temperature 0.8, top_k 40, top_p
// 0.95, min_p 0.05, no penalties, no DRY. Sees the tokens it chose only. One thread at
// a time.
class Sampler {
 public:
  Sampler(const llama_vocab* vocab, const SamplingOverrides& sampling,
          std::uint64_t seed);

  // `logits`: one a vocabulary entry. As llama_sampler_sample, for any row.
  Token Sample(std::span<const float> logits);

 private:
  struct Deleter {
    void operator()(llama_sampler* sampler) const { llama_sampler_free(sampler); }
  };

  std::unique_ptr<llama_sampler, Deleter> chain_;
  std::vector<llama_token_data> candidates_;
};

}  // namespace talefold
