// What the handles of the C interface stand for.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <utility>

#include "capi/handle_table.h"
#include "capi/load_task.h"
#include "capi/log_queue.h"
#include "capi/speech.h"
#include "capi/task.h"
#include "talefold/agent.h"
#include "talefold/engine.h"
#include "talefold/scene.h"

namespace talefold::capi {

struct EngineObject {
  explicit EngineObject(EngineOptions options);
  ~EngineObject() { loads.Stop(); }

  const std::shared_ptr<LogQueue> log = std::make_shared<LogQueue>();
  Engine engine;
  Loads loads;
  SpeechBackends speech;
  std::mutex closing;  // held while the engine is being destroyed
};

struct AgentObject {
  std::uint64_t engine = 0;  // its handle
  Agent agent;
  std::mutex mutex;              // guards `background`
  std::deque<Event> background;  // polled from the agent, not yet by the host
};

struct SceneObject {
  std::uint64_t engine = 0;  // its handle
  bool run_inline = false;   // messages wait for the memory
  Scene scene;
  std::mutex mutex;                   // guards `events`, and changes of the settings
  std::deque<NodeEvent> events = {};  // polled from the scene, not yet by the host
};

// One table each in a process.
HandleTable<EngineObject, HandleKind::Engine>& Engines();
HandleTable<AgentObject, HandleKind::Agent>& Agents();
HandleTable<Task, HandleKind::Task>& Tasks();
HandleTable<SpeechCall, HandleKind::Speech>& SpeechCalls();
HandleTable<SceneObject, HandleKind::Scene>& Scenes();

// A handle of an object that belongs to an engine. Throws EngineClosed, and keeps
// nothing, when the engine was destroyed meanwhile.
template <typename T, HandleKind kKind>
std::uint64_t AddOwned(HandleTable<T, kKind>& table, std::uint64_t engine,
                       std::shared_ptr<T> object) {
  const std::uint64_t handle = table.Add(std::move(object));
  if (Engines().Has(engine)) return handle;
  table.RemoveIf([engine](const T& each) {
    if constexpr (kKind == HandleKind::Task) {
      return each.engine() == engine;
    } else {
      return each.engine == engine;
    }
  });
  throw Error(ErrorCode::EngineClosed, "the engine was destroyed");
}

}  // namespace talefold::capi
