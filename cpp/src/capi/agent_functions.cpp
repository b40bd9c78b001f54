// Agents: turns, the past, memory, snapshots.
#include <chrono>
#include <utility>

#include "capi/border.h"
#include "capi/event_view.h"
#include "capi/functions.h"
#include "capi/objects.h"
#include "capi/results.h"

namespace talefold::capi {

namespace {

// Starts a turn with `start(agent, options)`; *task becomes its handle.
template <typename Start>
std::int32_t StartTurn(talefold_agent agent, std::int64_t timeout_ms,
                       talefold_task* task, const Start& start) {
  return Call([&] {
    talefold_task& out = Out(task, "turn");
    const auto object = Agents().Get(agent);
    Turn turn = start(object->agent, TurnOptions{.timeout_ms = timeout_ms});
    out = AddOwned<Task>(Tasks(), object->engine,
                         std::make_shared<TurnTask>(object->engine, std::move(turn)));
  });
}

// Answers with a text that `work(agent)` makes.
template <typename Work>
std::int32_t AnswerText(talefold_agent agent, talefold_text* text, const Work& work) {
  return Call([&] {
    talefold_text& out = Out(text, "the result");
    Return(out, work(Agents().Get(agent)->agent));
  });
}

std::int32_t Close(talefold_agent agent) {
  return Call([&] {
    RefuseInCallback("agent_close");
    Agents().Get(agent)->agent.Close();
  });
}

std::int32_t Release(talefold_agent agent) {
  return Call([&] { Agents().Take(agent); });
}

std::int32_t Start(talefold_agent agent, talefold_text user, std::int64_t timeout_ms,
                   talefold_task* turn) {
  return StartTurn(agent, timeout_ms, turn, [&](Agent& target, TurnOptions options) {
    return target.Start(ReadOptional(user, "user"), options);
  });
}

std::int32_t Regenerate(talefold_agent agent, std::int64_t timeout_ms,
                        talefold_task* turn) {
  return StartTurn(agent, timeout_ms, turn, [](Agent& target, TurnOptions options) {
    return target.StartRegenerate(options);
  });
}

std::int32_t ReplayTurn(talefold_agent agent, talefold_text user,
                        talefold_text assistant, std::int64_t timeout_ms,
                        talefold_task* turn) {
  return StartTurn(agent, timeout_ms, turn, [&](Agent& target, TurnOptions options) {
    return target.StartReplay(std::string(Read(user, "user")),
                              std::string(Read(assistant, "assistant")), options);
  });
}

std::int32_t Refold(talefold_agent agent, std::int64_t timeout_ms,
                    talefold_task* turn) {
  return StartTurn(agent, timeout_ms, turn, [](Agent& target, TurnOptions options) {
    return target.StartRefold(options);
  });
}

std::int32_t StartToolResult(talefold_agent agent, talefold_text call_id,
                             talefold_text result, std::int64_t timeout_ms,
                             talefold_task* turn) {
  return StartTurn(agent, timeout_ms, turn, [&](Agent& target, TurnOptions options) {
    return target.StartToolResult(Read(call_id, "call_id"),
                                  std::string(Read(result, "result")), options);
  });
}

std::int32_t SubmitToolResult(talefold_agent agent, talefold_text call_id,
                              talefold_text result) {
  return Call([&] {
    Agents().Get(agent)->agent.SubmitToolResult(Read(call_id, "call_id"),
                                                std::string(Read(result, "result")));
  });
}

std::int32_t AppendInteraction(talefold_agent agent, talefold_text user,
                               talefold_text assistant) {
  return Call([&] {
    Agents().Get(agent)->agent.AppendInteraction(
        std::string(Read(user, "user")), std::string(Read(assistant, "assistant")));
  });
}

std::int32_t EditInteraction(talefold_agent agent, std::int64_t index,
                             talefold_text user, talefold_text assistant) {
  return Call([&] {
    Agents().Get(agent)->agent.EditInteraction(index, ReadOptional(user, "user"),
                                               ReadOptional(assistant, "assistant"));
  });
}

std::int32_t UndoLastTurn(talefold_agent agent, talefold_text* interaction) {
  return AnswerText(agent, interaction, [](Agent& target) {
    return InteractionJson(target.UndoLastTurn());
  });
}

std::int32_t Dialog(talefold_agent agent, talefold_text* json) {
  return AnswerText(agent, json,
                    [](Agent& target) { return DialogJson(target.Dialog()); });
}

std::int32_t DialogSize(talefold_agent agent, std::int64_t* size) {
  return Call([&] {
    std::int64_t& out = Out(size, "size");
    out = Agents().Get(agent)->agent.dialog_size();
  });
}

std::int32_t HistoryStates(talefold_agent agent, talefold_text node,
                           talefold_text* json) {
  return AnswerText(agent, json, [&](Agent& target) {
    return HistoryStatesJson(target.HistoryStates(Read(node, "node")));
  });
}

std::int32_t GetSummary(talefold_agent agent, talefold_text* json) {
  return AnswerText(agent, json,
                    [](Agent& target) { return SummaryJson(target.GetSummary()); });
}

std::int32_t SetSummary(talefold_agent agent, talefold_text text) {
  return Call(
      [&] { Agents().Get(agent)->agent.SetSummary(std::string(Read(text, "text"))); });
}

std::int32_t Pin(talefold_agent agent, talefold_text key, talefold_text text) {
  return Call([&] {
    Agents().Get(agent)->agent.Pin(std::string(Read(key, "key")),
                                   std::string(Read(text, "text")));
  });
}

std::int32_t Unpin(talefold_agent agent, talefold_text key, std::int32_t* removed) {
  return Call([&] {
    std::int32_t& out = Out(removed, "removed");
    out = Agents().Get(agent)->agent.Unpin(Read(key, "key"));
  });
}

std::int32_t Pins(talefold_agent agent, talefold_text* json) {
  return AnswerText(agent, json, [](Agent& target) { return PinsJson(target.Pins()); });
}

std::int32_t ChangeParams(talefold_agent agent, talefold_text node,
                          talefold_text params) {
  return Call([&] {
    Agents().Get(agent)->agent.ChangeParamsJson(Read(node, "node"),
                                                Read(params, "params"));
  });
}

std::int32_t Graph(talefold_agent agent, talefold_text* graph) {
  return AnswerText(agent, graph,
                    [](Agent& target) { return target.graph().ToJson(); });
}

std::int32_t ExportSnapshot(talefold_agent agent, talefold_text* snapshot) {
  return AnswerText(agent, snapshot,
                    [](Agent& target) { return target.ExportSnapshot(); });
}

std::int32_t ImportSnapshot(talefold_agent agent, talefold_text snapshot) {
  return Call(
      [&] { Agents().Get(agent)->agent.ImportSnapshot(Read(snapshot, "snapshot")); });
}

std::int32_t ExportKv(talefold_agent agent, talefold_bytes* kv) {
  return Call([&] {
    talefold_bytes& out = Out(kv, "kv");
    Return(out, Agents().Get(agent)->agent.ExportKv());
  });
}

std::int32_t KvExportSize(talefold_agent agent, std::int64_t* bytes) {
  return Call([&] {
    std::int64_t& out = Out(bytes, "bytes");
    out = Agents().Get(agent)->agent.KvExportSize();
  });
}

std::int32_t ImportKv(talefold_agent agent, talefold_bytes kv) {
  return Call([&] { Agents().Get(agent)->agent.ImportKv(Read(kv, "kv")); });
}

std::int32_t KvRejection(talefold_agent agent, talefold_error* rejection) {
  return Call([&] {
    talefold_error* out = OutStruct(rejection, "rejection");
    std::optional<Error>& kept = ReturnedByThread().error;
    kept = Agents().Get(agent)->agent.kv_rejection();
    if (kept) FillError(out, *kept);
  });
}

std::int32_t PollBackground(talefold_agent agent, talefold_event* event) {
  return Call([&] {
    talefold_event* out = OutStruct(event, "event");
    const auto object = Agents().Get(agent);
    const std::lock_guard lock(object->mutex);
    for (Event& each : object->agent.PollBackground()) {
      object->background.push_back(std::move(each));
    }
    std::optional<TaskEvent> next;
    if (!object->background.empty()) {
      next = std::move(object->background.front());
      object->background.pop_front();
    }
    FillEvent(out, std::move(next));
  });
}

std::int32_t WaitBackground(talefold_agent agent, std::int64_t timeout_ms,
                            std::int32_t* done) {
  return Call([&] {
    std::int32_t& out = Out(done, "done");
    RefuseInCallback("agent_wait_background");
    const std::chrono::milliseconds timeout(ReadTimeout(timeout_ms));
    out = Agents().Get(agent)->agent.WaitBackground(timeout);
  });
}

std::int32_t Prewarm(talefold_agent agent) {
  return Call([&] { Agents().Get(agent)->agent.Prewarm(); });
}

std::int32_t Busy(talefold_agent agent, std::int32_t* busy) {
  return Call([&] {
    std::int32_t& out = Out(busy, "busy");
    out = Agents().Get(agent)->agent.busy();
  });
}

}  // namespace

void AddAgentFunctions(talefold_api& api) {
  api.agent_close = Close;
  api.agent_release = Release;
  api.agent_start = Start;
  api.agent_start_regenerate = Regenerate;
  api.agent_start_replay = ReplayTurn;
  api.agent_start_refold = Refold;
  api.agent_start_tool_result = StartToolResult;
  api.agent_submit_tool_result = SubmitToolResult;
  api.agent_append_interaction = AppendInteraction;
  api.agent_edit_interaction = EditInteraction;
  api.agent_undo_last_turn = UndoLastTurn;
  api.agent_dialog = Dialog;
  api.agent_dialog_size = DialogSize;
  api.agent_history_states = HistoryStates;
  api.agent_get_summary = GetSummary;
  api.agent_set_summary = SetSummary;
  api.agent_pin = Pin;
  api.agent_unpin = Unpin;
  api.agent_pins = Pins;
  api.agent_change_params = ChangeParams;
  api.agent_graph = Graph;
  api.agent_export_snapshot = ExportSnapshot;
  api.agent_import_snapshot = ImportSnapshot;
  api.agent_export_kv = ExportKv;
  api.agent_kv_export_size = KvExportSize;
  api.agent_import_kv = ImportKv;
  api.agent_kv_rejection = KvRejection;
  api.agent_poll_background = PollBackground;
  api.agent_wait_background = WaitBackground;
  api.agent_prewarm = Prewarm;
  api.agent_busy = Busy;
}

}  // namespace talefold::capi
