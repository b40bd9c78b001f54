// A node that shows its model the dialog and uses what it writes: the base of Generate,
// GenerateAndSpeak and ToolCall.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "nodes/node.h"
#include "nodes/support/history_prompt.h"
#include "nodes/support/model_runner.h"

namespace talefold {

class HistoryNode : public Node {
 public:
  bool replays_history() const final { return true; }
  Sequence* history_sequence() final { return &runner_.sequence(); }
  void CheckBudget(std::size_t summary_tokens, std::span<const Pin> pins) const final {
    prompt_.CheckBudget(summary_tokens, pins);
  }
  void CheckMemory(const Memory& memory, ErrorCode code) const final {
    prompt_.CheckMemory(memory, code);
  }
  void PlanTrim(const HistorySource& history, TrimStage& trims) final {
    prompt_.PlanTrim(history, trims);
  }
  void Prepare() final { prompt_.Prepare(); }
  // Of nodes in a scene.
  const HistoryPrompt& prompt() const { return prompt_; }

 protected:
  template <typename Params>
  HistoryNode(std::string name, const Params& params,
              const NodeEnvironment& environment)
      : Node(std::move(name)),
        runner_(this->name(), params, kDefaultContextSize, environment),
        prompt_(this->name(), runner_) {}

  const ModelRunner& runner() const { return runner_; }

  void UseParams(const SamplingOverrides& sampling, PromptTexts texts) {
    runner_.SetSampling(sampling);
    prompt_.SetTexts(std::move(texts));
  }

  struct Request {
    std::string_view grammar = {};  // GBNF; empty = none
    TokenSink on_piece = [](std::string_view) {};
    // Called when the model was cut short or failed, before Ask returns or throws;
    // true = the player has had some of the reply, so that it cannot be asked again.
    std::function<bool()> on_cut = [] { return false; };
  };
  // Asks the model for the turn's prompt; sets `turn.stopped` when it was cancelled.
  // Trims further where the model has less room than the budget says.
  Generation Ask(TurnContext& turn, const Request& request);

 private:
  static constexpr std::int32_t kDefaultContextSize = 4096;  // tokens

  ModelRunner runner_;
  HistoryPrompt prompt_;
};

// The frame of a node with params `template` and `placement`.
template <typename Params>
PromptTexts TextsOf(const Params& params) {
  PromptTexts texts{.system_prompt = params.system_prompt,
                    .placement = params.placement,
                    .story = {params.history, params.prompt_caching}};
  if (!params.template_text.empty()) {
    texts.frame = MustacheTemplate::Parse(params.template_text);
  }
  return texts;
}

// What the descriptor table cannot check of `template` and `placement`.
void CheckFrame(const std::string& node, std::string_view template_text,
                Placement placement, std::vector<GraphProblem>& problems);

}  // namespace talefold
