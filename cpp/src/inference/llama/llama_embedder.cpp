#include "inference/llama/llama_embedder.h"

#include <llama.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <thread>

#include "inference/llama/llama_log.h"
#include "talefold/error.h"

namespace talefold {

namespace {

// Tokens in a batch, and texts: an encoder computes all of a batch at once, or ends the
// process.
constexpr std::size_t kBatchTokens = 512;
constexpr std::size_t kBatchTexts = 16;
constexpr unsigned kMaxThreads = 128;

bool SaysPooling(const llama_model* model) {
  std::array<char, 64> text = {};
  llama_model_meta_val_str(model, "general.architecture", text.data(), text.size());
  const std::string key = std::string(text.data()) + ".pooling_type";
  text.fill('\0');
  llama_model_meta_val_str(model, key.c_str(), text.data(), text.size());
  return text[0] != '\0' && text[0] != '0';  // 0 is "none"
}

llama_context* MakeContext(const EmbeddingModelOptions& options, llama_model* model) {
  llama_context_params params = llama_context_default_params();
  params.n_ctx = params.n_batch = params.n_ubatch = kBatchTokens;
  params.n_seq_max = kBatchTexts;
  params.kv_unified = true;  // a text may be as long as the batch
  params.n_threads = params.n_threads_batch = static_cast<std::int32_t>(
      std::clamp(std::thread::hardware_concurrency(), 1U, kMaxThreads));
  params.embeddings = true;
  params.no_perf = true;
  if (!SaysPooling(model)) params.pooling_type = LLAMA_POOLING_TYPE_MEAN;
  const LlamaLogCapture log;
  if (llama_context* context = llama_init_from_model(model, params)) return context;
  throw Error(ErrorCode::ModelLoadFailed,
              "'" + options.path + "': no llama.cpp context could be made" +
                  (log.errors().empty() ? "" : ": " + log.errors()),
              "check that the file is an embedding model, and the memory");
}

// What llama_tokenize puts before and after a text of its own accord.
void FindSpecials(const llama_vocab* vocab, std::vector<Token>& before,
                  std::vector<Token>& after) {
  const auto tokenize = [&](bool add_special) {
    std::vector<Token> ids(16);
    const std::int32_t count =
        llama_tokenize(vocab, "x", 1, ids.data(), static_cast<std::int32_t>(ids.size()),
                       add_special, /*parse_special=*/false);
    ids.resize(static_cast<std::size_t>(std::max(count, 0)));
    return ids;
  };
  const std::vector<Token> whole = tokenize(true);
  const auto text = std::ranges::search(whole, tokenize(false));
  before.assign(whole.begin(), text.begin());
  after.assign(text.end(), whole.end());
}

// Throws for numbers that cannot be compared.
void Normalize(std::span<float> vector) {
  double square = 0;
  for (const float number : vector) square += double{number} * number;
  if (!std::isfinite(square)) {
    throw Error(ErrorCode::EmbeddingFailed,
                "the embedding model gave a number that is not finite",
                "check the model file, or convert the model again");
  }
  const double scale = square > 0 ? 1 / std::sqrt(square) : 0;
  for (float& number : vector) number = static_cast<float>(number * scale);
}

}  // namespace

void LlamaEmbedder::ContextDeleter::operator()(llama_context* context) const {
  llama_free(context);
}

LlamaEmbedder::LlamaEmbedder(const EmbeddingModelOptions& options, Logger& logger)
    : weights_(LoadWeights({.path = options.path,
                            .use = GgufUse::Embedding,
                            .n_gpu_layers = options.n_gpu_layers,
                            .on_progress = options.on_progress},
                           logger)) {
  llama_model* model = weights_.get();
  dimensions_ = static_cast<std::size_t>(llama_model_n_embd_out(model));
  try {
    vocabulary_ = std::make_unique<Vocabulary>(model, "");
  } catch (const Error& error) {
    throw Error(ErrorCode::ModelLoadFailed,
                "'" + options.path + "': " + error.message(), error.hint());
  }
  FindSpecials(vocabulary_->raw(), before_, after_);
  const std::int32_t trained = llama_model_n_ctx_train(model);
  max_tokens_ = std::min(kBatchTokens, static_cast<std::size_t>(std::max(trained, 1)));
  if (before_.size() + after_.size() >= max_tokens_) {
    throw Error(ErrorCode::ModelLoadFailed,
                "'" + options.path + "' reads " + std::to_string(max_tokens_) +
                    " tokens at a time, which leaves no room for a text");
  }
  context_.reset(MakeContext(options, model));
}

std::vector<float> LlamaEmbedder::Embed(std::span<const std::string> texts) {
  std::vector<float> rows(texts.size() * dimensions_);
  std::vector<Tokens> batch;
  std::size_t batch_tokens = 0;
  std::size_t first = 0;  // text in the batch
  const auto flush = [&](std::size_t next) {
    EmbedBatch(batch, rows.data() + first * dimensions_);
    batch.clear();
    batch_tokens = 0;
    first = next;
  };
  for (std::size_t i = 0; i < texts.size(); ++i) {
    Tokens tokens = Tokenize(texts[i]);
    if (batch.size() == kBatchTexts || batch_tokens + tokens.size() > kBatchTokens) {
      flush(i);
    }
    batch_tokens += tokens.size();
    batch.push_back(std::move(tokens));
  }
  flush(texts.size());
  return rows;
}

LlamaEmbedder::Tokens LlamaEmbedder::Tokenize(const std::string& text) const {
  Tokens content = vocabulary_->Tokenize(text);
  if (content.empty()) return {};
  content.resize(
      std::min(content.size(), max_tokens_ - before_.size() - after_.size()));
  content.insert(content.begin(), before_.begin(), before_.end());
  content.insert(content.end(), after_.begin(), after_.end());
  return content;
}

void LlamaEmbedder::EmbedBatch(std::span<const Tokens> texts, float* rows) {
  std::size_t size = 0;
  for (const Tokens& tokens : texts) size += tokens.size();
  if (size == 0) return;  // rows are zeros
  llama_batch batch = llama_batch_init(static_cast<std::int32_t>(size), /*embd=*/0,
                                       /*n_seq_max=*/1);
  const std::unique_ptr<llama_batch, void (*)(llama_batch*)> owner(
      &batch, [](llama_batch* owned) { llama_batch_free(*owned); });
  for (std::size_t text = 0; text < texts.size(); ++text) {
    for (std::size_t i = 0; i < texts[text].size(); ++i) {
      const auto at = batch.n_tokens++;
      batch.token[at] = texts[text][i];
      batch.pos[at] = static_cast<llama_pos>(i);
      batch.n_seq_id[at] = 1;
      batch.seq_id[at][0] = static_cast<llama_seq_id>(text);
      batch.logits[at] = 1;
    }
  }
  const std::lock_guard lock(mutex_);
  const LlamaLogCapture log;
  const llama_memory_t memory = llama_get_memory(context_.get());  // encoders have none
  if (memory != nullptr) llama_memory_clear(memory, /*data=*/false);
  const std::int32_t status = memory == nullptr ? llama_encode(context_.get(), batch)
                                                : llama_decode(context_.get(), batch);
  if (status != 0) {
    throw Error(ErrorCode::EmbeddingFailed,
                "the embedding model failed with status " + std::to_string(status) +
                    (log.errors().empty() ? "" : ": " + log.errors()));
  }
  for (std::size_t text = 0; text < texts.size(); ++text) {
    if (texts[text].empty()) continue;
    const float* vector =
        llama_get_embeddings_seq(context_.get(), static_cast<llama_seq_id>(text));
    if (vector == nullptr) {
      throw Error(ErrorCode::EmbeddingFailed, "the embedding model gave no vector");
    }
    const std::span row(rows + text * dimensions_, dimensions_);
    std::copy_n(vector, dimensions_, row.begin());
    Normalize(row);
  }
}

}  // namespace talefold
