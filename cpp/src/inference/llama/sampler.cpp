#include "inference/llama/sampler.h"

#include <array>
#include <cstdint>

namespace talefold {

namespace {

void AddPenalties(llama_sampler* chain, const llama_vocab* vocab,
                  const SamplingOverrides& sampling) {
  const auto repeat = static_cast<float>(sampling.repeat_penalty.value_or(1.0));
  const auto frequency = static_cast<float>(sampling.frequency_penalty.value_or(0.0));
  const auto presence = static_cast<float>(sampling.presence_penalty.value_or(0.0));
  if (repeat == 1.0F && frequency == 0.0F && presence == 0.0F) return;
  llama_sampler_chain_add(
      chain, llama_sampler_init_penalties(llama_vocab_n_tokens(vocab),
                                          sampling.repeat_last_n.value_or(256), repeat,
                                          frequency, presence));
}

void AddDry(llama_sampler* chain, const llama_vocab* vocab,
            const SamplingOverrides& sampling) {
  const auto multiplier = static_cast<float>(sampling.dry_multiplier.value_or(0.0));
  if (multiplier == 0.0F) return;
  std::array<const char*, 4> breakers = {"\n", ":", "\"", "*"};
  llama_sampler_chain_add(
      chain,
      llama_sampler_init_dry(
          vocab, multiplier, static_cast<float>(sampling.dry_base.value_or(1.75)),
          sampling.dry_allowed_length.value_or(2),
          sampling.dry_penalty_last_n.value_or(256), breakers.data(), breakers.size()));
}

}  // namespace

Sampler::Sampler(const llama_vocab* vocab, const GenerationRequest& request)
    : chain_(llama_sampler_chain_init(llama_sampler_chain_default_params())) {
  constexpr std::size_t kMinKeep = 1;
  if (!request.grammar.empty()) grammar_.emplace(vocab, request.node, request.grammar);
  const SamplingOverrides& sampling = request.sampling;
  llama_sampler* chain = chain_.get();
  AddPenalties(chain, vocab, sampling);
  AddDry(chain, vocab, sampling);
  const auto temperature = static_cast<float>(sampling.temperature.value_or(0.8));
  if (temperature <= 0.0F) {
    llama_sampler_chain_add(chain, llama_sampler_init_greedy());
    return;
  }
  const auto top_p = static_cast<float>(sampling.top_p.value_or(0.95));
  const auto min_p = static_cast<float>(sampling.min_p.value_or(0.05));
  llama_sampler_chain_add(chain, llama_sampler_init_top_k(sampling.top_k.value_or(40)));
  llama_sampler_chain_add(chain, llama_sampler_init_top_p(top_p, kMinKeep));
  llama_sampler_chain_add(chain, llama_sampler_init_min_p(min_p, kMinKeep));
  llama_sampler_chain_add(chain, llama_sampler_init_temp(temperature));
  // llama.cpp seeds with 32 bits, and takes one value for "a random seed".
  auto seed32 = static_cast<std::uint32_t>(request.seed ^ (request.seed >> 32));
  if (seed32 == LLAMA_DEFAULT_SEED) --seed32;
  llama_sampler_chain_add(chain, llama_sampler_init_dist(seed32));
}

Token Sampler::Sample(std::span<const float> logits) {
  AllCandidates(logits);
  Token token = Choose();
  // Models that know the format mostly choose well: one token is checked, not all.
  if (grammar_ && !grammar_->Allows(token)) {
    AllCandidates(logits);
    grammar_->KeepAllowed(candidates_);
    token = Choose();
  }
  llama_sampler_accept(chain_.get(), token);
  if (grammar_) grammar_->Accept(token);
  return token;
}

void Sampler::AllCandidates(std::span<const float> logits) {
  candidates_.resize(logits.size());
  for (std::size_t i = 0; i < logits.size(); ++i) {
    candidates_[i] = {static_cast<Token>(i), logits[i], 0.0F};
  }
}

Token Sampler::Choose() {
  llama_token_data_array candidates = {candidates_.data(), candidates_.size(),
                                       /*selected=*/-1, /*sorted=*/false};
  llama_sampler_apply(chain_.get(), &candidates);
  return candidates.data[static_cast<std::size_t>(candidates.selected)].id;
}

}  // namespace talefold
