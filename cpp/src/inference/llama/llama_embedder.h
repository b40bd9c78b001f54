// A GGUF embedding model in this process, through llama.cpp.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "base/logger.h"
#include "inference/embedder.h"
#include "inference/llama/load_weights.h"
#include "inference/llama/vocabulary.h"
#include "talefold/embedding_model.h"

struct llama_context;

namespace talefold {

// Texts beyond the first 512 tokens, or what the model was trained for if less, are
// cut. Vectors are pooled as the file says, by their mean if it does not.
//
// One context of its own behind a mutex, not the compute lane: the lane shares out KV
// cells between batches of a few milliseconds, of which embeddings have none, while a
// storage of thousands of records takes minutes. A batch holds the mutex no longer than
// it computes, so that a player's query waits for one batch of a storage being read.
class LlamaEmbedder final : public Embedder {
 public:
  // Reads the weights. Throws ModelNotFound, and ModelLoadFailed also for a model that
  // writes text, saying so.
  LlamaEmbedder(const EmbeddingModelOptions& options, Logger& logger);

  std::size_t dimensions() const override { return dimensions_; }
  std::vector<float> Embed(std::span<const std::string> texts) override;

 private:
  struct ContextDeleter {
    void operator()(llama_context* context) const;
  };
  using Tokens = std::vector<Token>;

  Tokens Tokenize(const std::string& text) const;
  // The vectors of texts that fit in one batch, into `rows`.
  void EmbedBatch(std::span<const Tokens> texts, float* rows);

  LlamaWeights weights_;  // outlives the context
  std::unique_ptr<Vocabulary> vocabulary_;
  std::size_t dimensions_ = 0;
  std::size_t max_tokens_ = 0;  // of one text, specials included
  Tokens before_, after_;       // what the model expects around a text
  std::mutex mutex_;            // held while a batch is computed; guards context_
  std::unique_ptr<llama_context, ContextDeleter> context_;
};

}  // namespace talefold
