#include "inference/llama/load_weights.h"

#include <llama.h>

#include <filesystem>
#include <mutex>

#include "inference/llama/llama_log.h"
#include "talefold/error.h"

namespace talefold {

namespace {

// A llama.cpp that was built for a CPU, not on one, does not look: the process would
// end with an illegal instruction. AVX2 alone does not tell: a few CPUs have it without
// FMA.
void CheckCpu() {
#if defined(TALEFOLD_LLAMA_NEEDS_AVX2) && defined(__GNUC__)
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
      __builtin_cpu_supports("bmi2")) {
    return;
  }
  throw Error(ErrorCode::ModelLoadFailed,
              "this CPU has no AVX2, FMA or BMI2, which this build needs for models",
              "use a build for older CPUs, or scripted models");
#endif
}

void CheckFile(const std::string& path) {
  std::error_code error;
  const auto file = std::filesystem::u8path(path);
  if (std::filesystem::is_regular_file(file, error)) return;
  throw Error(ErrorCode::ModelNotFound, "no model file at '" + path + "'",
              "give the path of a .gguf file");
}

struct Progress {
  const WeightsRequest& request;
  bool cancelled = false;
};

bool OnProgress(float fraction, void* data) {
  auto& progress = *static_cast<Progress*>(data);
  const auto& on_progress = progress.request.on_progress;
  if (on_progress && !on_progress(fraction)) progress.cancelled = true;
  return !progress.cancelled;
}

std::string FailureReason(const Progress& progress, const LlamaLogCapture& log) {
  if (progress.cancelled) return "cancelled";
  // Empty when another llama.cpp user in the process took the log over.
  return log.errors().empty() ? "llama.cpp gave no reason" : log.errors();
}

}  // namespace

LlamaWeights LoadWeights(const WeightsRequest& request, Logger& logger) {
  CheckCpu();
  CheckFile(request.path);
  static std::once_flag backend;  // process-wide in llama.cpp, never freed
  std::call_once(backend, [] {
    RouteLlamaLog();
    llama_backend_init();
  });
  CheckGguf(request.path, request.use);

  llama_model_params params = llama_model_default_params();
  params.n_gpu_layers = request.n_gpu_layers;
  params.progress_callback = OnProgress;
  Progress progress{request};
  params.progress_callback_user_data = &progress;
  LlamaLogCapture log(logger);
  LlamaWeights weights(llama_model_load_from_file(request.path.c_str(), params),
                       [](llama_model* model) { llama_model_free(model); });
  if (weights) return weights;
  throw Error(
      ErrorCode::ModelLoadFailed,
      "'" + request.path + "' could not be loaded: " + FailureReason(progress, log),
      progress.cancelled ? "" : "check that it is a complete GGUF model file");
}

}  // namespace talefold
