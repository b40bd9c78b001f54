// The work on a scene's memory: its graph's runs, and the tools that change entries.
#include <algorithm>
#include <set>
#include <utility>

#include "base/bounded_wait.h"
#include "base/catch_error.h"
#include "base/text.h"
#include "graph/descriptor.h"
#include "memory/memory_inspection.h"
#include "runtime/scene_impl.h"
#include "runtime/scene_info.h"
#include "runtime/scene_overrides.h"
#include "runtime/worker_pool.h"
#include "scene/backstory.h"
#include "scene/message_format.h"

namespace talefold {

namespace {

constexpr std::string_view kLogCategory = "scene_memory";
constexpr std::string_view kSceneName = "scene";  // of events that no node causes
constexpr std::size_t kMaxEvents = 4096;          // older ones go

SceneMemoryNode& AsMemoryNode(Node& node) {
  return dynamic_cast<SceneMemoryNode&>(node);
}

// The node that writes entries of this layer.
SceneMemoryNode& WriterOf(const CompiledGraph& graph, std::size_t layer) {
  for (const auto& node : graph.nodes()) {
    const AnyNodeParams& params = graph.description().FindNode(node->name())->params;
    if (std::holds_alternative<ArchiveParams>(params) == (layer == 0)) {
      return AsMemoryNode(*node);
    }
  }
  throw Error(ErrorCode::UnknownNode,
              "the memory graph has no node that writes layer " + std::to_string(layer),
              layer == 0 ? "add an Archive node" : "add a LayeredHistory node");
}

// What is dropped would not come again.
Error NobodyWrites(const std::string& node) {
  return Error(
      ErrorCode::InvalidArgument,
      "node '" + node + "' is disabled: it would not write again what is dropped",
      "set its param enabled first");
}

// What an entry was made from, to see whether it changed.
std::string SourceTexts(const SceneState& state, EntryPlace place) {
  std::string texts;
  const auto add = [&texts](const std::string& text) { texts += text + '\0'; };
  if (place.layer == 0) {
    for (const std::size_t i :
         SourceMessages(state.timeline, EntryAt(state.memory, place))) {
      add(state.timeline.at(i).text);
    }
    return texts;
  }
  const IndexRange range = SourceRange(state.memory, place);
  for (std::size_t i = range.begin; i < range.end; ++i) {
    add(ListOf(state.memory, place.layer - 1)[i].text);
  }
  return texts;
}

// The entry has another text; what was made from it does not match it any more.
void ReplaceText(SceneMemory& memory, EntryPlace place, std::string text) {
  MarkOutOfSync(memory, place);
  MemoryEntry& entry = EntryAt(memory, place);
  entry.text = std::move(text);
  entry.out_of_sync = false;
  entry.verbatim = false;
}

}  // namespace

// --- Running the graph ---------------------------------------------------------------

void Scene::Impl::Read(const std::function<void(const SceneState&)>& read) {
  const Lock lock(mutex_);
  read(state_);
}

void Scene::Impl::Write(const std::function<void(SceneState&)>& write) {
  const Lock lock(mutex_);
  write(state_);
}

void Scene::Impl::Tell(NodeEvent event) {
  std::lock_guard lock(events_mutex_);
  events_.push_back(std::move(event));
  if (events_.size() > kMaxEvents) events_.pop_front();
}

std::vector<NodeEvent> Scene::Impl::PollEvents() {
  std::lock_guard lock(events_mutex_);
  const std::deque<NodeEvent> taken = std::exchange(events_, {});
  return {taken.begin(), taken.end()};
}

// Call with memory_mutex_ held. Goes round until nothing is due; false when it ended
// before, or something is left. A node that failed waits for the next time, and does
// not hold up the others.
bool Scene::Impl::RunMemory(const CancelToken& cancel,
                            const std::atomic<bool>* in_background,
                            std::size_t expected_entries) {
  std::set<const Node*> failed;
  for (;;) {
    MemoryWork work{.scene = *this,
                    .logger = engine_->logger(),
                    .cancel = cancel,
                    .in_background = in_background,
                    .use_layers = UsesLayers(),
                    .expected_entries = expected_entries};
    Node* node = &memory_graph_->start();
    for (std::size_t i = 0; node && i < memory_graph_->nodes().size(); ++i) {
      if (!failed.contains(node)) AsMemoryNode(*node).Update(work);
      if (work.stopped) return false;
      if (std::exchange(work.failed, false)) failed.insert(node);
      node = memory_graph_->Next(*node, kDefaultExit);
    }
    if (work.committed == 0) return failed.empty();
  }
}

bool Scene::Impl::UsesLayers() const {
  return std::ranges::any_of(
      memory_graph_->description().nodes(), [](const GraphNode& node) {
        const auto* layers = std::get_if<LayeredHistoryParams>(&node.params);
        return layers && layers->enabled;
      });
}

// While it lives, CancelMemory and Stop request `cancel`. Throws when the scene is
// closed.
class Scene::Impl::Cancellable {
 public:
  Cancellable(Impl& scene, CancelToken& cancel) : scene_(scene), cancel_(cancel) {
    const Lock lock = scene_.LockOpen();
    scene_.memory_cancels_.push_back(&cancel_);
  }
  ~Cancellable() {
    const Lock lock(scene_.mutex_);
    std::erase(scene_.memory_cancels_, &cancel_);
    scene_.idle_.notify_all();
  }
  Cancellable(const Cancellable&) = delete;
  Cancellable& operator=(const Cancellable&) = delete;

