// A GGUF model in this process, through llama.cpp.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "base/logger.h"
#include "inference/compute_lane.h"
#include "inference/llama/llama_decoder.h"
#include "inference/llama/lora_adapters.h"
#include "inference/llama/model_identity.h"
#include "inference/llama/vocabulary.h"
#include "inference/model.h"
#include "inference/request_log.h"
#include "talefold/llama_model.h"

namespace talefold {

class LlamaModel final : public Model, public std::enable_shared_from_this<LlamaModel> {
 public:
  // Reads the weights; takes long. Throws ModelNotFound (no such file), ModelLoadFailed
  // (no GGUF file of a text model, cancelled, out of memory), UnsupportedChatTemplate.
  LlamaModel(LlamaModelOptions options, std::shared_ptr<ComputeLane> lane,
             Logger& logger);
  ~LlamaModel() override;

  std::string_view kind() const override { return "llama"; }
  std::int32_t trained_context_size() const override;
  std::int32_t default_context_size() const override {
    return options_.default_context_size;
  }
  const SamplingOverrides& default_sampling() const override {
    return options_.default_sampling;
  }
  std::string RenderTemplate(std::span<const ChatMessage> messages) const override;
  std::string_view chat_template() const override { return chat_template_; }
  const std::optional<ReasoningTags>& reasoning_tags() const override {
    return reasoning_tags_;
  }
  const std::vector<SpecialToken>& special_tokens() const override {
    return vocabulary_->special_tokens();
  }
  std::optional<Token> add_bos() const override { return vocabulary_->bos(); }
  std::vector<Token> Tokenize(std::string_view text) const override {
    return vocabulary_->Tokenize(text);
  }
  std::unique_ptr<Sequence> CreateSequence(std::string_view node,
                                           std::int32_t context_size,
                                           const ContextOverrides& context,
                                           const ModelAdaptation& adaptation) override;

  std::vector<float> NextTokenLogits(std::span<const Token> prompt) override;
  std::vector<RecordedRequest> recorded_requests() const override { return log_.all(); }
  bool records_requests() const { return options_.record_requests; }
  void Record(const GenerationRequest& request, std::vector<Token> cached_tokens,
              std::vector<float> next_logits) {
    log_.Add(request, std::move(cached_tokens), std::move(next_logits));
  }

  // What cells depend on beside their tokens and the slots of their pool. The first
  // call reads parts of the model's file; throws InferenceFailed when that fails.
  StateIdentity Identity(const ContextOverrides& overrides, const AdapterSet& adapters);

  const Vocabulary& vocabulary() const { return *vocabulary_; }
  ComputeLane& lane() const { return *lane_; }

 private:
  std::shared_ptr<const PoolSpec> MakePoolSpec(std::int32_t context_size,
                                               const ContextOverrides& overrides,
                                               std::int32_t max_slots);
  SlotCost CostOfSlots(const std::string& layout, const ContextOverrides& overrides);

  const LlamaModelOptions options_;
  const std::shared_ptr<ComputeLane> lane_;
  LlamaWeights weights_;  // pools hold them too
  ModelIdentity identity_;
  std::string chat_template_;
  std::optional<ReasoningTags> reasoning_tags_;
  std::unique_ptr<Vocabulary> vocabulary_;
  std::unique_ptr<LoraAdapters> adapters_;
  RequestLog log_;
  const std::uint64_t id_;
  std::mutex mutex_;
  std::map<std::string, SlotCost> slot_costs_;  // by layout; guarded by mutex_
};

}  // namespace talefold
