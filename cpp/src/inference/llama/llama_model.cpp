#include "inference/llama/llama_model.h"

#include <llama.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <iterator>
#include <mutex>
#include <utility>

#include "base/field_prefix.h"
#include "inference/llama/llama_log.h"
#include "inference/llama/llama_sequence.h"
#include "talefold/error.h"

namespace talefold {

namespace {

constexpr std::int32_t kMinSlotSize = 256;  // llama.cpp makes none smaller

// Tells the models of a process apart.
std::uint64_t NextId() {
  static std::atomic<std::uint64_t> next = 1;
  return next++;
}

// What llama.cpp refuses with a log line only.
void CheckContext(std::string_view node, const ContextOverrides& context) {
  const bool quantized = context.kv_type.value_or(KvType::F16) != KvType::F16;
  if (!quantized || context.flash_attention.value_or(true)) return;
  throw Error(ErrorCode::InvalidParamValue,
              FieldPrefix(node, "context.kv_type") +
                  "a quantized KV cache needs flash attention",
              "remove context.flash_attention, or set context.kv_type to f16");
}

std::string KnownTemplates() {
  std::array<const char*, 128> names = {};
  const std::int32_t count = llama_chat_builtin_templates(names.data(), names.size());
  std::string known;
  for (std::int32_t i = 0; i < std::min<std::int32_t>(count, names.size()); ++i) {
    known +=
        (known.empty() ? "" : ", ") + std::string(names[static_cast<std::size_t>(i)]);
  }
  return known;
}

// The text that llama_chat_apply_template writes; nullopt when it does not know the
// template.
std::optional<std::string> Apply(const std::string& chat_template,
                                 std::span<const ChatMessage> messages) {
  std::vector<llama_chat_message> chat;
  std::vector<std::string> roles;
  roles.reserve(messages.size());
  std::size_t bytes = 256;
  for (const ChatMessage& message : messages) {
    roles.emplace_back(RoleName(message.role));
    chat.push_back({roles.back().c_str(), message.text.c_str()});
    bytes += 2 * message.text.size() + 64;
  }
  std::string text(bytes, '\0');
  const auto apply = [&] {
    return llama_chat_apply_template(chat_template.c_str(), chat.data(), chat.size(),
                                     /*add_ass=*/true, text.data(),
                                     static_cast<std::int32_t>(text.size()));
  };
  std::int32_t size = apply();
  if (size > static_cast<std::int32_t>(text.size())) {
    text.resize(static_cast<std::size_t>(size));
    size = apply();
  }
  if (size < 0) return std::nullopt;
  text.resize(static_cast<std::size_t>(size));
  return text;
}

// What the template writes around a conversation of harmless texts.
std::string TemplateSample(const std::string& chat_template) {
  const std::array<ChatMessage, 4> talk = {{{Role::System, "s"},
                                            {Role::User, "u"},
                                            {Role::Assistant, "a"},
                                            {Role::User, "u"}}};
  if (auto text = Apply(chat_template, talk)) return *text;
  throw Error(
      ErrorCode::UnsupportedChatTemplate,
      "the chat template is not one that llama.cpp knows; known: " + KnownTemplates(),
      "pass chat_template with one of these names, the one the model was "
      "trained with");
}

}  // namespace

LlamaModel::LlamaModel(LlamaModelOptions options, std::shared_ptr<ComputeLane> lane,
                       Logger& logger)
    : options_(std::move(options)),
      lane_(std::move(lane)),
      identity_(options_.path),
      id_(NextId()) {
  weights_ = LoadWeights({.path = options_.path,
                          .use = GgufUse::Text,
                          .n_gpu_layers = options_.n_gpu_layers,
                          .on_progress = options_.on_progress},
                         logger);
  const LlamaLogCapture log(logger);
  adapters_ = std::make_unique<LoraAdapters>(weights_.get(), options_.path, logger);
  const char* own_template = llama_model_chat_template(weights_.get(), nullptr);
  chat_template_ = options_.chat_template;
  if (chat_template_.empty()) chat_template_ = own_template ? own_template : "";
  if (chat_template_.empty()) {
    throw Error(ErrorCode::UnsupportedChatTemplate,
                "'" + options_.path + "' holds no chat template",
                "pass chat_template: one of " + KnownTemplates());
  }
  const std::string sample = TemplateSample(chat_template_);
  // The model's own template tells, too, when another one writes the prompts.
  auto tags = FindReasoningTags(chat_template_, sample);
  if (!tags && own_template) tags = FindReasoningTags(own_template, sample);
  if (!options_.keep_reasoning) reasoning_tags_ = tags;
  try {
    vocabulary_ = std::make_unique<Vocabulary>(weights_.get(), sample, tags);
  } catch (const Error& error) {
    throw Error(ErrorCode::ModelLoadFailed,
                "'" + options_.path + "': " + error.message(), error.hint());
  }
}

LlamaModel::~LlamaModel() {
  for (const auto& [layout, bytes] : slot_costs_) {
    lane_->Post([layout](KvStore& store) { store.DropLayout(layout); });
  }
}

std::int32_t LlamaModel::trained_context_size() const {
  return llama_model_n_ctx_train(weights_.get());
}

std::string LlamaModel::RenderTemplate(std::span<const ChatMessage> messages) const {
  if (auto text = Apply(chat_template_, messages)) return *text;
  throw Error(ErrorCode::UnsupportedChatTemplate,
              "the chat template could not be applied");
}

std::vector<float> LlamaModel::NextTokenLogits(std::span<const Token> prompt) {
  const auto n_tokens = llama_vocab_n_tokens(vocabulary_->raw());
  for (const Token token : prompt) {
    if (token < 0 || token >= n_tokens) {
      throw Error(ErrorCode::InvalidArgument, "token " + std::to_string(token) +
                                                  " is not in the vocabulary of " +
                                                  std::to_string(n_tokens));
    }
  }
  if (prompt.empty()) throw Error(ErrorCode::InvalidArgument, "the prompt is empty");
  const auto context_size = static_cast<std::int32_t>(prompt.size()) + 1;
  LlamaSequence sequence(
      shared_from_this(), "next_token_logits", context_size,
      std::make_shared<KvState>(MakePoolSpec(context_size, {}, 1), AdapterSet()));
  return sequence.NextTokenLogits(prompt);
}

std::unique_ptr<Sequence> LlamaModel::CreateSequence(
    std::string_view node, std::int32_t context_size, const ContextOverrides& context,
    const ModelAdaptation& adaptation) {
  CheckContext(node, context);
  AdapterSet adapters = adapters_->Load(std::string(node), adaptation);
  const auto slots = std::min(std::size_t(lane_->options().slots_per_pool) + 1,
                              llama_max_parallel_sequences());
  std::shared_ptr<const PoolSpec> spec;
  try {
    spec = MakePoolSpec(context_size, context, static_cast<std::int32_t>(slots));
  } catch (const Error& error) {
    throw Error(error.code(), FieldPrefix(node, "context") + error.message(),
                error.hint());
  }
  const std::size_t cap = lane_->options().kv_cache_bytes;
  if (spec->slot_bytes > cap) {
    throw Error(ErrorCode::InvalidParamValue,
                FieldPrefix(node, "context_size") + std::to_string(context_size) +
                    " tokens need " + std::to_string(spec->slot_bytes) +
                    " bytes of KV cache; the engine's kv_cache_bytes is " +
                    std::to_string(cap),
                "lower context_size, choose a smaller context.kv_type, or raise "
                "kv_cache_bytes");
  }
  return std::make_unique<LlamaSequence>(
      shared_from_this(), std::string(node), context_size,
      std::make_shared<KvState>(std::move(spec), std::move(adapters)), context);
}

std::shared_ptr<const PoolSpec> LlamaModel::MakePoolSpec(
    std::int32_t context_size, const ContextOverrides& overrides,
    std::int32_t max_slots) {
  auto spec = std::make_shared<PoolSpec>();
  spec->model = options_.path;
  spec->slot_size = static_cast<std::int32_t>(
      std::bit_ceil(static_cast<std::uint32_t>(std::max(context_size, kMinSlotSize))));
  spec->max_slots = max_slots;
  spec->keeps_no_past = llama_model_is_recurrent(weights_.get()) ||
                        llama_model_is_hybrid(weights_.get()) ||
                        llama_model_n_swa(weights_.get()) > 0;
  const auto number = [](const auto& value) {
    return value ? std::to_string(static_cast<int>(*value)) : std::string("-");
  };
  spec->max_chunk = LlamaDecoder::MaxChunk(overrides);
  const std::string rounding = " batch " + number(overrides.n_batch) + " " +
                               number(overrides.n_ubatch) + " threads " +
                               number(overrides.n_threads);
  spec->layout = "model " + std::to_string(id_) + " kv " + number(overrides.kv_type) +
                 " flash " + number(overrides.flash_attention);
  if (lane_->options().deterministic) spec->layout += rounding;
  spec->key = spec->layout + " size " + std::to_string(spec->slot_size) + " slots " +
              std::to_string(max_slots) + rounding;
  const SlotCost cost = CostOfSlots(spec->layout, overrides);
  spec->slot_bytes = cost.ForSize(spec->slot_size);
  spec->make = [weights = weights_, size = spec->slot_size, overrides,
                states = cost.states](std::int32_t n_slots) {
    return std::make_unique<LlamaDecoder>(weights, size, n_slots, overrides, states);
  };
  return spec;
}

SlotCost LlamaModel::CostOfSlots(const std::string& layout,
                                 const ContextOverrides& overrides) {
  std::lock_guard lock(mutex_);
  auto found = slot_costs_.find(layout);
  if (found == slot_costs_.end()) {
    found = slot_costs_.emplace(layout, LlamaDecoder::MeasureSlot(weights_, overrides))
                .first;
  }
  return found->second;
}

StateIdentity LlamaModel::Identity(const ContextOverrides& overrides,
                                   const AdapterSet& adapters) {
  StateIdentity identity = {
      {"model", identity_.hash()},
      {"llama_build", std::string(ggml_version()) + " " + ggml_commit()},
      {"chat_template", Sha256(chat_template_)},
      {"lora_adapters", adapters_->Identity(adapters)}};
  std::ranges::move(LlamaDecoder::ContextIdentity(overrides),
                    std::back_inserter(identity));
  const bool deterministic = lane_->options().deterministic;
  identity.emplace_back("deterministic", deterministic ? "true" : "false");
  if (!deterministic) return identity;
  // How sums are rounded.
  const auto number = [](const auto& value) {
    return value ? std::to_string(*value) : std::string("default");
  };
  identity.emplace_back("n_batch", number(overrides.n_batch));
  identity.emplace_back("n_ubatch", number(overrides.n_ubatch));
  identity.emplace_back("n_threads", number(overrides.n_threads));
  identity.emplace_back("n_gpu_layers", std::to_string(options_.n_gpu_layers));
  return identity;
}

}  // namespace talefold
