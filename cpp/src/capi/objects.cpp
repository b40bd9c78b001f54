#include "capi/objects.h"

#include "base/fork.h"

namespace talefold::capi {

namespace {

EngineOptions WithLog(EngineOptions options, std::shared_ptr<LogQueue> log) {
  options.log_sink = [log = std::move(log)](LogLevel level, std::string_view category,
                                            std::string_view text) {
    log->Add(level, category, text);
  };
  return options;
}

// Never destroyed, so that a host may end while an engine of its own is still there.
struct Tables {
  HandleTable<EngineObject, HandleKind::Engine> engines;
  HandleTable<AgentObject, HandleKind::Agent> agents;
  HandleTable<Task, HandleKind::Task> tasks;
  HandleTable<SpeechCall, HandleKind::Speech> speech_calls;
  HandleTable<SceneObject, HandleKind::Scene> scenes;
};

// A child of fork() has none of the threads behind the handles of its parent, so it has
// none of the handles either.
Tables& CurrentTables() {
  static Tables* tables = new Tables;
  [[maybe_unused]] static const bool renewed = [] {
    AfterForkInChild([] { tables = new Tables; });
    return true;
  }();
  return *tables;
}

}  // namespace

EngineObject::EngineObject(EngineOptions options)
    : engine(WithLog(std::move(options), log)) {}

HandleTable<EngineObject, HandleKind::Engine>& Engines() {
  return CurrentTables().engines;
}

HandleTable<AgentObject, HandleKind::Agent>& Agents() { return CurrentTables().agents; }

HandleTable<Task, HandleKind::Task>& Tasks() { return CurrentTables().tasks; }

HandleTable<SpeechCall, HandleKind::Speech>& SpeechCalls() {
  return CurrentTables().speech_calls;
}

HandleTable<SceneObject, HandleKind::Scene>& Scenes() { return CurrentTables().scenes; }

}  // namespace talefold::capi
