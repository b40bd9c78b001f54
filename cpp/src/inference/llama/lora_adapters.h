// LoRA adapters of a model, loaded from their files.
#pragma once

#include <llama.h>

#include <map>
#include <mutex>
#include <string>

#include "base/logger.h"
#include "inference/kv/batch_decoder.h"
#include "inference/llama/model_identity.h"

namespace talefold {

// Any thread. Owned by the model; llama.cpp frees the adapters with the weights.
class LoraAdapters {
 public:
  // `model_file`: what `weights` were loaded from.
  LoraAdapters(llama_model* weights, std::string model_file, Logger& logger)
      : weights_(weights), model_file_(std::move(model_file)), logger_(logger) {}

  // Loads what is not loaded yet. Throws AdapterMismatch when a file is missing or is
  // no LoRA adapter for this model.
  AdapterSet Load(const std::string& node, const ModelAdaptation& adaptation);
  // The content and scale of each adapter, as text. Throws InferenceFailed when an
  // adapter's file cannot be read any more.
  std::string Identity(const AdapterSet& set);

 private:
  llama_adapter_lora* LoadFile(const std::string& path);

  llama_model* const weights_;
  const std::string model_file_;
  Logger& logger_;
  std::mutex mutex_;
  std::map<std::string, llama_adapter_lora*> loaded_;  // by path; guarded by mutex_
  std::map<const llama_adapter_lora*, ModelIdentity> files_;  // guarded by mutex_
};

}  // namespace talefold
