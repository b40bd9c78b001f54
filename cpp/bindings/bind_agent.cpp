#include "bind.h"
#include "convert.h"

namespace talefold::python {

namespace {

std::optional<std::string> Utf8OrNull(std::optional<Text> text) {
  if (!text) return std::nullopt;
  return std::move(text->utf8);
}

}  // namespace

void BindAgent(py::module_& module) {
  using py::arg;

  py::class_<Agent>(module, "Agent")
      .def(
          "start",
          [](Agent& agent, std::optional<Text> text, std::int64_t timeout_ms) {
            return agent.Start(Utf8OrNull(std::move(text)), {.timeout_ms = timeout_ms});
          },
          arg("text"), arg("timeout_ms"), NoGil())
      .def(
          "start_regenerate",
          [](Agent& agent, std::int64_t timeout_ms) {
            return agent.StartRegenerate({.timeout_ms = timeout_ms});
          },
          arg("timeout_ms"), NoGil())
      .def(
          "start_replay",
          [](Agent& agent, Text user, Text assistant, std::int64_t timeout_ms) {
            return agent.StartReplay(std::move(user.utf8), std::move(assistant.utf8),
                                     {.timeout_ms = timeout_ms});
          },
          arg("user"), arg("assistant"), arg("timeout_ms"), NoGil())
      .def(
          "start_refold",
          [](Agent& agent, std::int64_t timeout_ms) {
            return agent.StartRefold({.timeout_ms = timeout_ms});
          },
          arg("timeout_ms"), NoGil())
      .def(
          "submit_tool_result",
          [](Agent& agent, const Text& call_id, Text result) {
            agent.SubmitToolResult(call_id.utf8, std::move(result.utf8));
          },
          arg("call_id"), arg("result"), NoGil())
      .def(
          "start_tool_result",
          [](Agent& agent, const Text& call_id, Text result, std::int64_t timeout_ms) {
            return agent.StartToolResult(call_id.utf8, std::move(result.utf8),
                                         {.timeout_ms = timeout_ms});
          },
          arg("call_id"), arg("result"), arg("timeout_ms"), NoGil())
      .def(
          "append_interaction",
          [](Agent& agent, Text user, Text assistant) {
            agent.AppendInteraction(std::move(user.utf8), std::move(assistant.utf8));
          },
          arg("user"), arg("assistant"), NoGil())
      .def(
          "edit_interaction",
          [](Agent& agent, std::int64_t index, std::optional<Text> user,
             std::optional<Text> assistant) {
            agent.EditInteraction(index, Utf8OrNull(std::move(user)),
                                  Utf8OrNull(std::move(assistant)));
          },
          arg("index"), arg("user"), arg("assistant"), NoGil())
      .def("undo_last_turn", &Agent::UndoLastTurn, NoGil())
      .def("get_summary", &Agent::GetSummary, NoGil())
      .def(
          "set_summary",
          [](Agent& agent, Text text) { agent.SetSummary(std::move(text.utf8)); },
          arg("text"), NoGil())
      .def(
          "pin",
          [](Agent& agent, Text key, Text text) {
            agent.Pin(std::move(key.utf8), std::move(text.utf8));
          },
          arg("key"), arg("text"), NoGil())
      .def(
          "unpin", [](Agent& agent, const Text& key) { return agent.Unpin(key.utf8); },
          arg("key"), NoGil())
      .def("pins",
           [](const Agent& agent) {
             std::vector<PinInfo> pins;
             {
               const ReleaseGil no_gil;
               pins = agent.Pins();
             }
             py::dict by_key;
             for (const PinInfo& pin : pins) by_key[py::str(pin.key)] = pin.text;
             return by_key;
           })
      .def(
          "change_params",
          [](Agent& agent, const Text& node, const Text& type, const Text& params) {
            agent.ChangeParams(node.utf8,
                               ParamsFromJson(type.utf8, node.utf8, params.utf8));
          },
          arg("node"), arg("type"), arg("params"), NoGil())
      .def(
          "change_params_json",
          [](Agent& agent, const Text& node, const Text& params) {
            agent.ChangeParamsJson(node.utf8, params.utf8);
          },
          arg("node"), arg("params"), NoGil())
      .def("graph", &Agent::graph, NoGil())
      .def("export_snapshot", &Agent::ExportSnapshot, NoGil())
      .def(
          "import_snapshot",
          [](Agent& agent, const Text& text) { agent.ImportSnapshot(text.utf8); },
          arg("text"), NoGil())
      .def("export_kv",
           [](const Agent& agent) {
             std::string kv;
             {
               const ReleaseGil no_gil;
               kv = agent.ExportKv();
             }
             return py::bytes(kv);
           })
      .def("kv_export_size", &Agent::KvExportSize, NoGil())
      .def(
          "import_kv",
          // By reference: without the GIL nothing may be counted.
          [](Agent& agent, const py::bytes& kv) {
            agent.ImportKv(std::string_view(kv));
          },
          arg("kv"), NoGil())
      .def("kv_rejection", &Agent::kv_rejection, NoGil())
      .def("dialog", &Agent::Dialog, NoGil())
      .def("dialog_size", &Agent::dialog_size, NoGil())
      .def(
          "history_states",
          [](const Agent& agent, const Text& node) {
            return agent.HistoryStates(node.utf8);
          },
          arg("node"), NoGil())
      .def("poll_background", &Agent::PollBackground, NoGil())
      .def(
          "wait_background",
          [](Agent& agent, std::int64_t timeout_ms) {
            RefuseInCallback("wait_background");
            return agent.WaitBackground(std::chrono::milliseconds(timeout_ms));
          },
          arg("timeout_ms"), NoGil())
      .def("prewarm", &Agent::Prewarm, NoGil())
      .def("busy", &Agent::busy, NoGil())
      .def(
          "close",
          [](Agent& agent) {
            RefuseInCallback("close");
            agent.Close();
          },
          NoGil());
}

}  // namespace talefold::python
