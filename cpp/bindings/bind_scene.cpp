#include <chrono>

#include "bind.h"
#include "convert.h"

namespace talefold::python {

namespace {

MessageOptions OptionsOf(Text source, Text meta, bool hidden) {
  return {std::move(source.utf8), std::move(meta.utf8), hidden};
}

void BindMessages(py::class_<Scene>& scene) {
  using py::arg;
  scene
      .def(
          "say",
          [](Scene& scene, const Text& speaker, Text text, Text source, Text meta,
             bool hidden) {
            return scene.Say(speaker.utf8, std::move(text.utf8),
                             OptionsOf(std::move(source), std::move(meta), hidden));
          },
          arg("speaker"), arg("text"), arg("source"), arg("meta"), arg("hidden"),
          NoGil())
      .def(
          "narrate",
          [](Scene& scene, Text text, Text source, Text meta, bool hidden) {
            return scene.Narrate(std::move(text.utf8),
                                 OptionsOf(std::move(source), std::move(meta), hidden));
          },
          arg("text"), arg("source"), arg("meta"), arg("hidden"), NoGil())
      .def(
          "direct",
          [](Scene& scene, const Text& character, Text text) {
            return scene.Direct(character.utf8, std::move(text.utf8));
          },
          arg("character"), arg("text"), NoGil())
      .def(
          "add_note_message",
          [](Scene& scene, bool investigation, const Text& title, Text text) {
            return scene.AddNote(investigation ? MessageKind::ContextInvestigation
                                               : MessageKind::Reinforcement,
                                 title.utf8, std::move(text.utf8));
          },
          arg("investigation"), arg("title"), arg("text"), NoGil())
      .def(
          "pass_time",
          [](Scene& scene, const Text& duration, Text text) {
            return scene.PassTime(duration.utf8, std::move(text.utf8));
          },
          arg("duration"), arg("text"), NoGil())
      .def(
          "insert_time",
          [](Scene& scene, std::int64_t before, const Text& duration, Text text) {
            return scene.InsertTime(before, duration.utf8, std::move(text.utf8));
          },
          arg("before"), arg("duration"), arg("text"), NoGil())
      .def(
          "edit_time",
          [](Scene& scene, std::int64_t id, const Text& duration) {
            scene.EditTime(id, duration.utf8);
          },
          arg("id"), arg("duration"), NoGil())
      .def(
          "edit",
          [](Scene& scene, std::int64_t id, Text text) {
            scene.Edit(id, std::move(text.utf8));
          },
          arg("id"), arg("text"), NoGil())
      .def("erase", &Scene::Erase, arg("id"), NoGil())
      .def("set_hidden", &Scene::SetHidden, arg("id"), arg("hidden"), NoGil())
      .def("show_version", &Scene::ShowVersion, arg("id"), arg("version"), NoGil())
      .def("messages", &Scene::Messages, NoGil())
      .def("size", &Scene::size, NoGil())
      .def("version", &Scene::version, NoGil())
      .def("clock", &Scene::Clock, NoGil())
      .def(
          "time_label",
          [](const Scene& scene, const Text& moment) {
            return scene.TimeLabel(moment.utf8);
          },
          arg("moment"), NoGil())
      .def(
          "import_transcript",
          [](Scene& scene, const Text& lines) {
            return scene.ImportTranscript(lines.utf8);
          },
          arg("lines"), NoGil());
}

void BindMemory(py::class_<Scene>& scene) {
  using py::arg;
  scene.def("entries", &Scene::Entries, NoGil())
      .def(
          "update_memory",
          [](Scene& scene, std::int64_t timeout_ms) {
            return scene.UpdateMemory(std::chrono::milliseconds(timeout_ms));
          },
          arg("timeout_ms"), NoGil())
      .def("cancel_memory", &Scene::CancelMemory, NoGil())
      .def("poll_events",
           [](Scene& scene) {
             std::vector<NodeEvent> events;
             {
               const ReleaseGil no_gil;
               events = scene.PollEvents();
             }
             py::list list;
             for (NodeEvent& event : events) {
               list.append(ToPython(Event{0, std::move(event)}));
             }
             return list;
           })
      .def(
          "edit_entry",
          [](Scene& scene, std::int64_t id, Text text) {
            scene.EditEntry(id, std::move(text.utf8));
          },
          arg("id"), arg("text"), NoGil())
      .def("regenerate_entry", &Scene::RegenerateEntry, arg("id"), NoGil())
      .def("regenerate_all", &Scene::RegenerateAll, NoGil())
      .def("reset_layers", &Scene::ResetLayers, arg("count"), NoGil())
      .def(
          "add_backstory",
          [](Scene& scene, Text text, const Text& ago) {
            return scene.AddBackstory(std::move(text.utf8), ago.utf8);
          },
          arg("text"), arg("ago"), NoGil())
      .def("remove_backstory", &Scene::RemoveBackstory, arg("id"), NoGil())
      .def("inspect", &Scene::Inspect, arg("id"), NoGil())
      .def("statistics", &Scene::Statistics, NoGil());
}

}  // namespace

void BindScene(py::module_& module) {
  using py::arg;
  py::class_<Scene> scene(module, "Scene");
  scene
      .def(
          "add_character",
          [](Scene& scene, const Text& name, const GraphDescription& graph,
             bool active) { scene.AddCharacter(name.utf8, graph, active); },
          arg("name"), arg("graph"), arg("active"), NoGil())
      .def("characters", &Scene::Characters, NoGil())
      .def(
          "activate",
          [](Scene& scene, const Text& name) { return scene.Activate(name.utf8); },
          arg("name"), NoGil())
      .def(
          "deactivate",
          [](Scene& scene, const Text& name) { return scene.Deactivate(name.utf8); },
          arg("name"), NoGil())
      .def("active", &Scene::Active, NoGil())
      .def(
          "start_turn",
          [](Scene& scene, const Text& character, std::int64_t timeout_ms) {
            return scene.TakeTurn(character.utf8, {.timeout_ms = timeout_ms});
          },
          arg("character"), arg("timeout_ms"), NoGil())
      .def(
          "start_regenerate",
          [](Scene& scene, const Text& character, const Text& hint,
             std::int64_t timeout_ms) {
            return scene.Regenerate(character.utf8, hint.utf8,
                                    {.timeout_ms = timeout_ms});
          },
          arg("character"), arg("hint"), arg("timeout_ms"), NoGil())
      .def("settings", &Scene::Settings, NoGil())
      .def(
          "set_settings",
          [](Scene& scene, Text intro, Text intention, Text writing_style,
             const Text& format) {
            scene.SetSettings({std::move(intro.utf8), std::move(intention.utf8),
                               std::move(writing_style.utf8),
                               SceneFormatFromName(format.utf8)});
          },
          arg("intro"), arg("intention"), arg("writing_style"), arg("format"), NoGil())
      .def(
          "set_note",
          [](Scene& scene, const Text& key, Text text) {
            scene.SetNote(key.utf8, std::move(text.utf8));
          },
          arg("key"), arg("text"), NoGil())
      .def("notes", &Scene::Notes, NoGil())
      .def(
          "set_override",
          [](Scene& scene, const Text& node_type, const Text& field, Text value) {
            scene.SetOverride(node_type.utf8, field.utf8, std::move(value.utf8));
          },
          arg("node_type"), arg("field"), arg("value"), NoGil())
      .def("overrides", &Scene::Overrides, NoGil())
      .def(
          "review",
          [](Scene& scene, const Text& character, const Text& history) {
            return scene.Review(character.utf8, history.utf8);
          },
          arg("character"), arg("history"), NoGil())
      .def("export_snapshot", &Scene::ExportSnapshot, NoGil())
      .def("close", &Scene::Close, NoGil());
  BindMessages(scene);
  BindMemory(scene);
}

}  // namespace talefold::python
