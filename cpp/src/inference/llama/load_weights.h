// A GGUF file -> weights in memory.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "base/logger.h"
#include "inference/llama/gguf_check.h"

struct llama_model;

namespace talefold {

using LlamaWeights = std::shared_ptr<llama_model>;

struct WeightsRequest {
  std::string path;
  GgufUse use = GgufUse::Text;
  int n_gpu_layers = 0;                                  // -1 = all
  std::function<bool(float fraction)> on_progress = {};  // false cancels; may be empty
};

// Takes long; any thread. Throws ModelNotFound (no such file), ModelLoadFailed (no GGUF
// file of a model for this use, damaged, cancelled, out of memory, or a CPU older than
// llama.cpp was built for).
LlamaWeights LoadWeights(const WeightsRequest& request, Logger& logger);

}  // namespace talefold
