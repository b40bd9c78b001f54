// GenerateAndSpeak: the character's reply, voiced while it is written.

#include <utility>

#include "nodes/support/history_node.h"
#include "nodes/support/reply.h"
#include "nodes/support/speaker.h"

namespace talefold {

namespace {

class GenerateAndSpeakNode final : public HistoryNode {
 public:
  GenerateAndSpeakNode(std::string name, const GenerateAndSpeakParams& params,
                       const NodeEnvironment& environment)
      : HistoryNode(std::move(name), params, environment),
        speaker_(this->name(), environment) {
    speaker_.CheckVoice(params);
    SetParams(params);
  }

  bool writes_reply() const override { return true; }

  std::function<void()> HostCheck(const AnyNodeParams& params) const override {
    return speaker_.VoiceCheck(std::get<GenerateAndSpeakParams>(params));
  }

  void SetParams(const AnyNodeParams& params) override {
    const auto& changed = std::get<GenerateAndSpeakParams>(params);
    UseParams(changed.sampling, TextsOf(changed));
    speaker_.UseParams(changed);
    streams_ = changed.stream;
  }

  std::string_view Execute(TurnContext& turn) override;

 private:
  Speaker speaker_;
  bool streams_ = false;
};

// The player has had what was streamed, or without that what was heard.
std::string_view GenerateAndSpeakNode::Execute(TurnContext& turn) {
  Utterance utterance(speaker_, turn);
  std::string streamed;
  const auto on_piece = [&](std::string_view piece) {
    if (piece.empty()) return;
    utterance.Say(piece);
    if (!streams_) return;
    streamed += piece;
    turn.output.Emit(AnswerText{name(), std::string(piece), true, false});
  };
  const auto on_cut = [&] {
    const std::string heard = utterance.Cut();
    return KeepInterrupted(turn, streams_ ? streamed : heard);
  };
  const Generation reply = Ask(turn, {.on_piece = on_piece, .on_cut = on_cut});
  if (turn.stopped) return kDefaultExit;
  Deliver(turn, name(), /*slot=*/{}, reply.text);
  utterance.Finish();
  return kDefaultExit;
}

}  // namespace

std::unique_ptr<Node> MakeGenerateAndSpeak(std::string name,
                                           const GenerateAndSpeakParams& params,
                                           const NodeEnvironment& environment) {
  return std::make_unique<GenerateAndSpeakNode>(std::move(name), params, environment);
}

void CheckGenerateAndSpeak(const std::string& name,
                           const GenerateAndSpeakParams& params,
                           std::vector<GraphProblem>& problems) {
  CheckFrame(name, params.template_text, params.placement, problems);
}

}  // namespace talefold
