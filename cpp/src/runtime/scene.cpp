// The messages of a scene, its characters and settings.
#include "talefold/scene.h"

#include <algorithm>
#include <utility>

#include "base/error_place.h"
#include "base/text.h"
#include "runtime/scene_impl.h"
#include "runtime/scene_info.h"
#include "scene/backstory.h"
#include "scene/scene_snapshot.h"
#include "scene/transcript.h"

namespace talefold {

namespace {

GraphDescription DefaultMemoryGraph() {
  GraphDescription graph;
  graph.AddArchive("archive", {.default_exit = "layers"})
      .AddLayeredHistory("layers", {})
      .SetStartNode("archive");
  return graph;
}

SceneState StartState(const SceneOptions& options) {
  if (!options.snapshot.empty()) return ReadSceneSnapshot(options.snapshot);
  SceneState state;
  state.settings = options.settings;
  return state;
}

Message TimeMessage(StoryTime duration, std::string text) {
  Message message;
  message.kind = MessageKind::Time;
  message.duration = duration;
  message.text = text.empty() ? PassageText(duration) : std::move(text);
  return message;
}

Message MakeMessage(MessageKind kind, std::string speaker, std::string text,
                    MessageOptions options) {
  Message message;
  message.kind = kind;
  message.speaker = std::move(speaker);
  message.text = std::move(text);
  message.source = std::move(options.source);
  message.meta = std::move(options.meta);
  message.hidden = options.hidden;
  return message;
}

}  // namespace

Scene::Impl::Impl(std::shared_ptr<Engine::Impl> engine, SceneOptions options)
    : engine_(std::move(engine)),
      options_(std::move(options)),
      memory_description_(options_.memory_graph.value_or(DefaultMemoryGraph())),
      state_(StartState(options_)) {
  memory_graph_ = std::make_unique<CompiledGraph>(
      memory_description_, engine_->EnvironmentFor(options_.default_model_name),
      GraphUse::SceneMemory);
  RestoreOverrides();
}

Scene::Impl::Lock Scene::Impl::LockOpen() const {
  engine_->CheckOpen();
  Lock lock(mutex_);
  if (closed_) throw Error(ErrorCode::AgentClosed, "the scene is closed");
  return lock;
}

void Scene::Impl::CheckMessage(std::string_view text, std::string_view what) const {
  CheckText(text, what, engine_->options().max_message_bytes);
}

void Scene::Impl::CheckName(std::string_view name, std::string_view what) const {
  CheckMessage(name, what);
  const std::string_view problem = NameProblem(name);
  if (problem.empty()) return;
  throw Error(ErrorCode::InvalidArgument,
              "the " + std::string(what) + " " + std::string(problem),
              "use a name on one line; narrate what nobody in particular says");
}

// --- Characters ----------------------------------------------------------------------

void Scene::Impl::AddCharacter(const std::string& name, const GraphDescription& graph,
                               bool active) {
  CheckName(name, "name of the character");
  auto character = std::make_unique<Character>();
  character->name = name;
  character->description = graph;
  character->graph = std::make_unique<CompiledGraph>(
      graph, engine_->EnvironmentFor(options_.default_model_name),
      GraphUse::SceneCharacter);
  const Lock lock = LockOpen();
  if (!characters_.emplace(name, std::move(character)).second) {
    throw Error(ErrorCode::InvalidArgument,
                "the scene has a character '" + name + "' already",
                "choose another name");
  }
  if (active) {
    state_.active.push_back(name);
    state_.active = MakePresentSet(std::move(state_.active));
  }
}

std::vector<std::string> Scene::Impl::Characters() const {
  const Lock lock = LockOpen();
  std::vector<std::string> names;
  for (const auto& [name, character] : characters_) names.push_back(name);
  return names;
}

Scene::Impl::Character& Scene::Impl::FindCharacter(const std::string& name) {
  const auto found = characters_.find(name);
  if (found != characters_.end()) return *found->second;
  std::vector<std::string_view> names;
  for (const auto& [known, character] : characters_) names.push_back(known);
  throw Error(ErrorCode::InvalidArgument,
              "the scene has no character '" + name + "'; there are " +
                  (names.empty() ? std::string("none") : ListNames(names)),
              "add it with its graph first");
}

bool Scene::Impl::SetActive(const std::string& name, bool active) {
  CheckName(name, "name");
  const Lock lock = LockOpen();
  const auto found = std::ranges::find(state_.active, name);
  if ((found != state_.active.end()) == active) return false;
  if (active) {
    state_.active.push_back(name);
    state_.active = MakePresentSet(std::move(state_.active));
  } else {
    state_.active.erase(found);
  }
  return true;
}

std::vector<std::string> Scene::Impl::Active() const {
  return Get([](const SceneState& state) { return state.active; });
}

// --- Messages ------------------------------------------------------------------------

std::int64_t Scene::Impl::Push(Message message) {
  CheckMessage(message.text, "text");
  CheckMessage(message.source, "source");
  CheckMessage(message.meta, "meta");
  if (TrimWhitespace(message.text).empty()) {
    throw Error(ErrorCode::InvalidArgument, "the text is empty");
  }
  if (message.kind == MessageKind::Character || !message.speaker.empty()) {
    CheckName(message.speaker, "speaker");
  }
  MessageId id = 0;
  {
    const Lock lock = LockOpen();
    message.present = state_.active;
    id = state_.timeline.Append(std::move(message));
  }
  AfterPush();
  return id;
}

std::int64_t Scene::Impl::Insert(std::int64_t before, Message message) {
  CheckMessage(message.text, "text");
  MessageId id = 0;
  {
    const Lock lock = LockOpen();
    const std::size_t index = state_.timeline.Find(before);
    message.present = state_.timeline.at(index).present;
    id = state_.timeline.Insert(index, std::move(message));
    Restamp(state_.timeline, state_.memory);
  }
  AfterPush();
  return id;
}

void Scene::Impl::Edit(std::int64_t id, std::string text) {
  CheckMessage(text, "text");
  if (TrimWhitespace(text).empty()) {
    throw Error(ErrorCode::InvalidArgument, "the text is empty",
                "erase the message instead");
  }
  const Lock lock = LockOpen();
  const std::size_t index = state_.timeline.Find(id);
  if (state_.timeline.at(index).text == text) return;
  state_.timeline.EditText(index, std::move(text));
  OnMessageChanged(state_.timeline, index, state_.memory);
}

void Scene::Impl::EditTime(std::int64_t id, StoryTime duration) {
  const Lock lock = LockOpen();
  const std::size_t index = state_.timeline.Find(id);
  if (state_.timeline.at(index).kind != MessageKind::Time) {
    throw Error(ErrorCode::InvalidArgument,
                "message " + std::to_string(id) + " is no time passage");
  }
  const Message& passage = state_.timeline.at(index);
  const bool says_how_long = passage.text == PassageText(passage.duration);
  state_.timeline.SetDuration(index, duration);
  if (says_how_long) state_.timeline.EditText(index, PassageText(duration));
  Restamp(state_.timeline, state_.memory);
}

void Scene::Impl::Erase(std::int64_t id) {
  const Lock lock = LockOpen();
  const std::size_t index = state_.timeline.Find(id);
  BeforeErase(state_.timeline, index, state_.memory);
  state_.timeline.Erase(index);
  Restamp(state_.timeline, state_.memory);
}

void Scene::Impl::SetHidden(std::int64_t id, bool hidden) {
  const Lock lock = LockOpen();
  const std::size_t index = state_.timeline.Find(id);
  if (state_.timeline.at(index).hidden == hidden) return;
  state_.timeline.SetHidden(index, hidden);
}

void Scene::Impl::ShowVersion(std::int64_t id, std::int64_t version) {
  const Lock lock = LockOpen();
  const std::size_t index = state_.timeline.Find(id);
  const std::size_t count = state_.timeline.at(index).versions.size();
  if (version < 0 || static_cast<std::size_t>(version) >= count) {
    throw Error(ErrorCode::InvalidArgument,
                "message " + std::to_string(id) + " has no other version " +
                    std::to_string(version) + "; it has " + std::to_string(count) +
                    ", counted from 0");
  }
  state_.timeline.ShowVersion(index, static_cast<std::size_t>(version));
  OnMessageChanged(state_.timeline, index, state_.memory);
}

std::int64_t Scene::Impl::ImportTranscript(std::string_view lines) {
  std::vector<TranscriptLine> read =
      ReadTranscript(lines, engine_->options().max_message_bytes);
  std::int64_t count = 0;
  {
    const Lock lock = LockOpen();
    Timeline timeline = state_.timeline;  // all of it or nothing
    PresentSet active = state_.active;
    for (TranscriptLine& line : read) {
      active.insert(active.end(), line.activate.begin(), line.activate.end());
      active = MakePresentSet(std::move(active));
      std::erase_if(active, [&](const std::string& name) {
        return std::ranges::find(line.deactivate, name) != line.deactivate.end();
      });
      if (!line.message) continue;
      line.message->present = active;
      AtPlace(PlaceOf(line), [&] { timeline.Append(std::move(*line.message)); });
      ++count;
    }
    state_.timeline = std::move(timeline);
    state_.active = std::move(active);
  }
  AfterPush();
  return count;
}

// --- Settings ------------------------------------------------------------------------

SceneSettings Scene::Impl::Settings() const {
  return Get([](const SceneState& state) { return state.settings; });
}

void Scene::Impl::SetSettings(SceneSettings settings) {
  CheckMessage(settings.intro, "intro");
  CheckMessage(settings.intention, "intention");
  CheckMessage(settings.writing_style, "writing_style");
  const Lock lock = LockOpen();
  state_.settings = std::move(settings);
}

void Scene::Impl::SetNote(const std::string& key, std::string text) {
  CheckMessage(key, "key of the note");
  if (TrimWhitespace(key).empty()) {
    throw Error(ErrorCode::InvalidArgument, "the key of the note is empty");
  }
  CheckMessage(text, "note");
  const Lock lock = LockOpen();
  if (text.empty()) {
    state_.notes.erase(key);
  } else {
    state_.notes[key] = std::move(text);
  }
}

void Scene::Impl::Stop() {
  std::vector<std::shared_ptr<Turn::Impl>> turns;
  std::shared_ptr<MemoryTask> memory;
  {
    const Lock lock(mutex_);
    closed_ = true;
    for (const auto& [name, character] : characters_) {
      if (character->running) turns.push_back(character->running);
    }
    memory = memory_task_;
    for (CancelToken* cancel : memory_cancels_) cancel->Request(StopCause::Cancelled);
  }
  for (const auto& turn : turns) turn->Stop(StopCause::Cancelled);
  if (memory) memory->Stop(StopCause::Cancelled);
}

void Scene::Impl::Close() {
  if (engine_->left_behind()) return;
  Stop();
  Lock lock(mutex_);
  idle_.wait(lock, [this] {
    return !memory_task_ && memory_cancels_.empty() &&
           std::ranges::none_of(characters_, [](const auto& character) {
             return character.second->running != nullptr;
           });
  });
}

// --- The handle ----------------------------------------------------------------------

Scene::Scene(std::shared_ptr<Impl> impl) : impl_(std::move(impl)) {}

void Scene::AddCharacter(const std::string& name, const GraphDescription& graph,
                         bool active) {
  impl_->AddCharacter(name, graph, active);
}
std::vector<std::string> Scene::Characters() const { return impl_->Characters(); }
bool Scene::Activate(const std::string& name) { return impl_->SetActive(name, true); }
bool Scene::Deactivate(const std::string& name) {
  return impl_->SetActive(name, false);
}
std::vector<std::string> Scene::Active() const { return impl_->Active(); }

std::int64_t Scene::Say(const std::string& speaker, std::string text,
                        MessageOptions options) {
  return impl_->Push(MakeMessage(MessageKind::Character, speaker, std::move(text),
                                 std::move(options)));
}
std::int64_t Scene::Narrate(std::string text, MessageOptions options) {
  return impl_->Push(
      MakeMessage(MessageKind::Narrator, "", std::move(text), std::move(options)));
}
std::int64_t Scene::Direct(const std::string& character, std::string text,
                           MessageOptions options) {
  return impl_->Push(MakeMessage(MessageKind::Director, character, std::move(text),
                                 std::move(options)));
}
std::int64_t Scene::AddNote(MessageKind kind, const std::string& title,
                            std::string text, MessageOptions options) {
  if (kind != MessageKind::Reinforcement && kind != MessageKind::ContextInvestigation) {
    throw Error(ErrorCode::InvalidArgument,
                "kind '" + std::string(KindName(kind)) +
                    "' is no note; allowed: reinforcement, context_investigation");
  }
  Message message = MakeMessage(kind, "", std::move(text), std::move(options));
  message.source = title;
  return impl_->Push(std::move(message));
}
std::int64_t Scene::PassTime(std::string_view duration, std::string text) {
  return impl_->Push(
      TimeMessage(ParseStoryTime(duration, "duration"), std::move(text)));
}
std::int64_t Scene::InsertTime(std::int64_t before, std::string_view duration,
                               std::string text) {
  return impl_->Insert(
      before, TimeMessage(ParseStoryTime(duration, "duration"), std::move(text)));
}
void Scene::EditTime(std::int64_t id, std::string_view duration) {
  impl_->EditTime(id, ParseStoryTime(duration, "duration"));
}
void Scene::Edit(std::int64_t id, std::string text) {
  impl_->Edit(id, std::move(text));
}
void Scene::Erase(std::int64_t id) { impl_->Erase(id); }
void Scene::SetHidden(std::int64_t id, bool hidden) { impl_->SetHidden(id, hidden); }
void Scene::ShowVersion(std::int64_t id, std::int64_t version) {
  impl_->ShowVersion(id, version);
}
Turn Scene::TakeTurn(const std::string& character, TurnOptions options) {
  return impl_->TakeTurn(character, options);
}
Turn Scene::Regenerate(const std::string& character, const std::string& hint,
                       TurnOptions options) {
  return impl_->Regenerate(character, hint, options);
}

std::vector<SceneMessage> Scene::Messages() const {
  return impl_->Get([](const SceneState& state) {
    std::vector<SceneMessage> messages;
    for (std::size_t i = 0; i < state.timeline.size(); ++i) {
      messages.push_back(ToInfo(state.timeline.at(i)));
    }
    return messages;
  });
}
std::int64_t Scene::size() const {
  return impl_->Get([](const SceneState& state) {
    return static_cast<std::int64_t>(state.timeline.size());
  });
}
std::uint64_t Scene::version() const {
  return impl_->Get([](const SceneState& state) { return state.timeline.version(); });
}
std::string Scene::Clock() const {
  return impl_->Get(
      [](const SceneState& state) { return FormatStoryTime(state.timeline.clock()); });
}
std::string Scene::TimeLabel(std::string_view moment) const {
  const StoryTime time = ParseStoryTime(moment, "moment");
  return impl_->Get([time](const SceneState& state) {
    return RelativeTimeLabel(state.timeline.clock(), time);
  });
}
std::int64_t Scene::ImportTranscript(std::string_view lines) {
  return impl_->ImportTranscript(lines);
}

SceneSettings Scene::Settings() const { return impl_->Settings(); }
void Scene::SetSettings(SceneSettings settings) {
  impl_->SetSettings(std::move(settings));
}
void Scene::SetNote(const std::string& key, std::string text) {
  impl_->SetNote(key, std::move(text));
}
std::vector<std::pair<std::string, std::string>> Scene::Notes() const {
  return impl_->Get([](const SceneState& state) {
    return std::vector<std::pair<std::string, std::string>>(state.notes.begin(),
                                                            state.notes.end());
  });
}
void Scene::SetOverride(const std::string& node_type, const std::string& field,
                        std::string value) {
  impl_->SetOverride(node_type, field, value);
}
std::string Scene::Overrides() const {
  return impl_->Get([](const SceneState& state) {
    return json::serialize(OverridesJson(state.overrides));
  });
}

std::vector<SceneEntry> Scene::Entries() const {
  return impl_->Get([](const SceneState& state) {
    std::vector<SceneEntry> entries;
    for (std::size_t layer = 0; layer <= state.memory.layers.size(); ++layer) {
      for (std::size_t i = 0; i < ListOf(state.memory, layer).size(); ++i) {
        entries.push_back(ToInfo(state.memory, {layer, i}));
      }
    }
    return entries;
  });
}
bool Scene::UpdateMemory(std::chrono::milliseconds timeout) {
  return impl_->UpdateMemory(timeout);
}
void Scene::CancelMemory() { impl_->CancelMemory(); }
std::vector<NodeEvent> Scene::PollEvents() { return impl_->PollEvents(); }
void Scene::EditEntry(std::int64_t id, std::string text) {
  impl_->EditEntry(id, std::move(text));
}
void Scene::RegenerateEntry(std::int64_t id) { impl_->RegenerateEntry(id); }
bool Scene::RegenerateAll() { return impl_->RegenerateAll(); }
bool Scene::ResetLayers(std::optional<std::int64_t> count) {
  return impl_->ResetLayers(count);
}
std::int64_t Scene::AddBackstory(std::string text, std::string_view ago) {
  return impl_->AddBackstory(std::move(text), ParseStoryTime(ago, "ago"));
}
void Scene::RemoveBackstory(std::int64_t id) { impl_->RemoveBackstory(id); }
SceneSources Scene::Inspect(std::int64_t id) const { return impl_->Inspect(id); }
std::vector<SceneLayerStats> Scene::Statistics() const { return impl_->Statistics(); }
std::string Scene::ExportSnapshot() const {
  return WriteSceneSnapshot(impl_->Get([](const SceneState& state) { return state; }));
}
void Scene::Close() { impl_->Close(); }

}  // namespace talefold
