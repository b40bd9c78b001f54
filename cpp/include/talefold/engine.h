// The engine: models and the threads that run turns.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "talefold/agent.h"
#include "talefold/log.h"
#include "talefold/scripted_model.h"

namespace talefold {

struct EngineOptions {
  std::int32_t worker_threads = 8;         // turns that may run at the same time, >= 1
  std::int64_t max_message_bytes = 65536;  // longest text of one message, >= 1
  std::int32_t max_steps_per_turn = 64;    // nodes one turn may execute, >= 1
  LogSink log_sink = {};                   // empty = no log
};

struct ModelInfo {
  std::string name = {};
  std::string kind = {};  // "scripted"
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
  // Agents that use the model keep it until they are gone.
  void UnloadModel(const std::string& name);
  std::vector<ModelInfo> Models() const;
  // Tokens of `text` as untrusted data.
  std::int64_t CountTokens(const std::string& model, std::string_view text) const;
  // The requests recorded by a scripted model (record_requests), oldest first.
  std::vector<ScriptedRequest> ScriptedRequests(const std::string& model) const;

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
