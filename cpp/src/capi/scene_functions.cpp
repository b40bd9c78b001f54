// Scenes: characters, messages, turns, memory, snapshots.
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "capi/border.h"
#include "capi/event_view.h"
#include "capi/functions.h"
#include "capi/objects.h"
#include "capi/options.h"
#include "capi/results.h"

namespace talefold::capi {

namespace {

// --- What the functions below have in common -----------------------------------------

// Answers with a text that `work(scene)` makes.
template <typename Work>
std::int32_t AnswerText(talefold_scene scene, talefold_text* text, const Work& work) {
  return Call([&] {
    talefold_text& out = Out(text, "the result");
    Return(out, work(Scenes().Get(scene)->scene));
  });
}

// Answers with a number or flag that `work(scene)` finds.
template <typename T, typename Work>
std::int32_t AnswerNumber(talefold_scene scene, T* number, std::string_view what,
                          const Work& work) {
  return Call([&] {
    T& out = Out(number, what);
    out = work(Scenes().Get(scene)->scene);
  });
}

// Adds what `add(scene)` does; *number becomes what it returns. It waits for the memory
// of a scene with run_inline.
template <typename Add>
std::int32_t AddMessages(talefold_scene scene, std::int64_t* number,
                         std::string_view what, std::string_view function,
                         const Add& add) {
  return Call([&] {
    std::int64_t& out = Out(number, what);
    const auto object = Scenes().Get(scene);
    if (object->run_inline) RefuseInCallback(function);
    out = add(object->scene);
  });
}

// Has the model write entries again; *done becomes whether all of it was done.
template <typename Work>
std::int32_t Rewrite(talefold_scene scene, std::int32_t* done,
                     std::string_view function, const Work& work) {
  return Call([&] {
    std::int32_t& out = Out(done, "done");
    RefuseInCallback(function);
    out = work(Scenes().Get(scene)->scene);
  });
}

// Starts a turn with `start(scene, options)`; *task becomes its handle.
template <typename Start>
std::int32_t StartSceneTurn(talefold_scene scene, std::int64_t timeout_ms,
                            talefold_task* task, const Start& start) {
  return Call([&] {
    talefold_task& out = Out(task, "turn");
    const auto object = Scenes().Get(scene);
    Turn turn = start(object->scene, TurnOptions{.timeout_ms = timeout_ms});
    out = AddOwned<Task>(Tasks(), object->engine,
                         std::make_shared<TurnTask>(object->engine, std::move(turn)));
  });
}

// --- The scene -----------------------------------------------------------------------

std::int32_t CreateScene(talefold_engine engine, talefold_text memory_graph,
                         talefold_text options, talefold_text snapshot,
                         talefold_scene* scene) {
  return Call([&] {
    talefold_scene& out = Out(scene, "scene");
    const auto object = Engines().Get(engine);
    SceneOptions read = ReadSceneOptions(Read(options, "options"));
    const std::string_view graph = Read(memory_graph, "memory_graph");
    if (!graph.empty()) read.memory_graph = GraphDescription::FromJson(graph);
    read.snapshot = std::string(Read(snapshot, "snapshot"));
    const bool run_inline = read.run_inline;
    out =
        AddOwned(Scenes(), engine,
                 std::make_shared<SceneObject>(
                     engine, run_inline, object->engine.CreateScene(std::move(read))));
  });
}

std::int32_t Close(talefold_scene scene) {
  return Call([&] {
    RefuseInCallback("scene_close");
    Scenes().Get(scene)->scene.Close();
  });
}

std::int32_t Destroy(talefold_scene scene) {
  return Call([&] {
    RefuseInCallback("scene_destroy");
    Scenes().Get(scene)->scene.Close();
    Scenes().Remove(scene);
  });
}

// --- Characters ----------------------------------------------------------------------

std::int32_t AddCharacter(talefold_scene scene, talefold_text name, talefold_text graph,
                          std::int32_t active) {
  return Call([&] {
    const auto object = Scenes().Get(scene);
    object->scene.AddCharacter(std::string(Read(name, "name")),
                               GraphDescription::FromJson(Read(graph, "graph")),
                               active != 0);
  });
}

std::int32_t Characters(talefold_scene scene, talefold_text* json) {
  return AnswerText(scene, json,
                    [](Scene& target) { return TextsJson(target.Characters()); });
}

std::int32_t Activate(talefold_scene scene, talefold_text name, std::int32_t* changed) {
  return AnswerNumber(scene, changed, "changed", [&](Scene& target) {
    return target.Activate(std::string(Read(name, "name")));
  });
}

std::int32_t Deactivate(talefold_scene scene, talefold_text name,
                        std::int32_t* changed) {
  return AnswerNumber(scene, changed, "changed", [&](Scene& target) {
    return target.Deactivate(std::string(Read(name, "name")));
  });
}

std::int32_t Active(talefold_scene scene, talefold_text* json) {
  return AnswerText(scene, json,
                    [](Scene& target) { return TextsJson(target.Active()); });
}

// --- Messages ------------------------------------------------------------------------

std::int32_t Say(talefold_scene scene, talefold_text speaker, talefold_text text,
                 talefold_text options, std::int64_t* id) {
  return AddMessages(scene, id, "id", "scene_say", [&](Scene& target) {
    return target.Say(std::string(Read(speaker, "speaker")),
                      std::string(Read(text, "text")),
                      ReadMessageOptions(Read(options, "options")));
  });
}

std::int32_t Narrate(talefold_scene scene, talefold_text text, talefold_text options,
                     std::int64_t* id) {
  return AddMessages(scene, id, "id", "scene_narrate", [&](Scene& target) {
    return target.Narrate(std::string(Read(text, "text")),
                          ReadMessageOptions(Read(options, "options")));
  });
}

std::int32_t Direct(talefold_scene scene, talefold_text character, talefold_text text,
                    std::int64_t* id) {
  return AddMessages(scene, id, "id", "scene_direct", [&](Scene& target) {
    return target.Direct(std::string(Read(character, "character")),
                         std::string(Read(text, "text")));
  });
}

std::int32_t AddNoteMessage(talefold_scene scene, talefold_text kind,
                            talefold_text title, talefold_text text, std::int64_t* id) {
  return AddMessages(scene, id, "id", "scene_add_note_message", [&](Scene& target) {
    return target.AddNote(ReadNoteKind(Read(kind, "kind")),
                          std::string(Read(title, "title")),
                          std::string(Read(text, "text")));
  });
}

std::int32_t PassTime(talefold_scene scene, talefold_text duration, talefold_text text,
                      std::int64_t* id) {
  return AddMessages(scene, id, "id", "scene_pass_time", [&](Scene& target) {
    return target.PassTime(Read(duration, "duration"), std::string(Read(text, "text")));
  });
}

std::int32_t InsertTime(talefold_scene scene, std::int64_t before,
                        talefold_text duration, talefold_text text, std::int64_t* id) {
  return AddMessages(scene, id, "id", "scene_insert_time", [&](Scene& target) {
    return target.InsertTime(before, Read(duration, "duration"),
                             std::string(Read(text, "text")));
  });
}

std::int32_t ImportTranscript(talefold_scene scene, talefold_text lines,
                              std::int64_t* count) {
  return AddMessages(
      scene, count, "count", "scene_import_transcript",
      [&](Scene& target) { return target.ImportTranscript(Read(lines, "lines")); });
}

std::int32_t Edit(talefold_scene scene, std::int64_t id, talefold_text text) {
  return Call(
      [&] { Scenes().Get(scene)->scene.Edit(id, std::string(Read(text, "text"))); });
}

std::int32_t EditTime(talefold_scene scene, std::int64_t id, talefold_text duration) {
  return Call(
      [&] { Scenes().Get(scene)->scene.EditTime(id, Read(duration, "duration")); });
}

std::int32_t Erase(talefold_scene scene, std::int64_t id) {
  return Call([&] { Scenes().Get(scene)->scene.Erase(id); });
}

std::int32_t SetHidden(talefold_scene scene, std::int64_t id, std::int32_t hidden) {
  return Call([&] { Scenes().Get(scene)->scene.SetHidden(id, hidden != 0); });
}

std::int32_t ShowVersion(talefold_scene scene, std::int64_t id, std::int64_t version) {
  return Call([&] { Scenes().Get(scene)->scene.ShowVersion(id, version); });
}

std::int32_t Messages(talefold_scene scene, talefold_text* json) {
  return AnswerText(scene, json,
                    [](Scene& target) { return SceneMessagesJson(target.Messages()); });
}

std::int32_t Size(talefold_scene scene, std::int64_t* size) {
  return AnswerNumber(scene, size, "size", [](Scene& target) { return target.size(); });
}

std::int32_t Version(talefold_scene scene, std::uint64_t* version) {
  return AnswerNumber(scene, version, "version",
                      [](Scene& target) { return target.version(); });
}

std::int32_t Clock(talefold_scene scene, talefold_text* clock) {
  return AnswerText(scene, clock, [](Scene& target) { return target.Clock(); });
}

std::int32_t TimeLabel(talefold_scene scene, talefold_text moment,
                       talefold_text* label) {
  return AnswerText(scene, label, [&](Scene& target) {
    return target.TimeLabel(Read(moment, "moment"));
  });
}

// --- Turns ---------------------------------------------------------------------------

std::int32_t StartTurn(talefold_scene scene, talefold_text character,
                       std::int64_t timeout_ms, talefold_task* turn) {
  return StartSceneTurn(
      scene, timeout_ms, turn, [&](Scene& target, TurnOptions options) {
        return target.TakeTurn(std::string(Read(character, "character")), options);
      });
}

std::int32_t StartRegenerate(talefold_scene scene, talefold_text character,
                             talefold_text hint, std::int64_t timeout_ms,
                             talefold_task* turn) {
  return StartSceneTurn(
      scene, timeout_ms, turn, [&](Scene& target, TurnOptions options) {
        return target.Regenerate(std::string(Read(character, "character")),
                                 std::string(Read(hint, "hint")), options);
      });
}

// --- Settings ------------------------------------------------------------------------

std::int32_t Settings(talefold_scene scene, talefold_text* json) {
  return AnswerText(scene, json,
                    [](Scene& target) { return SceneSettingsJson(target.Settings()); });
}

std::int32_t SetSettings(talefold_scene scene, talefold_text settings) {
  return Call([&] {
    const auto object = Scenes().Get(scene);
    const std::lock_guard lock(object->mutex);  // no change meanwhile is lost
    object->scene.SetSettings(
        ReadSceneSettings(Read(settings, "settings"), object->scene.Settings()));
  });
}

std::int32_t SetNote(talefold_scene scene, talefold_text key, talefold_text text) {
  return Call([&] {
    Scenes().Get(scene)->scene.SetNote(std::string(Read(key, "key")),
                                       std::string(Read(text, "text")));
  });
}

std::int32_t Notes(talefold_scene scene, talefold_text* json) {
  return AnswerText(scene, json,
                    [](Scene& target) { return PairsJson(target.Notes()); });
}

std::int32_t SetOverride(talefold_scene scene, talefold_text node_type,
                         talefold_text field, talefold_text value) {
  return Call([&] {
    RefuseInCallback("scene_set_override");
    Scenes().Get(scene)->scene.SetOverride(std::string(Read(node_type, "node_type")),
                                           std::string(Read(field, "field")),
                                           std::string(Read(value, "value")));
  });
}

std::int32_t Overrides(talefold_scene scene, talefold_text* json) {
  return AnswerText(scene, json, [](Scene& target) { return target.Overrides(); });
}

// --- The memory ----------------------------------------------------------------------

std::int32_t Entries(talefold_scene scene, talefold_text* json) {
  return AnswerText(scene, json,
                    [](Scene& target) { return SceneEntriesJson(target.Entries()); });
}

std::int32_t UpdateMemory(talefold_scene scene, std::int64_t timeout_ms,
                          std::int32_t* done) {
  return Rewrite(scene, done, "scene_update_memory", [&](Scene& target) {
    return target.UpdateMemory(std::chrono::milliseconds(ReadTimeout(timeout_ms)));
  });
}

std::int32_t CancelMemory(talefold_scene scene) {
  return Call([&] { Scenes().Get(scene)->scene.CancelMemory(); });
}

std::int32_t PollEvent(talefold_scene scene, talefold_event* event) {
  return Call([&] {
    talefold_event* out = OutStruct(event, "event");
    const auto object = Scenes().Get(scene);
    const std::lock_guard lock(object->mutex);
    if (object->events.empty()) {
      for (NodeEvent& each : object->scene.PollEvents()) {
        object->events.push_back(std::move(each));
      }
    }
    std::optional<TaskEvent> next;
    if (!object->events.empty()) {
      next = Event{0, std::move(object->events.front())};
      object->events.pop_front();
    }
    FillEvent(out, std::move(next));
  });
}

std::int32_t EditEntry(talefold_scene scene, std::int64_t id, talefold_text text) {
  return Call([&] {
    Scenes().Get(scene)->scene.EditEntry(id, std::string(Read(text, "text")));
  });
}

std::int32_t RegenerateEntry(talefold_scene scene, std::int64_t id) {
  return Call([&] {
    RefuseInCallback("scene_regenerate_entry");
    Scenes().Get(scene)->scene.RegenerateEntry(id);
  });
}

std::int32_t RegenerateAll(talefold_scene scene, std::int32_t* done) {
  return Rewrite(scene, done, "scene_regenerate_all",
                 [](Scene& target) { return target.RegenerateAll(); });
}

std::int32_t ResetLayers(talefold_scene scene, std::int64_t count, std::int32_t* done) {
  return Rewrite(scene, done, "scene_reset_layers", [&](Scene& target) {
    if (count < 0) {
      throw Error(ErrorCode::InvalidArgument,
                  "count: " + std::to_string(count) +
                      " is out of range; allowed 0 (all layers) or more");
    }
    return target.ResetLayers(count == 0 ? std::nullopt : std::optional(count));
  });
}

std::int32_t AddBackstory(talefold_scene scene, talefold_text text, talefold_text ago,
                          std::int64_t* id) {
  return AnswerNumber(scene, id, "id", [&](Scene& target) {
    return target.AddBackstory(std::string(Read(text, "text")), Read(ago, "ago"));
  });
}

std::int32_t RemoveBackstory(talefold_scene scene, std::int64_t id) {
  return Call([&] { Scenes().Get(scene)->scene.RemoveBackstory(id); });
}

std::int32_t Inspect(talefold_scene scene, std::int64_t id, talefold_text* json) {
  return AnswerText(scene, json, [id](Scene& target) {
    return SceneSourcesJson(target.Inspect(id));
  });
}

std::int32_t Statistics(talefold_scene scene, talefold_text* json) {
  return AnswerText(scene, json, [](Scene& target) {
    return SceneStatisticsJson(target.Statistics());
  });
}

std::int32_t ExportSnapshot(talefold_scene scene, talefold_text* snapshot) {
  return AnswerText(scene, snapshot,
                    [](Scene& target) { return target.ExportSnapshot(); });
}

std::int32_t Review(talefold_scene scene, talefold_text character,
                    talefold_text history, talefold_text* json) {
  return AnswerText(scene, json, [&](Scene& target) {
    return StoryReviewJson(target.Review(std::string(Read(character, "character")),
                                         std::string(Read(history, "history"))));
  });
}

}  // namespace

void AddSceneFunctions(talefold_api& api) {
  api.engine_create_scene = CreateScene;
  api.scene_close = Close;
  api.scene_destroy = Destroy;
  api.scene_add_character = AddCharacter;
  api.scene_characters = Characters;
  api.scene_activate = Activate;
  api.scene_deactivate = Deactivate;
  api.scene_active = Active;
  api.scene_say = Say;
  api.scene_narrate = Narrate;
  api.scene_direct = Direct;
  api.scene_add_note_message = AddNoteMessage;
  api.scene_pass_time = PassTime;
  api.scene_insert_time = InsertTime;
  api.scene_import_transcript = ImportTranscript;
  api.scene_edit = Edit;
  api.scene_edit_time = EditTime;
  api.scene_erase = Erase;
  api.scene_set_hidden = SetHidden;
  api.scene_show_version = ShowVersion;
  api.scene_messages = Messages;
  api.scene_size = Size;
  api.scene_version = Version;
  api.scene_clock = Clock;
  api.scene_time_label = TimeLabel;
  api.scene_start_turn = StartTurn;
  api.scene_start_regenerate = StartRegenerate;
  api.scene_settings = Settings;
  api.scene_set_settings = SetSettings;
  api.scene_set_note = SetNote;
  api.scene_notes = Notes;
  api.scene_set_override = SetOverride;
  api.scene_overrides = Overrides;
  api.scene_entries = Entries;
  api.scene_update_memory = UpdateMemory;
  api.scene_cancel_memory = CancelMemory;
  api.scene_poll_event = PollEvent;
  api.scene_edit_entry = EditEntry;
  api.scene_regenerate_entry = RegenerateEntry;
  api.scene_regenerate_all = RegenerateAll;
  api.scene_reset_layers = ResetLayers;
  api.scene_add_backstory = AddBackstory;
  api.scene_remove_backstory = RemoveBackstory;
  api.scene_inspect = Inspect;
  api.scene_statistics = Statistics;
  api.scene_export_snapshot = ExportSnapshot;
  api.scene_review = Review;
}

}  // namespace talefold::capi
