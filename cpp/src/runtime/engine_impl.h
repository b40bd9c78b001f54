// What an engine owns, shared with its agents.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/fork.h"
#include "base/logger.h"
#include "inference/compute_lane.h"
#include "inference/model.h"
#include "inference/scripted/scripted_model.h"
#include "knowledge/knowledge_registry.h"
#include "nodes/node.h"
#include "runtime/embedding_model_table.h"
#include "runtime/watchdog.h"
#include "runtime/worker_pool.h"
#include "storage/storage_registry.h"
#include "talefold/engine.h"
#include "talefold/scene.h"
#include "talefold/turn.h"

namespace talefold {

// Of folds that run beside turns. Any thread.
struct FoldCounts {
  std::atomic<std::int64_t> scheduled = 0;
  std::atomic<std::int64_t> committed = 0;
  std::atomic<std::int64_t> cancelled = 0;
  std::atomic<std::int64_t> failed = 0;
  std::atomic<std::int64_t> overdue = 0;
};

// Any thread may call any method. Kept alive by the engine handle and by every agent.
class Engine::Impl : public std::enable_shared_from_this<Impl> {
 public:
  explicit Impl(EngineOptions options);

  const EngineOptions& options() const { return options_; }
  Logger& logger() { return logger_; }
  Watchdog& watchdog() { return watchdog_; }
  const std::shared_ptr<WorkerPool>& pool() const { return pool_; }  // of turns
  const std::shared_ptr<WorkerPool>& background_pool() const { return background_; }
  FoldCounts& fold_counts() { return fold_counts_; }

  // Throws EngineClosed, also in a child of fork().
  void CheckOpen() const;
  // In a child of fork(), where nothing may wait for what the engine's threads do.
  bool left_behind() const { return fork_.crossed(); }
  // Also InvalidArgument for an empty or used name.
  void CheckName(const std::string& name) const;
  std::shared_ptr<Model> LoadLlamaModel(LlamaModelOptions options);
  void AddModel(const std::string& name, std::shared_ptr<Model> model);
  void RemoveModel(const std::string& name);
  // Throws ModelNotFound, naming `user` (whoever needs it). An empty name is the only
  // model there is.
  std::shared_ptr<Model> FindModel(const std::string& name,
                                   std::string_view user) const;
  std::vector<ModelInfo> Models() const;

  StorageRegistry& storages() { return storages_; }
  EmbeddingModelTable& embedding_models() { return embedding_models_; }
  KnowledgeRegistry& knowledge() { return knowledge_; }
  // What a node's param refers to. Throw what the registry does, naming `user` (node
  // and field).
  std::shared_ptr<const StringStorage> FindStorage(std::string_view user,
                                                   std::string_view reference,
                                                   StorageKind kind) const;
  std::shared_ptr<const KnowledgeBase> FindKnowledge(std::string_view user,
                                                     std::string_view reference);

  // What nodes are made with whose graph has this default model. Refers to the engine.
  NodeEnvironment EnvironmentFor(const std::string& default_model_name);

  // Has a worker do `work` as turn number `id`, until `options` say that its time is
  // up. Throws InvalidArgument, EngineClosed; nothing has begun then.
  std::shared_ptr<Turn::Impl> StartTurn(std::uint64_t id, TurnOptions options,
                                        std::function<void(Turn::Impl&)> work);

  void SetSpeech(std::shared_ptr<SpeechBackend> backend);
  // nullptr when there is none.
  std::shared_ptr<SpeechBackend> speech() const;
  // Close stops it. Throws EngineClosed.
  void AddScene(const std::shared_ptr<Scene::Impl>& scene);
  EngineStats Stats() const;
  void Close();

 private:
  std::string KnownModels() const;  // call with mutex_ held
  void StopScenes();

  const ForkGuard fork_;
  const EngineOptions options_;
  Logger logger_;
  std::atomic<bool> closed_ = false;
  mutable std::mutex mutex_;
  std::map<std::string, std::shared_ptr<Model>> models_;  // guarded by mutex_
  StorageRegistry storages_;
  EmbeddingModelTable embedding_models_;
  KnowledgeRegistry knowledge_;
  std::shared_ptr<SpeechBackend> speech_;           // guarded by mutex_
  std::vector<std::weak_ptr<Scene::Impl>> scenes_;  // guarded by mutex_
  const std::shared_ptr<ComputeLane> lane_;
  Watchdog watchdog_;
  std::shared_ptr<WorkerPool> pool_;
  std::shared_ptr<WorkerPool> background_;
  FoldCounts fold_counts_;
};

}  // namespace talefold
