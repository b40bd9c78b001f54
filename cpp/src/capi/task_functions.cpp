// Tasks: turns and loads while they run.
#include <chrono>
#include <string>

#include "capi/border.h"
#include "capi/event_view.h"
#include "capi/functions.h"
#include "capi/objects.h"
#include "capi/results.h"

namespace talefold::capi {

namespace {

using std::chrono::milliseconds;

std::int32_t Poll(talefold_task task, talefold_event* event) {
  return Call([&] {
    talefold_event* out = OutStruct(event, "event");
    FillEvent(out, Tasks().Get(task)->Poll());
  });
}

std::int32_t WaitEvent(talefold_task task, std::int64_t timeout_ms,
                       talefold_event* event) {
  return Call([&] {
    talefold_event* out = OutStruct(event, "event");
    RefuseInCallback("task_wait_event");
    FillEvent(out, Tasks().Get(task)->WaitEvent(milliseconds(ReadTimeout(timeout_ms))));
  });
}

std::int32_t Wait(talefold_task task, std::int64_t timeout_ms, std::int32_t* done) {
  return Call([&] {
    std::int32_t& out = Out(done, "done");
    RefuseInCallback("task_wait");
    out = Tasks().Get(task)->Wait(milliseconds(ReadTimeout(timeout_ms)));
  });
}

std::int32_t Result(talefold_task task, talefold_text* json) {
  return Call([&] {
    talefold_text& out = Out(json, "json");
    const auto object = Tasks().Get(task);
    if (!object->Wait(milliseconds(0))) {
      throw Error(ErrorCode::AgentBusy, "the task is still running",
                  "wait for its complete event, or cancel it");
    }
    Return(out, TurnResultJson(object->Result()));
  });
}

std::int32_t Cancel(talefold_task task) {
  return Call([&] { Tasks().Get(task)->Cancel(); });
}

std::int32_t Resolve(talefold_task task, talefold_text option) {
  return Call([&] { Tasks().Get(task)->Resolve(std::string(Read(option, "option"))); });
}

std::int32_t Release(talefold_task task) {
  return Call([&] { Tasks().Take(task); });
}

}  // namespace

void AddTaskFunctions(talefold_api& api) {
  api.task_poll = Poll;
  api.task_wait_event = WaitEvent;
  api.task_wait = Wait;
  api.task_result = Result;
  api.task_cancel = Cancel;
  api.task_resolve = Resolve;
  api.task_release = Release;
}

}  // namespace talefold::capi
