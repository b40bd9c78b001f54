#include "inference/llama/llama_sequence.h"

#include <algorithm>
#include <thread>
#include <utility>

#include "inference/llama/reply_text.h"
#include "inference/llama/sampler.h"
#include "talefold/error.h"

namespace talefold {

namespace {

// Tokens of one prefill call: 0.2 to 0.4 s on 2 cores with a small model, so that a
// cancel is felt soon; larger chunks are hardly faster.
constexpr std::size_t kPrefillChunk = 64;

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

llama_context_params ContextParams(std::int32_t context_size,
                                   const ContextOverrides& overrides) {
  const auto threads = static_cast<std::int32_t>(std::thread::hardware_concurrency());
  llama_context_params params = llama_context_default_params();
  params.n_ctx = static_cast<std::uint32_t>(context_size);
  params.n_batch = static_cast<std::uint32_t>(overrides.n_batch.value_or(512));
  params.n_ubatch = static_cast<std::uint32_t>(overrides.n_ubatch.value_or(512));
  params.n_seq_max = 1;
  params.n_threads = overrides.n_threads.value_or(std::max(1, threads));
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

}  // namespace

LlamaSequence::LlamaSequence(std::shared_ptr<LlamaModel> model, std::string node,
                             std::int32_t context_size, ContextOverrides overrides)
    : model_(std::move(model)),
      node_(std::move(node)),
      context_size_(context_size),
      overrides_(overrides) {}

void LlamaSequence::MakeContext() {
  if (context_) return;
  context_.reset(
      llama_init_from_model(model_->raw(), ContextParams(context_size_, overrides_)));
  if (context_) return;
  throw Error(
      ErrorCode::InferenceFailed,
      "node '" + node_ + "': no llama.cpp context of " + std::to_string(context_size_) +
          " tokens could be made",
      "lower context_size, or check the node's context settings and the memory");
}

void LlamaSequence::Clear() {
  llama_memory_clear(llama_get_memory(context_.get()), /*data=*/true);
  mirror_.clear();
}

// Removes the cells from `position` on. False when the memory cannot: recurrent memory
// keeps no past, and a sliding window may have lost cells that the kept end still needs
// (seq_rm says true all the same).
bool LlamaSequence::RemoveFrom(std::size_t position) {
  const llama_memory_t memory = llama_get_memory(context_.get());
  const auto p0 = static_cast<llama_pos>(position);
  if (!llama_memory_seq_rm(memory, 0, p0, -1)) return false;
  if (llama_memory_seq_pos_max(memory, 0) != p0 - 1) return false;
  const std::int32_t window = llama_model_n_swa(model_->raw());
  return window == 0 || llama_memory_seq_pos_min(memory, 0) <= std::max(0, p0 - window);
}

std::size_t LlamaSequence::KeepCommonPrefix(std::span<const Token> prompt,
                                            GenerationReport& report) {
  const auto [kept_end, same_end] = std::ranges::mismatch(mirror_, prompt);
  const auto common = static_cast<std::size_t>(kept_end - mirror_.begin());
  if (common < std::min(mirror_.size(), prompt.size())) {
    report.first_changed_token = common;
  }
  // At least one token must be decoded, for its logits.
  const std::size_t kept = std::min(common, prompt.size() - 1);
  if (kept == mirror_.size()) return kept;
  const bool removed = kept > 0 && RemoveFrom(kept);
  if (!removed) {
    Clear();
    return 0;
  }
  mirror_.resize(kept);
  return kept;
}

void LlamaSequence::Decode(std::span<const Token> tokens) {
  const llama_batch batch = llama_batch_get_one(
      const_cast<Token*>(tokens.data()), static_cast<std::int32_t>(tokens.size()));
  const std::int32_t status = llama_decode(context_.get(), batch);
  if (status == 0) {
    mirror_.insert(mirror_.end(), tokens.begin(), tokens.end());
    return;
  }
  // What the cells hold after a failure differs by its kind; an empty state is certain.
  const std::size_t filled = mirror_.size();
  Clear();
  if (status == 1) {
    throw Error(ErrorCode::ContextOverflow,
                "node '" + node_ + "': llama_decode found no room for " +
                    std::to_string(tokens.size()) + " tokens after " +
                    std::to_string(filled) + " of " + std::to_string(context_size_));
  }
  throw Error(ErrorCode::InferenceFailed,
              "node '" + node_ + "': llama_decode returned " + std::to_string(status));
}

bool LlamaSequence::Prefill(std::span<const Token> prompt, const CancelToken& cancel) {
  const std::size_t chunk_size =
      std::min<std::size_t>(kPrefillChunk, llama_n_batch(context_.get()));
  while (mirror_.size() < prompt.size()) {
    if (cancel.requested()) return false;
    const auto rest = prompt.subspan(mirror_.size());
    const ComputeLane::Turn turn(model_->lane());
    Decode(rest.first(std::min(chunk_size, rest.size())));
  }
  return true;
}

GenerationReport LlamaSequence::Generate(const GenerationRequest& request,
                                         const TokenSink& sink) {
  GenerationReport report;
  if (request.prompt.size() >= static_cast<std::size_t>(context_size_)) {
    throw Error(ErrorCode::ContextOverflow, "node '" + node_ + "': the prompt takes " +
                                                std::to_string(request.prompt.size()) +
                                                " of " + std::to_string(context_size_) +
                                                " context tokens");
  }
  MakeContext();
  report.reused_tokens = KeepCommonPrefix(request.prompt, report);
  report.decoded_tokens = request.prompt.size() - report.reused_tokens;
  if (!Prefill(request.prompt, *request.cancel)) {
    report.stop_reason = StopReason::Cancelled;
    return report;
  }
  if (model_->records_requests()) {
    model_->Record(request, mirror_, CurrentLogits());
  }
  const Vocabulary& vocabulary = model_->vocabulary();
  const SamplerChain sampler =
      MakeSamplerChain(vocabulary.raw(), request.sampling, request.seed);
  ReplyText reply(request.sampling.stop.value_or(std::vector<std::string>()));
  std::int32_t count = 0;
  for (;;) {
    report.stop_reason = StopReason::Cancelled;
    if (request.cancel->requested()) break;
    const Token token = llama_sampler_sample(sampler.get(), context_.get(), -1);
    report.stop_reason = StopReason::EndOfReply;
    if (vocabulary.EndsReply(token)) break;
    sink(reply.Add(vocabulary.Piece(token)));
    if (reply.stopped()) break;
    // The last token of a reply is not decoded: the next prompt brings it along.
    report.stop_reason = StopReason::MaxTokens;
    if (++count == request.max_tokens) break;
    report.stop_reason = StopReason::ContextFull;
    if (!DecodeReplyToken(token)) break;
  }
  report.last_text = reply.Finish();
  return report;
}

// False when the context is full.
bool LlamaSequence::DecodeReplyToken(Token token) {
  if (mirror_.size() + 1 >= static_cast<std::size_t>(context_size_)) return false;
  try {
    const ComputeLane::Turn turn(model_->lane());
    Decode({&token, 1});
  } catch (const Error& error) {
    if (error.code() != ErrorCode::ContextOverflow) throw;
    return false;
  }
  return true;
}

std::vector<float> LlamaSequence::NextTokenLogits(std::span<const Token> prompt) {
  GenerationReport report;
  MakeContext();
  KeepCommonPrefix(prompt, report);
  Prefill(prompt, CancelToken());
  return CurrentLogits();
}

std::vector<float> LlamaSequence::CurrentLogits() const {
  const float* logits = llama_get_logits_ith(context_.get(), -1);
  const auto size =
      static_cast<std::size_t>(llama_vocab_n_tokens(model_->vocabulary().raw()));
  return {logits, logits + size};
}

}  // namespace talefold
