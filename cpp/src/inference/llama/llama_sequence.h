// The sequence of one (agent, node) with a GGUF model.
#pragma once

#include <future>
#include <memory>
#include <string>

#include "inference/llama/llama_model.h"

namespace talefold {

// Used by the worker that runs the agent's turn; what it holds of KV belongs to the
// compute lane.
class LlamaSequence final : public Sequence {
 public:
  LlamaSequence(std::shared_ptr<LlamaModel> model, std::string node,
                std::int32_t context_size, std::shared_ptr<KvState> state,
                const ContextOverrides& context = {});
  ~LlamaSequence() override;

  GenerationReport Generate(const GenerationRequest& request,
                            const TokenSink& sink) override;
  ScoreReport Score(const GenerationRequest& request,
                    std::span<const Candidate> candidates) override;

  void Prepare(std::span<const Token> prompt) override;
  std::shared_future<void> preparation() const override;
  void HurryPreparing() override;
  std::optional<StateShape> DescribeState() override;
  std::optional<SavedState> SaveState() override;
  void CheckState(const StateView& saved) override;
  void LoadState(const StateView& saved) override;
  void DropState() override;

  // The logits of the token after `prompt`.
  std::vector<float> NextTokenLogits(std::span<const Token> prompt);

 private:
  class PrepareJob;
  void StopPreparing();
  // Blocks until the job is done. Throws ContextOverflow, and what the job failed with.
  void Run(LaneJob& job, const GenerationRequest& request) const;
  void Fill(LaneJob& job, std::span<const Token> prompt,
            const CancelToken* cancel) const;
  StateShape ShapeOf(const KvStore::Contents& contents) const;
  KvPool& RequirePool(const StateView& saved, KvStore& store) const;

  const std::shared_ptr<LlamaModel> model_;
  const std::string node_;
  const std::int32_t context_size_;  // tokens
  const std::shared_ptr<KvState> state_;
  std::shared_ptr<PrepareJob> preparing_;  // the last one; the lane has it, too
  const ContextOverrides context_;
};

}  // namespace talefold
