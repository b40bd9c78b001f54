#include "inference/llama/llama_decoder.h"

#include <algorithm>
#include <array>
#include <thread>
#include <utility>

#include "inference/llama/llama_log.h"
#include "talefold/error.h"

namespace talefold {

namespace {

constexpr std::int32_t kDefaultBatch = 512;
constexpr std::int32_t kMaxThreads = 128;

ggml_type ToGgmlType(KvType type) {
  switch (type) {
    case KvType::Q8_0:
      return GGML_TYPE_Q8_0;
    case KvType::Q4_0:
      return GGML_TYPE_Q4_0;
    case KvType::F16:
      break;
  }
  return GGML_TYPE_F16;
}

llama_context_params ContextParams(std::int32_t slot_size, std::int32_t n_slots,
                                   const ContextOverrides& overrides) {
  const auto cores = static_cast<std::int32_t>(std::thread::hardware_concurrency());
  llama_context_params params = llama_context_default_params();
  params.n_ctx = static_cast<std::uint32_t>(slot_size * n_slots);
  // A token of each slot must fit: llama.cpp ends the process otherwise.
  params.n_batch = static_cast<std::uint32_t>(
      std::max(n_slots, overrides.n_batch.value_or(kDefaultBatch)));
  params.n_ubatch = static_cast<std::uint32_t>(
      std::max(n_slots, overrides.n_ubatch.value_or(kDefaultBatch)));
  params.n_seq_max = static_cast<std::uint32_t>(n_slots);
  // A stream of cells for each slot: in one buffer for all, a token would cost as much
  // as the cells of all slots together.
  params.kv_unified = false;
  // OpenMP ends the process for threads it cannot start.
  params.n_threads = std::min(overrides.n_threads.value_or(std::max(1, cores)),
                              std::max(kMaxThreads, cores));
  params.n_threads_batch = params.n_threads;
  if (overrides.flash_attention) {
    params.flash_attn_type = *overrides.flash_attention
                                 ? LLAMA_FLASH_ATTN_TYPE_ENABLED
                                 : LLAMA_FLASH_ATTN_TYPE_DISABLED;
  }
  if (overrides.kv_type) {
    params.type_k = params.type_v = ToGgmlType(*overrides.kv_type);
  }
  params.swa_full = false;
  params.no_perf = true;
  return params;
}

llama_context* MakeContext(const LlamaWeights& weights, std::int32_t slot_size,
                           std::int32_t n_slots, const ContextOverrides& overrides) {
  const LlamaLogCapture log;
  if (llama_context* context = llama_init_from_model(
          weights.get(), ContextParams(slot_size, n_slots, overrides))) {
    return context;
  }
  throw Error(
      ErrorCode::InferenceFailed,
      "no llama.cpp context of " + std::to_string(n_slots) + " x " +
          std::to_string(slot_size) + " tokens could be made" +
          (log.errors().empty() ? "" : ": " + log.errors()),
      "lower context_size or kv_cache_bytes, or check the node's context settings and "
      "the memory");
}

}  // namespace

LlamaDecoder::LlamaDecoder(LlamaWeights weights, std::int32_t slot_size,
                           std::int32_t n_slots, const ContextOverrides& overrides)
    : weights_(std::move(weights)),
      context_(MakeContext(weights_, slot_size, n_slots, overrides)),
      memory_(llama_get_memory(context_.get())),
      batch_(llama_batch_init(static_cast<std::int32_t>(llama_n_batch(context_.get())),
                              /*embd=*/0, /*n_seq_max=*/1)) {}

LlamaDecoder::~LlamaDecoder() { llama_batch_free(batch_); }

SlotCost LlamaDecoder::MeasureSlot(const LlamaWeights& weights,
                                   const ContextOverrides& overrides) {
  constexpr std::int32_t kProbeSize = 256;
  ContextOverrides alone = overrides;
  alone.n_threads = 1;  // on busy cores, several would wait for each other for seconds
  LlamaDecoder probe(weights, kProbeSize, 1, alone);
  std::array<std::size_t, 2> bytes = {};
  for (std::int32_t i = 0; i < 2; ++i) {
    const BatchToken token{0, 0, i, false};
    if (const std::int32_t status = probe.Decode({&token, 1}); status != 0) {
      throw Error(ErrorCode::InferenceFailed,
                  "llama_decode of a single token returned " + std::to_string(status));
    }
    bytes[static_cast<std::size_t>(i)] = probe.StateBytes(0);
  }
  const std::size_t per_token = bytes[1] - bytes[0];
  return {per_token, bytes[0] - per_token};
}

std::size_t LlamaDecoder::MaxChunk(const ContextOverrides& overrides) {
  return static_cast<std::size_t>(std::min(overrides.n_batch.value_or(kDefaultBatch),
                                           overrides.n_ubatch.value_or(kDefaultBatch)));
}

bool LlamaDecoder::UseAdapters(const AdapterSet& adapters) {
  if (adapters.key == adapters_key_) return true;
  std::vector<llama_adapter_lora*> loras = adapters.adapters;
  std::vector<float> scales = adapters.scales;
  if (llama_set_adapters_lora(context_.get(), loras.data(), loras.size(),
                              scales.data()) != 0) {
    return false;
  }
  adapters_key_ = adapters.key;
  return true;
}

std::int32_t LlamaDecoder::Decode(std::span<const BatchToken> batch) {
  batch_.n_tokens = static_cast<std::int32_t>(batch.size());
  for (std::size_t i = 0; i < batch.size(); ++i) {
    batch_.token[i] = batch[i].id;
    batch_.pos[i] = batch[i].position;
    batch_.n_seq_id[i] = 1;
    batch_.seq_id[i][0] = batch[i].slot;
    batch_.logits[i] = batch[i].wants_logits ? 1 : 0;
  }
  return llama_decode(context_.get(), batch_);
}

std::span<const float> LlamaDecoder::Logits(std::size_t i) {
  const float* logits =
      llama_get_logits_ith(context_.get(), static_cast<std::int32_t>(i));
  const llama_vocab* vocab = llama_model_get_vocab(weights_.get());
  return {logits, static_cast<std::size_t>(llama_vocab_n_tokens(vocab))};
}

std::int32_t LlamaDecoder::Filled(std::int32_t slot) const {
  return llama_memory_seq_pos_max(memory_, slot) + 1;
}

void LlamaDecoder::Clear(std::int32_t slot) {
  llama_memory_seq_rm(memory_, slot, -1, -1);  // of a whole sequence: never refused
}

// Recurrent memory keeps no past, and a sliding window may have lost cells that the
// kept end still needs; seq_rm says true all the same.
bool LlamaDecoder::RemoveFrom(std::int32_t slot, std::int32_t position) {
  if (!llama_memory_seq_rm(memory_, slot, position, -1)) return false;
  if (Filled(slot) != position) return false;
  const std::int32_t window = llama_model_n_swa(weights_.get());
  return window == 0 ||
         llama_memory_seq_pos_min(memory_, slot) <= std::max(0, position - window);
}

std::size_t LlamaDecoder::StateBytes(std::int32_t slot) {
  return llama_state_seq_get_size(context_.get(), slot);
}

bool LlamaDecoder::Save(std::int32_t slot, std::span<std::byte> bytes) {
  return llama_state_seq_get_data(context_.get(),
                                  reinterpret_cast<std::uint8_t*>(bytes.data()),
                                  bytes.size(), slot) == bytes.size();
}

bool LlamaDecoder::Restore(std::int32_t slot, std::span<const std::byte> bytes) {
  if (llama_state_seq_set_data(context_.get(),
                               reinterpret_cast<const std::uint8_t*>(bytes.data()),
                               bytes.size(), slot) > 0) {
    return true;
  }
  Clear(slot);
  return false;
}

}  // namespace talefold
