// The engine: models and the threads that run turns.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "talefold/agent.h"
#include "talefold/llama_model.h"
#include "talefold/log.h"
#include "talefold/recorded_request.h"
#include "talefold/scripted_model.h"
#include "talefold/speech.h"
#include "talefold/stats.h"

namespace talefold {

struct EngineOptions {
  std::int32_t worker_threads = 8;         // turns that may run at the same time, >= 1
  std::int64_t max_message_bytes = 65536;  // longest text of one message, >= 1
  std::int32_t max_steps_per_turn = 64;    // nodes one turn may execute, >= 1
  // Most bytes of KV cache, allocated and parked together, >= 1.
  std::int64_t kv_cache_bytes = std::int64_t{1} << 30;
  // Requests of one model and context size that run at the same time, >= 1; each takes
  // KV memory from the start. One more slot is for background work.
  std::int32_t slots_per_pool = 4;
  // The same text whatever else runs: batches of one, chunks at fixed positions.
  // Slower.
  bool deterministic = false;
  // Compute what next prompts begin with at the end of a turn, while no player waits.
  bool prewarm = true;
  LogSink log_sink = {};  // empty = no log
};

struct ModelInfo {
  std::string name = {};
  std::string kind = {};  // "scripted", "llama"
  std::int32_t trained_context_size = 0;
};

// One per process is usual; several work. Any thread may call any method. Owns its
// models and workers; agents and turns stay valid handles after Close, and say so.
class Engine {
 public:
  explicit Engine(EngineOptions options = {});
  ~Engine();  // Close
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  // InvalidArgument for an empty or used name or bad options.
  void LoadScriptedModel(const std::string& name, ScriptedModelOptions options = {});
  // Loads a GGUF model; takes long. ModelNotFound, ModelLoadFailed (also when
  // on_progress cancels), UnsupportedChatTemplate, InvalidArgument for the name.
  void LoadModel(const std::string& name, LlamaModelOptions options);
  // Agents that use the model keep it until they are gone.
  void UnloadModel(const std::string& name);
  std::vector<ModelInfo> Models() const;
  // Tokens of `text` as untrusted data.
  std::int64_t CountTokens(const std::string& model, std::string_view text) const;
  // The requests recorded by a model loaded with record_requests, oldest first.
  std::vector<RecordedRequest> RecordedRequests(const std::string& model) const;
  // The logits of the token after `prompt`, from an empty KV cache; one float a
  // vocabulary entry. InvalidArgument for a model without weights or an empty prompt.
  std::vector<float> NextTokenLogits(const std::string& model,
                                     std::vector<std::int32_t> prompt);

  // What agents made from now on speak with; nullptr = nothing. Agents that are there
  // keep what they have.
  void SetSpeechBackend(std::shared_ptr<SpeechBackend> backend);

  // What inference does and holds, as of the newest batch.
  EngineStats Stats() const;

  // Throws what ValidateGraph finds, ModelNotFound, InvalidParamValue (context sizes),
  // AdapterMismatch, or a snapshot error.
  Agent CreateAgent(const GraphDescription& graph, AgentOptions options = {});

  // Cancels every turn, waits for the workers. Idempotent. Not from a listener or sink.
  void Close();

  class Impl;

 private:
  std::shared_ptr<Impl> impl_;
};

}  // namespace talefold
