#include "talefold/engine.h"

#include <filesystem>
#include <limits>
#include <utility>

#include "base/field_prefix.h"
#include "base/text.h"
#include "graph/descriptor.h"
#include "runtime/agent_impl.h"
#include "runtime/engine_impl.h"
#include "runtime/scene_impl.h"

#ifdef TALEFOLD_WITH_LLAMA
#include "inference/llama/llama_model.h"
#endif

namespace talefold {

namespace {

// Turns with a longer time never expire: a hundred years, so that deadlines cannot
// overflow.
constexpr std::int64_t kMaxTimeoutMs = 100LL * 365 * 24 * 3600 * 1000;

void CheckAtLeastOne(std::int64_t value, const char* option) {
  if (value >= 1) return;
  throw Error(ErrorCode::InvalidArgument, std::string("engine option ") + option +
                                              ": " + std::to_string(value) +
                                              " is out of range; allowed 1 or more");
}

[[noreturn]] void ThrowNameTaken(const std::string& name) {
  throw Error(ErrorCode::InvalidArgument, "a model named '" + name + "' is loaded",
              "choose another name, or unload that model first");
}

StorageRoot RootOf(const EngineOptions& options) {
  if (options.storage_root.empty()) return StorageRoot();
  CheckText(options.storage_root, "engine option storage_root",
            std::numeric_limits<std::int64_t>::max());
  return StorageRoot(std::filesystem::u8path(options.storage_root));
}

EngineOptions Checked(EngineOptions options) {
  CheckAtLeastOne(options.worker_threads, "worker_threads");
  CheckAtLeastOne(options.max_message_bytes, "max_message_bytes");
  CheckAtLeastOne(options.max_steps_per_turn, "max_steps_per_turn");
  CheckAtLeastOne(options.kv_cache_bytes, "kv_cache_bytes");
  CheckAtLeastOne(options.slots_per_pool, "slots_per_pool");
  return options;
}

}  // namespace

Engine::Impl::Impl(EngineOptions options)
    : options_(Checked(std::move(options))),
      logger_(options_.log_sink),
      storages_(RootOf(options_)),
      knowledge_(
          RootOf(options_),
          [this](const std::string& name) { return embedding_models_.Find(name); },
          logger_),
      lane_(std::make_shared<ComputeLane>(
          LaneOptions{static_cast<std::size_t>(options_.kv_cache_bytes),
                      options_.slots_per_pool, options_.deterministic})),
      pool_(std::make_shared<WorkerPool>(
          static_cast<std::size_t>(options_.worker_threads))),
      background_(std::make_shared<WorkerPool>(
          static_cast<std::size_t>(options_.worker_threads))) {}

EngineStats Engine::Impl::Stats() const {
  EngineStats stats = lane_->stats();
  stats.scheduled_folds = fold_counts_.scheduled;
  stats.committed_folds = fold_counts_.committed;
  stats.cancelled_folds = fold_counts_.cancelled;
  stats.failed_folds = fold_counts_.failed;
  stats.overdue_folds = fold_counts_.overdue;
  return stats;
}

void Engine::Impl::CheckOpen() const {
  if (left_behind()) {
    throw Error(ErrorCode::EngineClosed,
                "the engine belongs to the process that forked this one",
                "create engines in the process that uses them");
  }
  if (!closed_) return;
  throw Error(ErrorCode::EngineClosed, "the engine is closed",
              "create a new engine; snapshots carry dialogs over");
}

void Engine::Impl::CheckName(const std::string& name) const {
  CheckOpen();
  if (name.empty()) throw Error(ErrorCode::InvalidArgument, "a model needs a name");
  std::lock_guard lock(mutex_);
  if (models_.contains(name)) ThrowNameTaken(name);
}

void Engine::Impl::AddModel(const std::string& name, std::shared_ptr<Model> model) {
  CheckName(name);
  std::lock_guard lock(mutex_);
  if (!models_.emplace(name, std::move(model)).second) ThrowNameTaken(name);
}

std::shared_ptr<Model> Engine::Impl::LoadLlamaModel(LlamaModelOptions options) {
#ifdef TALEFOLD_WITH_LLAMA
  if (options.default_context_size < 0) {
    throw Error(
        ErrorCode::InvalidArgument,
        "default_context_size: " + std::to_string(options.default_context_size) +
            " is out of range; allowed 0 or more");
  }
  return std::make_shared<LlamaModel>(std::move(options), lane_, logger_);
#else
  throw Error(ErrorCode::ModelLoadFailed,
              "'" + options.path + "': this build of Talefold is without llama.cpp",
              "build with the CMake option TALEFOLD_LLAMA=ON");
#endif
}

void Engine::Impl::RemoveModel(const std::string& name) {
  FindModel(name, "unload_model");
  std::lock_guard lock(mutex_);
  models_.erase(name);
}

std::string Engine::Impl::KnownModels() const {
  std::vector<std::string_view> names;
  for (const auto& [name, model] : models_) names.push_back(name);
  return names.empty() ? "none" : ListNames(names);
}

std::shared_ptr<Model> Engine::Impl::FindModel(const std::string& name,
                                               std::string_view user) const {
  CheckOpen();
  std::lock_guard lock(mutex_);
  if (name.empty() && models_.size() == 1) return models_.begin()->second;
  const auto found = models_.find(name);
  if (found != models_.end()) return found->second;
  const std::string wanted =
      name.empty() ? "no model is named, and there is not exactly one to take"
                   : "no model named '" + name + "'";
  throw Error(
      ErrorCode::ModelNotFound,
      std::string(user) + ": " + wanted + "; loaded: " + KnownModels(),
      "load the model first, or set default_model_name or model_name to one that "
      "is loaded");
}

NodeEnvironment Engine::Impl::EnvironmentFor(const std::string& default_model_name) {
  NodeEnvironment environment;
  environment.find_model = [this, default_model_name](std::string_view node,
                                                      const std::string& name) {
    return FindModel(name.empty() ? default_model_name : name,
                     "node '" + std::string(node) + "'");
  };
  environment.find_storage = [this](std::string_view node, const std::string& reference,
                                    StorageKind kind) {
    return FindStorage(FieldPrefix(node, "string_storage"), reference, kind);
  };
  environment.find_knowledge = [this](std::string_view node,
                                      const std::string& reference) {
    return FindKnowledge(FieldPrefix(node, "embedded_string_storage"), reference);
  };
  environment.speech = speech();
  return environment;
}

std::vector<ModelInfo> Engine::Impl::Models() const {
  CheckOpen();
  std::lock_guard lock(mutex_);
  std::vector<ModelInfo> models;
  for (const auto& [name, model] : models_) {
    models.push_back({name, std::string(model->kind()), model->trained_context_size()});
  }
  return models;
}

std::shared_ptr<Turn::Impl> Engine::Impl::StartTurn(
    std::uint64_t id, TurnOptions options, std::function<void(Turn::Impl&)> work) {
  if (options.timeout_ms < 0) {
    throw Error(ErrorCode::InvalidArgument,
                "timeout_ms: " + std::to_string(options.timeout_ms) +
                    " is out of range; allowed 0 (none) or more");
  }
  auto turn = std::make_shared<Turn::Impl>(id, pool_);
  if (options.timeout_ms > 0 && options.timeout_ms < kMaxTimeoutMs) {
    watchdog_.Arm(
        turn, Watchdog::Clock::now() + std::chrono::milliseconds(options.timeout_ms));
  }
  try {
    pool_->Submit(turn, [turn, work = std::move(work)] { work(*turn); });
  } catch (...) {
    watchdog_.Disarm(turn.get());
    throw;
  }
  return turn;
}

// The backend that is replaced may be the host's to destroy: not under the lock.
void Engine::Impl::SetSpeech(std::shared_ptr<SpeechBackend> backend) {
  CheckOpen();
  std::lock_guard lock(mutex_);
  speech_.swap(backend);
}

std::shared_ptr<SpeechBackend> Engine::Impl::speech() const {
  std::lock_guard lock(mutex_);
  return speech_;
}

void Engine::Impl::AddScene(const std::shared_ptr<Scene::Impl>& scene) {
  std::lock_guard lock(mutex_);
  CheckOpen();
  std::erase_if(scenes_, [](const auto& each) { return each.expired(); });
  scenes_.push_back(scene);
}

// A turn whose message waits for the memory would keep its worker as long as that
// works: stopping the turn does not stop it.
void Engine::Impl::StopScenes() {
  const auto scenes = [this] {
    std::lock_guard lock(mutex_);
    return std::exchange(scenes_, {});
  }();
  for (const auto& each : scenes) {
    if (const auto scene = each.lock()) scene->Stop();
  }
}

void Engine::Impl::Close() {
  closed_ = true;
  if (left_behind()) {
    new std::shared_ptr(shared_from_this());  // kept for ever: see ForkGuard
    return;
  }
  StopScenes();
  watchdog_.Close();
  pool_->Close();
  background_->Close();
  lane_->Close();
  knowledge_.Clear();
  embedding_models_.Clear();
  std::shared_ptr<SpeechBackend> speech;  // goes after the lock
  std::lock_guard lock(mutex_);
  speech_.swap(speech);
  models_.clear();
}

Engine::Engine(EngineOptions options)
    : impl_(std::make_shared<Impl>(std::move(options))) {}

Engine::~Engine() { Close(); }

void Engine::LoadScriptedModel(const std::string& name, ScriptedModelOptions options) {
  impl_->AddModel(name, std::make_shared<ScriptedModel>(std::move(options)));
}

void Engine::LoadModel(const std::string& name, LlamaModelOptions options) {
  impl_->CheckName(name);
  impl_->AddModel(name, impl_->LoadLlamaModel(std::move(options)));
}

void Engine::UnloadModel(const std::string& name) { impl_->RemoveModel(name); }

std::vector<ModelInfo> Engine::Models() const { return impl_->Models(); }

std::int64_t Engine::CountTokens(const std::string& model,
                                 std::string_view text) const {
  CheckText(text, "text", impl_->options().max_message_bytes);
  const auto found = impl_->FindModel(model, "count_tokens");
  return static_cast<std::int64_t>(found->Tokenize(text).size());
}

std::vector<RecordedRequest> Engine::RecordedRequests(const std::string& model) const {
  return impl_->FindModel(model, "recorded_requests")->recorded_requests();
}

std::vector<float> Engine::NextTokenLogits(const std::string& model,
                                           std::vector<std::int32_t> prompt) {
  return impl_->FindModel(model, "next_token_logits")->NextTokenLogits(prompt);
}

void Engine::SetSpeechBackend(std::shared_ptr<SpeechBackend> backend) {
  impl_->SetSpeech(std::move(backend));
}

EngineStats Engine::Stats() const { return impl_->Stats(); }

Agent Engine::CreateAgent(const GraphDescription& graph, AgentOptions options) {
  impl_->CheckOpen();
  const std::string kv = std::exchange(options.kv, {});  // not kept
  auto agent = std::make_shared<Agent::Impl>(impl_, graph, std::move(options));
  if (!kv.empty()) agent->TryKv(kv);
  return Agent(std::move(agent));
}

Scene Engine::CreateScene(SceneOptions options) {
  impl_->CheckOpen();
  auto scene = std::make_shared<Scene::Impl>(impl_, std::move(options));
  impl_->AddScene(scene);
  return Scene(std::move(scene));
}

void Engine::Close() { impl_->Close(); }

}  // namespace talefold
