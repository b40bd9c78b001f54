// Engines and the models they run.
#include <mutex>
#include <utility>

#include "capi/border.h"
#include "capi/functions.h"
#include "capi/objects.h"
#include "capi/options.h"
#include "capi/process_end.h"
#include "capi/results.h"

namespace talefold::capi {

namespace {

constexpr talefold_log_line kNoLine{
    .size = 0, .level = -1, .category = {}, .text = {}, .dropped = 0};

std::int32_t Create(talefold_text options, talefold_engine* engine) {
  return Call([&] {
    talefold_engine& out = Out(engine, "engine");
    out = Engines().Add(
        std::make_shared<EngineObject>(ReadEngineOptions(Read(options, "options"))));
    StopEnginesAtExit();
  });
}

void RemoveOwned(talefold_engine engine) {
  Agents().RemoveIf(
      [engine](const AgentObject& each) { return each.engine == engine; });
  Scenes().RemoveIf(
      [engine](const SceneObject& each) { return each.engine == engine; });
  Tasks().RemoveIf([engine](const Task& each) { return each.engine() == engine; });
}

std::int32_t Destroy(talefold_engine engine) {
  return Call([&] {
    RefuseInCallback("engine_destroy");
    const auto object = Engines().Get(engine);
    const std::lock_guard closing(object->closing);  // who comes second waits, too
    object->loads.Stop();
    object->engine.Close();
    object->speech.End();
    // Before the handle goes: who comes third finds none, and does not wait.
    RemoveOwned(engine);
    Engines().Remove(engine);
    RemoveOwned(engine);  // of calls that were under way; see AddOwned
  });
}

std::int32_t PollLog(talefold_engine engine, talefold_log_line* line) {
  return Call([&] {
    talefold_log_line* out = OutStruct(line, "line", kNoLine);
    auto taken = Engines().Get(engine)->log->Take();
    if (!taken) return;
    const LogLine& kept = ReturnedByThread().line = std::move(*taken);
    Fill(out, {.size = 0,
               .level = static_cast<std::int32_t>(kept.level),
               .category = View(kept.category),
               .text = View(kept.text),
               .dropped = kept.dropped});
  });
}

std::int32_t Stats(talefold_engine engine, talefold_text* json) {
  return Call([&] {
    talefold_text& out = Out(json, "json");
    Return(out, StatsJson(Engines().Get(engine)->engine.Stats()));
  });
}

std::int32_t LoadScriptedModel(talefold_engine engine, talefold_text name,
                               talefold_text options) {
  return Call([&] {
    Engines().Get(engine)->engine.LoadScriptedModel(
        std::string(Read(name, "name")),
        ReadScriptedModelOptions(Read(options, "options")));
  });
}

std::int32_t LoadModel(talefold_engine engine, talefold_text name,
                       talefold_text options, talefold_task* task) {
  return Call([&] {
    talefold_task& out = Out(task, "task");
    const auto object = Engines().Get(engine);
    auto work = [&engine = object->engine, name = std::string(Read(name, "name")),
                 options = ReadLlamaModelOptions(Read(options, "options"))](
                    const std::function<bool(float)>& on_progress) mutable {
      options.on_progress = on_progress;
      engine.LoadModel(name, std::move(options));
      StopEnginesAtExit();
    };
    out = AddOwned<Task>(Tasks(), engine, object->loads.Start(engine, std::move(work)));
  });
}

std::int32_t UnloadModel(talefold_engine engine, talefold_text name) {
  return Call([&] {
    Engines().Get(engine)->engine.UnloadModel(std::string(Read(name, "name")));
  });
}

std::int32_t Models(talefold_engine engine, talefold_text* json) {
  return Call([&] {
    talefold_text& out = Out(json, "json");
    Return(out, ModelsJson(Engines().Get(engine)->engine.Models()));
  });
}

std::int32_t CountTokens(talefold_engine engine, talefold_text model,
                         talefold_text text, std::int64_t* count) {
  return Call([&] {
    std::int64_t& out = Out(count, "count");
    out = Engines().Get(engine)->engine.CountTokens(std::string(Read(model, "model")),
                                                    Read(text, "text"));
  });
}

std::int32_t RecordedRequests(talefold_engine engine, talefold_text model,
                              talefold_text* json) {
  return Call([&] {
    talefold_text& out = Out(json, "json");
    Return(out, RequestsJson(Engines().Get(engine)->engine.RecordedRequests(
                    std::string(Read(model, "model")))));
  });
}

std::int32_t NextTokenLogits(talefold_engine engine, talefold_text model,
                             const std::int32_t* prompt, std::size_t prompt_count,
                             talefold_floats* logits) {
  return Call([&] {
    talefold_floats& out = Out(logits, "logits");
    if (!prompt && prompt_count > 0) FailNull("prompt", "pass where the tokens are");
    std::vector<std::int32_t> tokens(prompt, prompt + prompt_count);
    Return(out, Engines().Get(engine)->engine.NextTokenLogits(
                    std::string(Read(model, "model")), std::move(tokens)));
  });
}

std::int32_t CreateAgent(talefold_engine engine, talefold_text graph,
                         talefold_text options, talefold_text snapshot,
                         talefold_bytes kv, talefold_agent* agent) {
  return Call([&] {
    talefold_agent& out = Out(agent, "agent");
    const auto object = Engines().Get(engine);
    AgentSettings settings = ReadAgentSettings(Read(options, "options"));
    auto made = std::make_shared<AgentObject>(
        engine, object->engine.CreateAgent(
                    GraphDescription::FromJson(Read(graph, "graph")),
                    {.default_model_name = std::move(settings.default_model_name),
                     .enable_diagnostics = settings.enable_diagnostics,
                     .snapshot = std::string(Read(snapshot, "snapshot")),
                     .kv = std::string(Read(kv, "kv"))}));
    out = AddOwned(Agents(), engine, std::move(made));
  });
}

}  // namespace

void AddEngineFunctions(talefold_api& api) {
  api.engine_create = Create;
  api.engine_destroy = Destroy;
  api.engine_poll_log = PollLog;
  api.engine_stats = Stats;
  api.engine_load_scripted_model = LoadScriptedModel;
  api.engine_load_model = LoadModel;
  api.engine_unload_model = UnloadModel;
  api.engine_models = Models;
  api.engine_count_tokens = CountTokens;
  api.engine_recorded_requests = RecordedRequests;
  api.engine_next_token_logits = NextTokenLogits;
  api.engine_create_agent = CreateAgent;
}

}  // namespace talefold::capi
