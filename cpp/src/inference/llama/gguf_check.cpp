#include "inference/llama/gguf_check.h"

#include <llama.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "inference/llama/gguf_metadata.h"
#include "talefold/error.h"

namespace talefold {

namespace {

std::string Named(const GgufMetadata& file) {
  return " (architecture " + std::string(file.Text("general.architecture")) + ")";
}

// What the file is in place of a model of any use; empty when it is one.
std::string NoModel(const GgufMetadata& file) {
  const std::string_view architecture = file.Text("general.architecture");
  const std::string_view type = file.Text("general.type");
  if (architecture == "clip" || type == "mmproj") {
    return "is a projector of images or sound" + Named(file);
  }
  if (type == "adapter") return "is a LoRA adapter, not a model";
  if (type == "imatrix" || architecture == "imatrix") return "is an importance matrix";
  // The first file of a model in several may hold metadata alone.
  if (file.tensors() == 0 && !file.Has("split.count")) {
    return "holds no weights, at most a vocabulary";
  }
  return "";
}

std::uint32_t Pooling(const GgufMetadata& file) {
  return file.Number(std::string(file.Text("general.architecture")) + ".pooling_type",
                     LLAMA_POOLING_TYPE_NONE);
}

// The bert family also without a way of pooling: llama.cpp has no memory for its
// contexts.
bool IsEmbeddingModel(const GgufMetadata& file) {
  const std::string_view architecture = file.Text("general.architecture");
  return Pooling(file) != LLAMA_POOLING_TYPE_NONE ||
         architecture.find("bert") != architecture.npos || architecture == "t5encoder";
}

// What the file is in place of a model that writes text; empty when it is one.
std::string NoTextModel(const GgufMetadata& file) {
  if (std::string kind = NoModel(file); !kind.empty()) return kind;
  const std::string architecture(file.Text("general.architecture"));
  if (IsEmbeddingModel(file)) {
    return "is an embedding model" + Named(file) + ": it cannot write text";
  }
  if (architecture == "t5") {
    return "is an encoder-decoder model" + Named(file) +
           ": Talefold runs decoders only";
  }
  if (!file.Flag(architecture + ".attention.causal", true)) {
    return "does not write its text from left to right" + Named(file);
  }
  return "";
}

std::string NoEmbeddingModel(const GgufMetadata& file) {
  if (std::string kind = NoModel(file); !kind.empty()) return kind;
  if (!IsEmbeddingModel(file)) {
    return "is a text model" + Named(file) + ": it makes no embeddings";
  }
  if (Pooling(file) == LLAMA_POOLING_TYPE_RANK) {
    return "is a reranker" + Named(file) + ": it makes no embeddings";
  }
  return "";
}

std::string RepeatedToken(std::span<const std::string_view> tokens) {
  std::unordered_map<std::string_view, std::size_t> ids;
  ids.reserve(tokens.size());
  std::deque<std::string> stand_ins;
  for (std::size_t id = 0; id < tokens.size(); ++id) {
    std::string_view text = tokens[id];
    if (text.empty()) {  // llama.cpp names it so, and the name may be taken
      text = stand_ins.emplace_back("[EMPTY_" + std::to_string(id) + "]");
    }
    const auto [first, is_new] = ids.emplace(text, id);
    if (is_new) continue;
    return "tokens " + std::to_string(first->second) + " and " + std::to_string(id) +
           " of its vocabulary have the same text";
  }
  return "";
}

// What llama.cpp would end the process for, seen by trying; empty when there is
// nothing. Other damage it refuses with an error.
std::string Damage(const GgufMetadata& file) {
  constexpr std::size_t kAlignment = 32;  // of a buffer in ggml-backend
  if (file.tensors() > 0 && file.data_offset() % kAlignment != 0) {
    return "its weights begin at byte " + std::to_string(file.data_offset()) +
           ", which is no multiple of " + std::to_string(kAlignment);
  }
  for (std::int64_t i = 0; i < file.tensors(); ++i) {
    const std::string name(file.TensorName(i));
    if (file.Tensor(name)->type != GGML_TYPE_F64) continue;
    return "tensor '" + name + "' has numbers of type f64, with which nothing computes";
  }
  const std::string_view tokenizer = file.Text("tokenizer.ggml.model");
  if (tokenizer == "none" || tokenizer == "no_vocab") return "it has no vocabulary";
  const auto types = file.Integers("tokenizer.ggml.token_type");
  if (tokenizer == "bert" &&
      std::ranges::find(types, LLAMA_TOKEN_TYPE_BYTE) != types.end()) {
    return "it has tokens of single bytes, which its tokenizer 'bert' does not know";
  }
  return RepeatedToken(file.Texts("tokenizer.ggml.tokens"));
}

}  // namespace

void CheckGguf(const std::string& path, GgufUse use) {
  const GgufMetadata file(path);
  if (!file.readable()) return;
  const bool text = use == GgufUse::Text;
  const std::string other = text ? NoTextModel(file) : NoEmbeddingModel(file);
  if (!other.empty()) {
    throw Error(ErrorCode::ModelLoadFailed, "'" + path + "' " + other,
                text ? "load a text model" : "load an embedding model");
  }
  if (const std::string damage = Damage(file); !damage.empty()) {
    throw Error(ErrorCode::ModelLoadFailed, "'" + path + "' is damaged: " + damage,
                "get another copy of the file, or convert the model again");
  }
}

}  // namespace talefold
