// Keys and tensors of a GGUF file, without its weights.
#pragma once

#include <ggml.h>
#include <gguf.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace talefold {

// A getter of gguf.h aborts the process when the key has another type than the one
// asked for. Here such a key counts as absent: llama.cpp refuses it with an error.
class GgufMetadata {
 public:
  explicit GgufMetadata(const std::string& path) {
    ggml_context* tensors = nullptr;
    gguf_.reset(gguf_init_from_file(path.c_str(), {.no_alloc = true, .ctx = &tensors}));
    tensors_.reset(tensors);
  }

  bool readable() const { return gguf_ != nullptr; }
  bool Has(const std::string& key) const { return Find(key) >= 0; }
  std::int64_t tensors() const { return gguf_get_n_tensors(gguf_.get()); }
  std::string_view TensorName(std::int64_t i) const {
    return gguf_get_tensor_name(gguf_.get(), i);
  }
  // nullptr when there is none of this name; its data is not loaded.
  const ggml_tensor* Tensor(const std::string& name) const {
    return ggml_get_tensor(tensors_.get(), name.c_str());
  }

  std::string_view Text(const std::string& key) const {
    const std::int64_t id = Find(key, GGUF_TYPE_STRING);
    return id < 0 ? "" : gguf_get_val_str(gguf_.get(), id);
  }
  std::uint32_t Number(const std::string& key, std::uint32_t otherwise) const {
    const std::int64_t id = Find(key, GGUF_TYPE_UINT32);
    return id < 0 ? otherwise : gguf_get_val_u32(gguf_.get(), id);
  }
  std::uint16_t Number16(const std::string& key, std::uint16_t otherwise) const {
    const std::int64_t id = Find(key, GGUF_TYPE_UINT16);
    return id < 0 ? otherwise : gguf_get_val_u16(gguf_.get(), id);
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
    void operator()(ggml_context* tensors) const { ggml_free(tensors); }
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
  std::unique_ptr<ggml_context, Deleter> tensors_;
};

}  // namespace talefold
