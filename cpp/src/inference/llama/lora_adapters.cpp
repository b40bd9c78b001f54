#include "inference/llama/lora_adapters.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <filesystem>
#include <vector>

#include "base/field_prefix.h"
#include "inference/llama/gguf_metadata.h"
#include "inference/llama/llama_log.h"
#include "talefold/error.h"

namespace talefold {

namespace {

constexpr std::string_view kSuffixA = ".lora_a";
constexpr std::string_view kSuffixB = ".lora_b";

std::string Shape(const ggml_tensor& tensor) {
  return std::to_string(tensor.ne[0]) + " x " + std::to_string(tensor.ne[1]);
}

// Why the two halves of one low-rank change do not fit `weight`; empty when they do.
std::string PairProblem(const GgufMetadata& adapter, const GgufMetadata& model,
                        const std::string& name) {
  const ggml_tensor* a = adapter.Tensor(name + std::string(kSuffixA));
  const ggml_tensor* b = adapter.Tensor(name + std::string(kSuffixB));
  if (!a || !b) return "tensor '" + name + "' lacks its .lora_a or .lora_b half";
  for (const ggml_tensor* half : {a, b}) {
    const bool computes = half->type == GGML_TYPE_F32 || half->type == GGML_TYPE_F16 ||
                          half->type == GGML_TYPE_BF16 || ggml_is_quantized(half->type);
    if (!computes) {  // llama.cpp would crash
      return "tensor '" + name + "' has numbers of type " + ggml_type_name(half->type);
    }
  }
  const ggml_tensor* weight = model.Tensor(name);
  if (!weight) return "the model has no tensor '" + name + "'";
  if (name == "token_embd.weight") return "";  // of other shapes; left to llama.cpp
  if (a->ne[1] != b->ne[0]) {
    return "the ranks of tensor '" + name + "' differ: " + std::to_string(a->ne[1]) +
           " in .lora_a, " + std::to_string(b->ne[0]) + " in .lora_b";
  }
  if (a->ne[0] != weight->ne[0] || b->ne[1] != weight->ne[1]) {
    return "tensor '" + name + "' changes a weight of " + std::to_string(a->ne[0]) +
           " x " + std::to_string(b->ne[1]) + "; the model's is " + Shape(*weight);
  }
  return "";
}

// Why the file is no LoRA adapter for the model; empty when it is one.
std::string AdapterProblem(const std::string& path, const std::string& model_file) {
  const GgufMetadata adapter(path);
  if (!adapter.readable()) return "it is no GGUF file";
  const std::string type(adapter.Text("general.type"));
  if (type != "adapter") return "it is no adapter: general.type is '" + type + "'";
  const std::string kind(adapter.Text("adapter.type"));
  if (kind != "lora") return "it is no LoRA adapter: adapter.type is '" + kind + "'";
  const GgufMetadata model(model_file);
  if (!model.readable()) return "";  // the model's file is gone; left to llama.cpp
  const std::string architecture(adapter.Text("general.architecture"));
  const std::string_view of_model = model.Text("general.architecture");
  if (architecture != of_model) {
    return "it was made for the architecture '" + architecture + "'; the model's is '" +
           std::string(of_model) + "'";
  }
  if (adapter.tensors() == 0) return "it holds no tensors";
  for (std::int64_t i = 0; i < adapter.tensors(); ++i) {
    std::string name(adapter.TensorName(i));
    if (!name.ends_with(kSuffixA) && !name.ends_with(kSuffixB)) {
      return "tensor '" + name + "' is no half of a low-rank change";
    }
    name.resize(name.size() - kSuffixA.size());
    if (std::string problem = PairProblem(adapter, model, name); !problem.empty()) {
      return problem;
    }
  }
  return "";
}

}  // namespace

AdapterSet LoraAdapters::Load(const std::string& node,
                              const ModelAdaptation& adaptation) {
  AdapterSet set;
  std::lock_guard lock(mutex_);
  for (std::size_t i = 0; i < adaptation.loras.size(); ++i) {
    const LoraAdapter& lora = adaptation.loras[i];
    llama_adapter_lora* adapter = nullptr;
    try {
      adapter = LoadFile(lora.path);
    } catch (const Error& error) {
      throw Error(
          error.code(),
          FieldPrefix(node, "adaptation.loras[" + std::to_string(i) + "].path") +
              error.message(),
          error.hint());
    }
    if (lora.scale == 0) continue;  // without effect
    const auto scale = static_cast<float>(lora.scale);
    const auto same = std::ranges::find(set.adapters, adapter);
    if (same != set.adapters.end()) {  // llama.cpp would take one of the two
      set.scales[static_cast<std::size_t>(same - set.adapters.begin())] += scale;
      continue;
    }
    set.adapters.push_back(adapter);
    set.scales.push_back(scale);
  }
  // Not the path: a relative one may name another file by now.
  for (std::size_t i = 0; i < set.adapters.size(); ++i) {
    set.key += std::to_string(std::bit_cast<std::uintptr_t>(set.adapters[i])) + " x " +
               std::to_string(std::bit_cast<std::uint32_t>(set.scales[i])) + "\n";
  }
  return set;
}

std::string LoraAdapters::Identity(const AdapterSet& set) {
  std::string text;
  std::lock_guard lock(mutex_);
  for (std::size_t i = 0; i < set.adapters.size(); ++i) {
    text += (text.empty() ? "" : ", ") + files_.at(set.adapters[i]).hash() + " x " +
            std::to_string(set.scales[i]);
  }
  return text.empty() ? "none" : text;
}

llama_adapter_lora* LoraAdapters::LoadFile(const std::string& path) {
  std::error_code ignored;
  const auto file = std::filesystem::u8path(path);
  if (!std::filesystem::is_regular_file(file, ignored)) {
    throw Error(ErrorCode::AdapterMismatch, "no adapter file at '" + path + "'",
                "give the path of a LoRA adapter in GGUF form");
  }
  const std::string key = std::filesystem::weakly_canonical(file, ignored).string();
  llama_adapter_lora*& adapter = loaded_[key.empty() ? path : key];
  if (adapter) return adapter;
  LlamaLogCapture log(logger_);
  std::string problem = AdapterProblem(path, model_file_);
  if (problem.empty()) {
    adapter = llama_adapter_lora_init(weights_, path.c_str());
    if (!adapter) {
      problem = log.errors().empty() ? "llama.cpp gave no reason" : log.errors();
    } else if (llama_adapter_get_alora_n_invocation_tokens(adapter) > 0) {
      adapter = nullptr;
      problem = "it acts only after certain tokens (aLoRA), which is not supported";
    }
  }
  if (adapter) {
    files_.try_emplace(adapter, path);
    return adapter;
  }
  throw Error(ErrorCode::AdapterMismatch,
              "'" + path + "' cannot be applied to '" + model_file_ + "': " + problem,
              "choose an adapter that was trained on this model");
}

}  // namespace talefold
