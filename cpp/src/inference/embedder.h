// What the rest of the engine knows of a model that turns texts into vectors.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace talefold {

// Any thread may call any method. Owned by the engine and by the storages that use it.
class Embedder {
 public:
  virtual ~Embedder() = default;

  // Of each vector; >= 1 and always the same.
  virtual std::size_t dimensions() const = 0;

  // The vectors of the texts (valid UTF-8), one row after the other, each of unit
  // length or, of a text without tokens, all zeros. What a text is longer than the
  // model can read is left out. Throws EmbeddingFailed.
  virtual std::vector<float> Embed(std::span<const std::string> texts) = 0;
};

}  // namespace talefold
