// The engine: models, content, and the threads that run turns.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "talefold/agent.h"
#include "talefold/embedding_model.h"
#include "talefold/knowledge.h"
#include "talefold/llama_model.h"
#include "talefold/log.h"
#include "talefold/recorded_request.h"
#include "talefold/scene.h"
#include "talefold/scripted_model.h"
#include "talefold/speech.h"
#include "talefold/stats.h"
#include "talefold/storage.h"

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
  // The folder of string storages and knowledge bases, UTF-8; no path in a graph leads
  // out of it. Empty = no files.
  std::string storage_root = {};
  LogSink log_sink = {};  // empty = no log
};

struct ModelInfo {
  std::string name = {};
  std::string kind = {};  // "scripted", "llama"
  std::int32_t trained_context_size = 0;
};

// One per process is usual; several work. Any thread may call any method. Owns its
// models and workers; agents and turns stay valid handles after Close, and say so. In a
// child of fork() they answer EngineClosed, and what ran at the fork has no end there.
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

  // A string storage that graphs refer to by name; entries of a List have no ids.
  // InvalidArgument for the name, StorageNameConflict when a file under the storage
  // root is called the same, MalformedStorage, DuplicateStorageId, StorageTooLarge.
  void AddStorage(const std::string& name, StorageKind kind,
                  std::vector<StorageEntry> entries);
  // Agents that use the storage keep it. InvalidArgument for an unknown name.
  void RemoveStorage(const std::string& name);

  // Loads a GGUF model that turns texts into vectors; takes long. Its names are apart
  // from those of other models. ModelNotFound, ModelLoadFailed, InvalidArgument for the
  // name.
  void LoadEmbeddingModel(const std::string& name, EmbeddingModelOptions options);
  // Knowledge bases that use the model keep it.
  void UnloadEmbeddingModel(const std::string& name);
  std::vector<EmbeddingModelInfo> EmbeddingModels() const;
  // The vectors of texts, one row after the other, each of unit length, or zeros for a
  // text without tokens. Beyond the first 512 tokens, or what the model was trained for
  // if that is less, a text is cut. ModelNotFound, EmbeddingFailed, InvalidUtf8.
  std::vector<float> Embed(const std::string& model,
                           const std::vector<std::string>& texts) const;

  // A knowledge base that graphs refer to by name. Reads and embeds every record, which
  // may take long; load the embedding model that it names before. InvalidArgument for
  // the name, StorageNameConflict, what reading files throws (3009, 3010, 7003, 7005),
  // MalformedEmbeddedStorage, EmbeddedStorageVersionTooNew, InvalidMetadata,
  // EmbeddingFailed.
  void LoadKnowledge(const std::string& name, const KnowledgeSource& source);
  // Agents that use the knowledge base keep it. InvalidArgument for an unknown name.
  void UnloadKnowledge(const std::string& name);
  // Of a name, or of a config file under the storage root, which is read, and its
  // records embedded unless an agent has the same. Throws what LoadKnowledge throws.
  KnowledgeInfo DescribeKnowledge(const std::string& reference) const;
  // What nodes would find, nearest first. Also InvalidFilter, and InvalidArgument for
  // what is out of range.
  std::vector<FoundRecord> SearchKnowledge(const std::string& reference,
                                           const KnowledgeSearch& search) const;

  // What agents made from now on speak with; nullptr = nothing. Agents that are there
  // keep what they have.
  void SetSpeechBackend(std::shared_ptr<SpeechBackend> backend);

  // What inference does and holds, as of the newest batch.
  EngineStats Stats() const;

  // Throws what ValidateGraph finds, ModelNotFound, InvalidParamValue (context sizes),
  // AdapterMismatch, or a snapshot error.
  Agent CreateAgent(const GraphDescription& graph, AgentOptions options = {});

  // A story that several characters share. Throws what the memory graph throws, as
  // CreateAgent; other nodes than Archive and LayeredHistory are
  // GraphCompilationFailed.
  Scene CreateScene(SceneOptions options = {});

  // Cancels every turn, waits for the workers. Idempotent. Not from a listener or sink.
  void Close();

  class Impl;

 private:
  std::shared_ptr<Impl> impl_;
};

}  // namespace talefold
