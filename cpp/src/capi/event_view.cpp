#include "capi/event_view.h"

#include <utility>

#include "capi/border.h"
#include "capi/results.h"

namespace talefold::capi {

namespace {

void View(const AnswerText& body, talefold_event& view) {
  view.kind = TALEFOLD_EVENT_ANSWER_TEXT;
  view.node = capi::View(body.node);
  view.text = capi::View(body.text);
  view.is_delta = body.is_delta;
  view.is_final = body.is_final;
}

void View(const AudioChunk& body, talefold_event& view) {
  view.kind = TALEFOLD_EVENT_AUDIO_CHUNK;
  view.node = capi::View(body.node);
  view.text = capi::View(body.text);
  view.is_final = body.is_final;
  view.sample_rate = body.sample_rate;
  view.samples = body.samples.data();
  view.sample_count = body.samples.size();
}

void View(const NodeEvent& body, talefold_event& view) {
  view.kind = TALEFOLD_EVENT_NODE_EVENT;
  view.node = capi::View(body.node);
  view.text = capi::View(body.event_type);
  view.json = capi::View(ReturnedByThread().event_json = PairsJson(body.pairs));
}

void View(const DecisionRequired& body, talefold_event& view) {
  view.kind = TALEFOLD_EVENT_DECISION_REQUIRED;
  view.node = capi::View(body.node);
  view.json = capi::View(ReturnedByThread().event_json = TextsJson(body.options));
}

talefold_status StatusOf(TurnStatus status) {
  switch (status) {
    case TurnStatus::Success:
      return TALEFOLD_STATUS_SUCCESS;
    case TurnStatus::Cancelled:
      return TALEFOLD_STATUS_CANCELLED;
    case TurnStatus::Error:
      break;
  }
  return TALEFOLD_STATUS_ERROR;
}

void View(const TurnComplete& body, talefold_event& view) {
  view.kind = TALEFOLD_EVENT_COMPLETE;
  view.status = StatusOf(body.status);
  view.json = capi::View(body.debug_info);
  view.tokens_generated = body.tokens_generated;
  if (!body.error) return;
  view.error_code = static_cast<std::int32_t>(body.error->code());
  view.error_message = capi::View(body.error->message());
  view.error_hint = capi::View(body.error->hint());
}

}  // namespace

void FillEvent(talefold_event* out, std::optional<TaskEvent> event) {
  talefold_event view{};
  if (event && std::holds_alternative<Progress>(*event)) {
    view.kind = TALEFOLD_EVENT_PROGRESS;
    view.progress = std::get<Progress>(*event).fraction;
  } else if (event) {
    const Event& kept =
        ReturnedByThread().event.emplace(std::move(std::get<Event>(*event)));
    view.turn_id = kept.turn_id;
    std::visit([&view](const auto& body) { View(body, view); }, kept.body);
  }
  Fill(out, view);
}

}  // namespace talefold::capi
