// Sampling settings as a llama.cpp sampler chain.
#pragma once

#include <llama.h>

#include <cstdint>
#include <memory>

#include "talefold/node_params.h"

namespace talefold {

struct SamplerDeleter {
  void operator()(llama_sampler* sampler) const { llama_sampler_free(sampler); }
};
using SamplerChain = std::unique_ptr<llama_sampler, SamplerDeleter>;

// Penalties, DRY, top-k, top-p, min-p, temperature, draw; a temperature of 0 takes the
// likeliest token after the penalties. Unset fields: temperature 0.8, top_k 40, top_p
// 0.95, min_p 0.05, no penalties, no DRY. The chain sees generated tokens only.
SamplerChain MakeSamplerChain(const llama_vocab* vocab,
                              const SamplingOverrides& sampling, std::uint64_t seed);

}  // namespace talefold