 private:
  Impl& scene_;
  CancelToken& cancel_;
};

template <typename Work>
auto Scene::Impl::WithMemory(const Work& work) {
  CancelToken cancel;
  const Cancellable cancellable(*this, cancel);
  std::lock_guard run(memory_mutex_);
  return work(cancel);
}

// Whoever has the memory may be at it for long, a turn that was stopped may not wait.
void Scene::Impl::UpdateInline(CancelToken& cancel) {
  constexpr std::chrono::milliseconds kLook{20};  // how often `cancel` is looked at
  const Cancellable cancellable(*this, cancel);
  std::unique_lock run(memory_mutex_, std::defer_lock);
  while (!cancel.requested()) {
    if (!run.try_lock_for(kLook)) continue;
    RunMemory(cancel, nullptr);
    return;
  }
}

void Scene::Impl::AfterPush() {
  CancelToken cancel;
  AfterPush(cancel);
}

void Scene::Impl::AfterPush(CancelToken& cancel) {
  if (options_.run_inline) {
    const auto error = CatchError([&] { UpdateInline(cancel); });
    if (error) engine_->logger().Log(LogLevel::Warning, kLogCategory, error->what());
    return;
  }
  const Lock lock(mutex_);
  memory_due_ = true;
  ScheduleMemory(lock);
}

// A pool that takes no work any more is that of a closed engine: nothing is due then.
void Scene::Impl::ScheduleMemory(const Lock&) {
  if (memory_task_ || closed_) return;
  auto task = std::make_shared<MemoryTask>(engine_->background_pool());
  const auto error = CatchError([&] {
    engine_->background_pool()->Submit(
        task, [self = shared_from_this(), task] { self->RunScheduled(*task); });
  });
  if (!error) memory_task_ = std::move(task);
}

void Scene::Impl::RunScheduled(MemoryTask& task) {
  for (;;) {
    {
      const Lock lock(mutex_);
      const bool cancelled = task.cancel().requested();
      if (!memory_due_ || cancelled || closed_) {
        if (cancelled) memory_ok_ = false;
        memory_task_.reset();
        if (memory_due_) ScheduleMemory(lock);  // asked for after the cancel
        idle_.notify_all();
        return;
      }
      memory_due_ = false;
    }
    bool ok = false;
    const auto error = CatchError([&] {
      std::lock_guard run(memory_mutex_);
      ok = RunMemory(task.cancel(), &task.in_background());
    });
    if (error) engine_->logger().Log(LogLevel::Warning, kLogCategory, error->what());
    const Lock lock(mutex_);
    memory_ok_ = ok;
  }
}

void Scene::Impl::MemoryTask::Stop(StopCause cause) {
  if (!cancel_.Request(cause)) return;
  RunIfWaiting(pool_, this);
}

bool Scene::Impl::UpdateMemory(std::chrono::milliseconds timeout) {
  Lock lock = LockOpen();
  memory_due_ = true;
  memory_ok_ = true;
  ScheduleMemory(lock);
  const bool done =
      idle_.wait_for(lock, BoundedWait(timeout), [this] { return !memory_task_; });
  return done && memory_ok_;
}

void Scene::Impl::CancelMemory() {
  std::shared_ptr<MemoryTask> task;
  {
    const Lock lock = LockOpen();
    task = memory_task_;
    memory_due_ = false;
    for (CancelToken* cancel : memory_cancels_) cancel->Request(StopCause::Cancelled);
  }
  if (task) task->Stop(StopCause::Cancelled);
}

// --- Overrides -----------------------------------------------------------------------

// All of them or none. Call before others have the scene, or with memory_mutex_ held.
void Scene::Impl::ApplyOverrides(const SceneOverrides& overrides) {
  std::vector<std::pair<std::string, AnyNodeParams>> changed;
  for (const GraphNode& node : memory_description_.nodes()) {
    AnyNodeParams params = WithOverrides(node, overrides);
    memory_graph_->CheckParams(node.name, params);  // no host has a say in these
    changed.emplace_back(node.name, std::move(params));
  }
  std::vector<std::pair<std::string, AnyNodeParams>> before;
  try {
    for (auto& [name, params] : changed) {
      before.emplace_back(name, memory_graph_->description().FindNode(name)->params);
      memory_graph_->ChangeParams(name, params, {});
    }
  } catch (...) {
    before.pop_back();
    for (const auto& [name, params] : before) {
      memory_graph_->ChangeParams(name, params, {});
    }
    throw;
  }
  const Lock lock(mutex_);
  state_.overrides = overrides;
  ++overrides_version_;  // the characters' graphs follow at their next turn
  layers_enabled_ = UsesLayers();
}

// What a snapshot's settings say may not fit these nodes: no reason to lose a story.
void Scene::Impl::RestoreOverrides() {
  const SceneOverrides saved = std::exchange(state_.overrides, {});
  SceneOverrides kept;
  ApplyOverrides(kept);
  const auto restore = [&](const auto& type, const auto& field, const auto& value) {
    SceneOverrides more = kept;
    more[type][field] = value;
    CheckOverride(type, field, value);
    ApplyOverrides(more);
    kept = std::move(more);
  };
  for (const auto& [type, fields] : saved) {
    for (const auto& [field, value] : fields) {
      const auto error = CatchError([&] { restore(type, field, value); });
      if (!error) continue;
      engine_->logger().Log(LogLevel::Warning, kLogCategory,
                            "the snapshot's setting " + type + "." + field +
                                " is left out: " + error->what());
    }
  }
}

// Throws InvalidParamValue for what no node could take, and ParamNotMutable; an empty
// value is a removal.
void Scene::Impl::CheckOverride(const std::string& node_type, const std::string& field,
                                const std::string& value) {
  CheckOverridable(node_type, field);
  if (value.empty()) return;
  AnyNodeParams params = FindNodeDescriptor(node_type)->make_default();
  std::vector<GraphProblem> problems;
  ReadParams(
      json::object{{field, ParseJson(value, ErrorCode::InvalidParamValue, "override")}},
      node_type, params, problems);
  ThrowIfInvalid(problems);
}

void Scene::Impl::SetOverride(const std::string& node_type, const std::string& field,
                              const std::string& value) {
  CheckMessage(value, "override");
  std::lock_guard run(memory_mutex_);
  SceneOverrides overrides =
      Get([](const SceneState& state) { return state.overrides; });
  CheckOverride(node_type, field, value);
  if (value.empty()) {
    overrides[node_type].erase(field);
    if (overrides[node_type].empty()) overrides.erase(node_type);
  } else {
    overrides[node_type][field] = value;
  }
  ApplyOverrides(overrides);
}

// --- Tools ---------------------------------------------------------------------------

void Scene::Impl::EditEntry(std::int64_t id, std::string text) {
  CheckMessage(text, "text of the entry");
  if (TrimWhitespace(text).empty()) {
    throw Error(ErrorCode::InvalidArgument, "the text of the entry is empty");
  }
  const Lock lock = LockOpen();
  const EntryPlace place = FindEntry(state_.memory, id);
  ReplaceText(state_.memory, place, std::move(text));
  EntryAt(state_.memory, place).edited = true;
  Tell(EntryEvent(kSceneName, "entry_edited", place.layer, id));
}

void Scene::Impl::RegenerateEntry(std::int64_t id) {
  WithMemory([&](const CancelToken& cancel) {
    EntryPlace place;
    std::string sources;
    {
      const Lock lock(mutex_);
      place = FindEntry(state_.memory, id);
      sources = SourceTexts(state_, place);
    }
    SceneMemoryNode& node = WriterOf(*memory_graph_, place.layer);
    MemoryWork work{.scene = *this,
                    .logger = engine_->logger(),
                    .cancel = cancel,
                    .use_layers = UsesLayers()};
    const Written written = node.Rewrite(work, id);
    if (written.failure) {
      throw Error(ErrorCode::InferenceFailed,
                  "entry " + std::to_string(id) + " was not written again (" +
                      std::string(WriteFailureName(*written.failure)) +
                      (written.error.empty() ? "" : ": " + written.error) +
                      "); it stays as it was");
    }
    const Lock lock(mutex_);
    place = FindEntry(state_.memory, id);
    const bool changed = SourceTexts(state_, place) != sources;
    ReplaceText(state_.memory, place, written.text);
    MemoryEntry& entry = EntryAt(state_.memory, place);
    entry.edited = false;
    entry.verbatim = written.verbatim;
    entry.out_of_sync = changed || HasStaleSource(state_.memory, place);
    Tell(EntryEvent(node.name(), "entry_edited", place.layer, id));
  });
}

// Call with memory_mutex_ held.
void Scene::Impl::CheckLayersAreWritten() const {
  if (UsesLayers()) return;
  const Lock lock(mutex_);
  if (!state_.memory.layers.empty()) {
    throw NobodyWrites(WriterOf(*memory_graph_, 1).name());
  }
}

bool Scene::Impl::RegenerateAll() {
  return WithMemory([&](const CancelToken& cancel) {
    const SceneMemoryNode& archive = WriterOf(*memory_graph_, 0);
    const auto& params = std::get<ArchiveParams>(
        memory_graph_->description().FindNode(archive.name())->params);
    if (!params.enabled) throw NobodyWrites(archive.name());
    CheckLayersAreWritten();
    const Model& model = archive.runner().model();
    const Timeline timeline = [&] {
      const Lock lock(mutex_);
      return state_.timeline;
    }();
    std::size_t tokens = 0;
    for (std::size_t i = 0; i < timeline.size(); ++i) {
      if (!TellsStory(timeline.at(i).kind)) continue;
      tokens += model.Tokenize(timeline.at(i).text).size();
    }
    {
      const Lock lock(mutex_);
      for (std::size_t layer = 0; layer <= state_.memory.layers.size(); ++layer) {
        for (const MemoryEntry& entry : ListOf(state_.memory, layer)) {
          if (entry.is_static) continue;
          Tell(EntryEvent(kSceneName, "entry_removed", layer, entry.id));
        }
      }
      state_.memory.base.resize(StaticCount(state_.memory));
      state_.memory.layers.clear();
    }
    return RunMemory(cancel, nullptr,
                     tokens / static_cast<std::size_t>(params.token_threshold) + 1);
  });
}

bool Scene::Impl::ResetLayers(std::optional<std::int64_t> count) {
  if (count && *count < 1) {
    throw Error(ErrorCode::InvalidArgument, "count: " + std::to_string(*count) +
                                                " is out of range; allowed 1 or "
                                                "more, or none for all layers");
  }
  return WithMemory([&](const CancelToken& cancel) {
    CheckLayersAreWritten();
    {
      const Lock lock(mutex_);
      const std::size_t have = state_.memory.layers.size();
      const std::size_t dropped =
          count ? std::min(have, static_cast<std::size_t>(*count)) : have;
      for (std::size_t layer = have - dropped + 1; layer <= have; ++layer) {
        for (const MemoryEntry& entry : ListOf(state_.memory, layer)) {
          Tell(EntryEvent(kSceneName, "entry_removed", layer, entry.id));
        }
      }
      state_.memory.layers.resize(have - dropped);
    }
    return RunMemory(cancel, nullptr);
  });
}

std::int64_t Scene::Impl::AddBackstory(std::string text, StoryTime ago) {
  CheckMessage(text, "backstory");
  if (TrimWhitespace(text).empty()) {
    throw Error(ErrorCode::InvalidArgument, "the backstory is empty");
  }
  const Lock lock = LockOpen();
  return talefold::AddBackstory(state_.timeline, state_.memory, std::move(text), ago);
}

void Scene::Impl::RemoveBackstory(std::int64_t id) {
  const Lock lock = LockOpen();
  const EntryPlace place = FindEntry(state_.memory, id);
  talefold::RemoveBackstory(state_.timeline, state_.memory, place);
  Tell(EntryEvent(kSceneName, "entry_removed", 0, id));
}

SceneSources Scene::Impl::Inspect(std::int64_t id) const {
  const Lock lock = LockOpen();
  const EntryPlace place = FindEntry(state_.memory, id);
  SceneSources sources;
  if (place.layer == 0) {
    for (const std::size_t i :
         SourceMessages(state_.timeline, EntryAt(state_.memory, place))) {
      sources.messages.push_back(ToInfo(state_.timeline.at(i)));
    }
    return sources;
  }
  const IndexRange range = SourceRange(state_.memory, place);
  for (std::size_t i = range.begin; i < range.end; ++i) {
    sources.entries.push_back(ToInfo(state_.memory, {place.layer - 1, i}));
  }
  return sources;
}

std::vector<SceneLayerStats> Scene::Impl::Statistics() const {
  const SceneState state = Get([](const SceneState& current) { return current; });
  const Model& model =
      dynamic_cast<SceneMemoryNode&>(memory_graph_->start()).runner().model();
  const auto text_tokens = [&model](std::string_view text) {
    return model.Tokenize(text).size();
  };
  std::vector<SceneLayerStats> all;
  for (std::size_t layer = 0; layer <= state.memory.layers.size(); ++layer) {
    const LayerStatistics statistics = CompressionOf(
        state.timeline, state.memory, layer,
        [&](const Message& message) {
          return text_tokens(FormatMessage(message, state.settings.format));
        },
        text_tokens);
    all.push_back({static_cast<std::int64_t>(layer),
                   static_cast<std::int64_t>(statistics.source_tokens),
                   static_cast<std::int64_t>(statistics.source_count),
                   static_cast<std::int64_t>(statistics.tokens),
                   static_cast<std::int64_t>(statistics.count),
                   statistics.reduction_percent});
  }
  return all;
}

}  // namespace talefold
