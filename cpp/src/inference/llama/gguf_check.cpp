#include "inference/llama/gguf_check.h"

#include <gguf.h>

#include <cstdint>
#include <memory>
#include <string_view>

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

}  // namespace

void CheckGguf(const std::string& path) {
  const Metadata file(path);
  if (!file.readable()) return;
  if (const std::string kind = OtherKind(file); !kind.empty()) {
    throw Error(ErrorCode::ModelLoadFailed, "'" + path + "' " + kind,
                "load a text model");
  }
}

}  // namespace talefold
