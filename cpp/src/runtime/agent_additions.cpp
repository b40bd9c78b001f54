// What a host adds to an agent's memory: pinned facts and results of tool calls.

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "runtime/agent_impl.h"
#include "tools/tool_format.h"

namespace talefold {

namespace {

constexpr std::string_view kLogCategory = "agent";

}  // namespace

// --- Results of tool calls -----------------------------------------------------------

// From the newest interaction backwards.
Agent::Impl::CallPlace Agent::Impl::FindCall(std::string_view id) const {
  const talefold::Dialog& dialog = state_.dialog;
  for (std::size_t i = dialog.size(); i-- > 0;) {
    const auto& calls = dialog.at(i).tool_calls;
    const auto found = std::ranges::find(calls, id, &ToolCallComponent::id);
    if (found == calls.end()) continue;
    return {i, static_cast<std::size_t>(found - calls.begin())};
  }
  throw Error(ErrorCode::ToolCallNotFound,
              "no tool call " + DescribeJson(json::value(id)) + " in the dialog",
              "take the id from the tool_call event or from the interaction's "
              "tool_calls; a call goes with its turn when that is undone");
}

// A result may be replaced until a turn has gone on from it: one that leaves the next
// turn no room must not end the dialog.
Agent::Impl::CallPlace Agent::Impl::PlaceOfResult(std::string_view call_id) const {
  const CallPlace place = FindCall(call_id);
  const ToolCallComponent& call =
      state_.dialog.at(place.interaction).tool_calls[place.call];
  if (call.result && place.interaction + 1 < state_.dialog.size()) {
    throw Error(ErrorCode::InvalidArgument,
                "tool call '" + call.id + "' of " + call.tool_name +
                    " has a result already, and a turn has followed",
                "a result can be replaced before that");
  }
  return place;
}

void Agent::Impl::AttachToolResult(CallPlace place, std::string result) {
  if (place.interaction < HistoryAtEnd(state_).first_uncovered()) {
    const auto& call = state_.dialog.at(place.interaction).tool_calls[place.call];
    engine_->logger().Log(LogLevel::Warning, kLogCategory,
                          "the result of tool call '" + call.id +
                              "' comes after its turn was folded into the summary: no "
                              "prompt shows it");
  }
  state_.dialog.SetToolResult(place.interaction, place.call, std::move(result));
}

void Agent::Impl::SubmitToolResult(std::string_view call_id, std::string result) {
  CheckMessage(result, "tool result");
  std::string parsed = OneLineJson(ParseToolResult(result));
  const Lock lock = LockIdle();
  AttachToolResult(PlaceOfResult(call_id), std::move(parsed));
}

Turn Agent::Impl::StartToolResult(std::string_view call_id, std::string result,
                                  TurnOptions options) {
  CheckMessage(result, "tool result");
  std::string parsed = OneLineJson(ParseToolResult(result));
  const Lock lock = LockIdle();
  const CallPlace place = PlaceOfResult(call_id);
  Turn turn = LaunchWalk(lock, Interaction{}, WalkKind::Send, options);
  AttachToolResult(place, std::move(parsed));
  return turn;
}

// --- Pins ----------------------------------------------------------------------------

void Agent::Impl::CheckPins(std::span<const talefold::Pin> pins) const {
  graph_->CheckBudgets(pins);
  graph_->CheckMemory({pins, HistoryAtEnd(state_).newest_summary()},
                      ErrorCode::InvalidParamValue);
}

void Agent::Impl::Pin(std::string key, std::string text) {
  CheckMessage(key, "key of a pin");
  CheckMessage(text, "text of a pin");
  if (key.empty() || TrimWhitespace(text).empty()) {
    throw Error(
        ErrorCode::InvalidArgument,
        std::string("the ") + (key.empty() ? "key" : "text") + " of a pin is empty",
        "to remove what is pinned, unpin its key");
  }
  const Lock lock = LockIdle();
  std::vector<talefold::Pin> pins = state_.pins;
  const auto same = std::ranges::find(pins, key, &talefold::Pin::key);
  if (same != pins.end()) {
    same->text = std::move(text);
  } else {
    pins.push_back({std::move(key), std::move(text)});
  }
  CheckPins(pins);
  state_.pins = std::move(pins);
}

bool Agent::Impl::Unpin(std::string_view key) {
  const Lock lock = LockIdle();
  return std::erase_if(state_.pins, [key](const auto& pin) { return pin.key == key; }) >
         0;
}

std::vector<PinInfo> Agent::Impl::Pins() const {
  const Lock lock = LockOpen();
  std::vector<PinInfo> infos;
  for (const talefold::Pin& pin : state_.pins) infos.push_back({pin.key, pin.text});
  return infos;
}

}  // namespace talefold
