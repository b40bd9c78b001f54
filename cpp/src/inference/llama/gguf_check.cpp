#include "inference/llama/gguf_check.h"

#include <gguf.h>
#include <llama.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "talefold/error.h"

namespace talefold {

namespace {

// A getter of gguf.h aborts the process when the key has another type than the one
// asked for. Here such a key counts as absent: llama.cpp refuses it with an error.
class Metadata {
 public:
  explicit Metadata(const std::string& path)
      : gguf_(gguf_init_from_file(path.c_str(), {.no_alloc = true, .ctx = nullptr})) {}

  bool readable() const { return gguf_ != nullptr; }
  bool Has(const std::string& key) const { return Find(key) >= 0; }
  std::int64_t tensors() const { return gguf_get_n_tensors(gguf_.get()); }

  std::string_view Text(const std::string& key) const {
    const std::int64_t id = Find(key, GGUF_TYPE_STRING);
    return id < 0 ? "" : gguf_get_val_str(gguf_.get(), id);
  }
  std::uint32_t Number(const std::string& key, std::uint32_t otherwise) const {
    const std::int64_t id = Find(key, GGUF_TYPE_UINT32);
    return id < 0 ? otherwise : gguf_get_val_u32(gguf_.get(), id);
  }
  bool Flag(const std::string& key, bool otherwise) const {
    const std::int64_t id = Find(key, GGUF_TYPE_BOOL);
    return id < 0 ? otherwise : gguf_get_val_bool(gguf_.get(), id);
  }
  std::vector<std::string_view> Texts(const std::string& key) const {
    const std::int64_t id = FindArray(key, GGUF_TYPE_STRING);
    std::vector<std::string_view> texts(id < 0 ? 0 : gguf_get_arr_n(gguf_.get(), id));
    for (std::size_t i = 0; i < texts.size(); ++i) {
      texts[i] = gguf_get_arr_str(gguf_.get(), id, i);
    }
    return texts;
  }
  std::span<const std::int32_t> Integers(const std::string& key) const {
    const std::int64_t id = FindArray(key, GGUF_TYPE_INT32);
    if (id < 0) return {};
    return {static_cast<const std::int32_t*>(gguf_get_arr_data(gguf_.get(), id)),
            gguf_get_arr_n(gguf_.get(), id)};
  }
  std::size_t data_offset() const { return gguf_get_data_offset(gguf_.get()); }

 private:
  struct Deleter {
    void operator()(gguf_context* gguf) const { gguf_free(gguf); }
  };

  std::int64_t Find(const std::string& key) const {
    return gguf_find_key(gguf_.get(), key.c_str());
  }
  std::int64_t Find(const std::string& key, gguf_type type) const {
    const std::int64_t id = Find(key);
    return id >= 0 && gguf_get_kv_type(gguf_.get(), id) == type ? id : -1;
  }
  std::int64_t FindArray(const std::string& key, gguf_type type) const {
    const std::int64_t id = Find(key, GGUF_TYPE_ARRAY);
    return id >= 0 && gguf_get_arr_type(gguf_.get(), id) == type ? id : -1;
  }

  std::unique_ptr<gguf_context, Deleter> gguf_;
};

// What the file is in place of a model that writes text; empty when it is one.
std::string OtherKind(const Metadata& file) {
  const std::string architecture(file.Text("general.architecture"));
  const std::string_view type = file.Text("general.type");
  const std::string named = " (architecture " + architecture + ")";
  if (architecture == "clip" || type == "mmproj") {
    return "is a projector of images or sound" + named;
  }
  if (type == "adapter") return "is a LoRA adapter, not a model";
  if (type == "imatrix" || architecture == "imatrix") return "is an importance matrix";
  // The first file of a model in several may hold metadata alone.
  if (file.tensors() == 0 && !file.Has("split.count")) {
    return "holds no weights, at most a vocabulary";
  }
  // The bert family also without that key: llama.cpp has no memory for its contexts.
  const bool pools = file.Number(architecture + ".pooling_type", 0) != 0;
  if (pools || architecture.find("bert") != architecture.npos ||
      architecture == "t5encoder") {
    return "is an embedding model" + named + ": it cannot write text";
  }
  if (architecture == "t5") {
    return "is an encoder-decoder model" + named + ": Talefold runs decoders only";
  }
  if (!file.Flag(architecture + ".attention.causal", true)) {
    return "does not write its text from left to right" + named;
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
std::string Damage(const Metadata& file) {
  constexpr std::size_t kAlignment = 32;  // of a buffer in ggml-backend
  if (file.tensors() > 0 && file.data_offset() % kAlignment != 0) {
    return "its weights begin at byte " + std::to_string(file.data_offset()) +
           ", which is no multiple of " + std::to_string(kAlignment);
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

void CheckGguf(const std::string& path) {
  const Metadata file(path);
  if (!file.readable()) return;
  if (const std::string kind = OtherKind(file); !kind.empty()) {
    throw Error(ErrorCode::ModelLoadFailed, "'" + path + "' " + kind,
                "load a text model");
  }
  if (const std::string damage = Damage(file); !damage.empty()) {
    throw Error(ErrorCode::ModelLoadFailed, "'" + path + "' is damaged: " + damage,
                "get another copy of the file, or convert the model again");
  }
}

}  // namespace talefold
