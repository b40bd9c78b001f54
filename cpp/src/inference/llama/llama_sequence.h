// The KV state of one (agent, node): one llama.cpp context with one sequence.
#pragma once

#include <llama.h>

#include <memory>
#include <string>
#include <vector>

#include "inference/llama/llama_model.h"

namespace talefold {

// Used by the worker that runs the agent's turn. The context is made with the first
// request. `mirror_` holds exactly the tokens in the cells, position by position,
// whatever happened.
class LlamaSequence final : public Sequence {
 public:
  LlamaSequence(std::shared_ptr<LlamaModel> model, std::string node,
                std::int32_t context_size, ContextOverrides overrides);

  GenerationReport Generate(const GenerationRequest& request,
                            const TokenSink& sink) override;

  // The logits of the token after `prompt`.
  std::vector<float> NextTokenLogits(std::span<const Token> prompt);

 private:
  struct Deleter {
    void operator()(llama_context* context) const { llama_free(context); }
  };

  void MakeContext();
  // Cells equal to the first tokens of `prompt`, fewer than all of them. Returns how
  // many.
  std::size_t KeepCommonPrefix(std::span<const Token> prompt, GenerationReport& report);
  bool RemoveFrom(std::size_t position);
  void Clear();
  // False when stopped.
  bool Prefill(std::span<const Token> prompt, const CancelToken& cancel);
  void Decode(std::span<const Token> tokens);
  bool DecodeReplyToken(Token token);
  std::vector<float> CurrentLogits() const;

  const std::shared_ptr<LlamaModel> model_;
  const std::string node_;
  const std::int32_t context_size_;  // tokens
  const ContextOverrides overrides_;
  std::unique_ptr<llama_context, Deleter> context_;
  std::vector<Token> mirror_;
};

}  // namespace talefold
