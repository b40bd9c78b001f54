// Options of a GGUF model.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "talefold/node_params.h"

namespace talefold {

struct LlamaModelOptions {
  std::string path = {};                  // of the GGUF file
  std::int32_t n_gpu_layers = 0;          // layers kept on the GPU; -1 = all
  std::int32_t default_context_size = 0;  // tokens, of nodes with 0; 0 = 4096
  // A name or a text of a template that llama.cpp knows, in place of the model's own;
  // empty = the model's own.
  std::string chat_template = {};
  SamplingOverrides default_sampling = {};
  // Replies with the reasoning in them, as the model wrote it. If not, what stands
  // between the tags of the model's chat template (<think>, </think> and others like
  // it) is taken out of replies; diagnostics have it.
  bool keep_reasoning = false;
  bool record_requests = false;  // keep every request, with its logits, for inspection
  // Called while loading with the fraction done, on the loading thread; false cancels.
  std::function<bool(float fraction)> on_progress = {};
};

}  // namespace talefold
