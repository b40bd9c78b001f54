#include "capi/objects.h"

namespace talefold::capi {

namespace {

EngineOptions WithLog(EngineOptions options, std::shared_ptr<LogQueue> log) {
  options.log_sink = [log = std::move(log)](LogLevel level, std::string_view category,
                                            std::string_view text) {
    log->Add(level, category, text);
  };
  return options;
}

}  // namespace

EngineObject::EngineObject(EngineOptions options)
    : engine(WithLog(std::move(options), log)) {}

HandleTable<EngineObject, HandleKind::Engine>& Engines() {
  static auto& table = *new HandleTable<EngineObject, HandleKind::Engine>();
  return table;
}

HandleTable<AgentObject, HandleKind::Agent>& Agents() {
  static auto& table = *new HandleTable<AgentObject, HandleKind::Agent>();
  return table;
}

HandleTable<Task, HandleKind::Task>& Tasks() {
  static auto& table = *new HandleTable<Task, HandleKind::Task>();
  return table;
}

HandleTable<SpeechCall, HandleKind::Speech>& SpeechCalls() {
  static auto& table = *new HandleTable<SpeechCall, HandleKind::Speech>();
  return table;
}

}  // namespace talefold::capi
