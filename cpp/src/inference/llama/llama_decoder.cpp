#include "inference/llama/llama_decoder.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <thread>
#include <utility>

#include "inference/llama/llama_log.h"
#include "talefold/error.h"

namespace talefold {

namespace {

constexpr std::int32_t kDefaultBatch = 512;
constexpr std::int32_t kMaxThreads = 128;
constexpr std::size_t kStatePrefix = 8;  // bytes of a saved state before its cells

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
                           std::int32_t n_slots, const ContextOverrides& overrides,
                           const StateSizes& sizes)
    : weights_(std::move(weights)),
      context_(MakeContext(weights_, slot_size, n_slots, overrides)),
      memory_(llama_get_memory(context_.get())),
      sizes_(sizes),
      batch_(llama_batch_init(static_cast<std::int32_t>(llama_n_batch(context_.get())),
                              /*embd=*/0, /*n_seq_max=*/1)) {
  // What more slots add to a state does not depend on its tokens.
  const std::size_t tail = TailBytes(0);
  const std::size_t more_tail = tail - sizes_.tail[0];
  const std::size_t more = StateBytes(0) - sizes_.all[0];
  for (std::size_t tokens = 0; tokens < sizes_.all.size(); ++tokens) {
    sizes_.all[tokens] += more;
    sizes_.tail[tokens] += more_tail;
  }
}

LlamaDecoder::~LlamaDecoder() { llama_batch_free(batch_); }

SlotCost LlamaDecoder::MeasureSlot(const LlamaWeights& weights,
                                   const ContextOverrides& overrides) {
  constexpr std::int32_t kProbeSize = 256;
  ContextOverrides alone = overrides;
  alone.n_threads = 1;  // on busy cores, several would wait for each other for seconds
  LlamaDecoder probe(weights, kProbeSize, 1, alone);
  StateSizes sizes;
  for (std::int32_t i = 0; i < 3; ++i) {
    sizes.all[static_cast<std::size_t>(i)] = probe.StateBytes(0);
    sizes.tail[static_cast<std::size_t>(i)] = probe.TailBytes(0);
    if (i == 2) break;
    const BatchToken token{0, 0, i, false};
    if (const std::int32_t status = probe.Decode({&token, 1}); status != 0) {
      throw Error(ErrorCode::InferenceFailed,
                  "llama_decode of a single token returned " + std::to_string(status));
    }
  }
  const std::size_t per_token = sizes.all[2] - sizes.all[1];
  return {per_token, sizes.all[1] - per_token, sizes};
}

StateIdentity LlamaDecoder::ContextIdentity(const ContextOverrides& overrides) {
  const llama_context_params params = ContextParams(/*slot_size=*/0, 1, overrides);
  std::string rope = "type " + std::to_string(params.rope_scaling_type);
  for (const float value :
       {params.rope_freq_base, params.rope_freq_scale, params.yarn_ext_factor,
        params.yarn_attn_factor, params.yarn_beta_fast, params.yarn_beta_slow}) {
    rope += ' ';
    rope += std::to_string(value);
  }
  const auto flag = [](bool value) { return std::string(value ? "true" : "false"); };
  return {{"kv_type_k", ggml_type_name(params.type_k)},
          {"kv_type_v", ggml_type_name(params.type_v)},
          {"flash_attention", llama_flash_attn_type_name(params.flash_attn_type)},
          {"swa_full", flag(params.swa_full)},
          {"kv_unified", flag(params.kv_unified)},
          {"rope_scaling", rope + " " + std::to_string(params.yarn_orig_ctx)}};
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

std::size_t LlamaDecoder::TailBytes(std::int32_t slot) {
  const std::size_t partial = llama_state_seq_get_size_ext(
      context_.get(), slot, LLAMA_STATE_SEQ_FLAGS_PARTIAL_ONLY);
  return partial == StateBytes(slot) ? 0 : partial - kStatePrefix;
}

// llama.cpp checks what it reads against the end of the bytes and its own tensors, with
// one exception: a count of recurrent cells other than one ends the process.
bool LlamaDecoder::Accepts(std::span<const std::byte> bytes, std::size_t tokens) const {
  if (tokens == 0) return false;
  const bool recurs =
      llama_model_is_recurrent(weights_.get()) || llama_model_is_hybrid(weights_.get());
  const std::size_t head =
      sizes_.head(1) + (tokens - 1) * (sizes_.head(2) - sizes_.head(1));
  if (bytes.size() < head + sizes_.tail[1]) return false;
  // A sliding window keeps the cells of its last tokens, recurrent memory one.
  const std::size_t rest = bytes.size() - head - sizes_.tail[1];
  const std::size_t cell = sizes_.tail[2] - sizes_.tail[1];
  if (cell == 0 ? rest != 0 : rest % cell != 0 || rest / cell >= tokens) return false;
  if (!recurs) return true;
  std::uint32_t cells = 0;
  std::memcpy(&cells, bytes.data() + (sizes_.tail[1] > 0 ? head : kStatePrefix),
              sizeof(cells));
  return cells == 1;
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
