// Speak: voices what the character said last in this turn.

#include <utility>

#include "nodes/node.h"
#include "nodes/support/speaker.h"

namespace talefold {

namespace {

class SpeakNode final : public Node {
 public:
  SpeakNode(std::string name, const SpeakParams& params,
            const NodeEnvironment& environment)
      : Node(std::move(name)), speaker_(this->name(), environment) {
    speaker_.CheckVoice(params);
    speaker_.UseParams(params);
  }

  std::function<void()> HostCheck(const AnyNodeParams& params) const override {
    return speaker_.VoiceCheck(std::get<SpeakParams>(params));
  }

  void SetParams(const AnyNodeParams& params) override {
    speaker_.UseParams(std::get<SpeakParams>(params));
  }

  std::string_view Execute(TurnContext& turn) override {
    Utterance utterance(speaker_, turn);
    utterance.Say(turn.newest_reply);
    utterance.Finish();
    return kDefaultExit;
  }

 private:
  Speaker speaker_;
};

}  // namespace

std::unique_ptr<Node> MakeSpeak(std::string name, const SpeakParams& params,
                                const NodeEnvironment& environment) {
  return std::make_unique<SpeakNode>(std::move(name), params, environment);
}

void CheckSpeak(const std::string&, const SpeakParams&, std::vector<GraphProblem>&) {}

}  // namespace talefold
