// Models that turn texts into vectors, for knowledge bases.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace talefold {

struct EmbeddingModelOptions {
  std::string path = {};          // of the GGUF file
  std::int32_t n_gpu_layers = 0;  // layers kept on the GPU; -1 = all
  // Called while loading with the fraction done, on the loading thread; false cancels.
  std::function<bool(float fraction)> on_progress = {};
};

struct EmbeddingModelInfo {
  std::string name = {};
  std::int32_t dimensions = 0;  // numbers of each vector
};

}  // namespace talefold
