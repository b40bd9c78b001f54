// A llama.cpp context as slots: one stream of cells for each.
#pragma once

#include <llama.h>

#include <array>
#include <memory>
#include <string>

#include "inference/kv/batch_decoder.h"
#include "inference/llama/load_weights.h"

namespace talefold {

// Bytes of saved states with 0, 1 and 2 tokens. `tail`: their last part, with the cells
// of sliding windows or of recurrent memory; all zero without one.
struct StateSizes {
  std::array<std::size_t, 3> all = {};
  std::array<std::size_t, 3> tail = {};

  std::size_t head(std::size_t tokens) const { return all[tokens] - tail[tokens]; }
};

// Bytes of KV buffers, at most.
struct SlotCost {
  std::size_t per_token = 0;
  std::size_t fixed = 0;   // recurrent memory
  StateSizes states = {};  // of a context of one slot

  std::size_t ForSize(std::int32_t slot_size) const {
    return per_token * static_cast<std::size_t>(slot_size) + fixed;
  }
};

class LlamaDecoder final : public BatchDecoder {
 public:
  // Throws InferenceFailed when llama.cpp makes no such context.
  LlamaDecoder(LlamaWeights weights, std::int32_t slot_size, std::int32_t n_slots,
               const ContextOverrides& overrides, const StateSizes& sizes = {});
  ~LlamaDecoder() override;

  // Found by decoding two tokens in a small context: llama.cpp tells the size of a
  // state, but not of its buffers.
  static SlotCost MeasureSlot(const LlamaWeights& weights,
                              const ContextOverrides& overrides);

  // The settings of a context that its cells depend on.
  static StateIdentity ContextIdentity(const ContextOverrides& overrides);

  // Tokens that are computed at the same time however few slots there are.
  static std::size_t MaxChunk(const ContextOverrides& overrides);

  std::size_t max_batch() const override { return llama_n_batch(context_.get()); }
  bool UseAdapters(const AdapterSet& adapters) override;
  std::int32_t Decode(std::span<const BatchToken> batch) override;
  std::span<const float> Logits(std::size_t i) override;
  std::int32_t Filled(std::int32_t slot) const override;
  void Clear(std::int32_t slot) override;
  bool RemoveFrom(std::int32_t slot, std::int32_t position) override;
  std::size_t StateBytes(std::int32_t slot) override;
  bool Save(std::int32_t slot, std::span<std::byte> bytes) override;
  bool Accepts(std::span<const std::byte> bytes, std::size_t tokens) const override;
  bool Restore(std::int32_t slot, std::span<const std::byte> bytes) override;

 private:
  struct ContextDeleter {
    void operator()(llama_context* context) const { llama_free(context); }
  };

  std::size_t TailBytes(std::int32_t slot);

  const LlamaWeights weights_;  // outlives the context
  const std::unique_ptr<llama_context, ContextDeleter> context_;
  const llama_memory_t memory_;
  StateSizes sizes_;  // of the first slot's states
  llama_batch batch_;
  std::string adapters_key_;
};

}  // namespace talefold
