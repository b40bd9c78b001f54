#include "nodes/support/history_node.h"

#include <algorithm>

#include "graph/descriptor.h"
#include "scene/message_format.h"

namespace talefold {

namespace {

// What ends a speech in the story ends the reply.
std::string_view EndMark(const HistoryPrompt::Prompt& prompt) {
  return prompt.story ? EndOfSpeech(prompt.story->format) : std::string_view();
}

}  // namespace

Generation HistoryNode::Ask(TurnContext& turn, const Request& request) {
  if (turn.diagnostics) prompt_.ReportParameters(*turn.diagnostics);
  for (;;) {
    const HistoryPrompt::Prompt prompt = prompt_.Fit(turn);
    prompt_.Report(turn, prompt);
    const std::int32_t room = prompt_.CheckRoom(turn, prompt);
    try {
      Generation reply =
          runner_.Generate(turn, prompt.messages(), prompt.tokens,
                           std::min(prompt_.ReplyReserve(), room), request.on_piece,
                           request.grammar, EndMark(prompt));
      if (prompt.story && prompt.story->keeps_choice) {
        turn.story_choices.push_back(prompt.story->choice);
      }
      if (reply.stop_reason == StopReason::Cancelled) {
        turn.stopped = true;
        request.on_cut();
      }
      return reply;
    } catch (const Error& error) {
      const bool delivered = request.on_cut();
      const bool again = error.code() == ErrorCode::ContextOverflow && !delivered &&
                         prompt_.TrimHalf(turn, prompt);
      if (!again) throw;
    } catch (...) {
      request.on_cut();
      throw;
    }
  }
}

void CheckFrame(const std::string& node, std::string_view template_text,
                Placement placement, std::vector<GraphProblem>& problems) {
  const auto frame = CheckTemplate(node, template_text, TemplateTags(), problems);
  if (frame && placement == Placement::InPlaceOfUser &&
      !frame->TagNames().contains("user_message")) {
    problems.push_back(ParamProblem(
        node, "template", "placement in_place_of_user needs the tag {{user_message}}",
        "add {{user_message}}, or choose another placement"));
  }
}

}  // namespace talefold
