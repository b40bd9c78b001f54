// The Summarize node beyond executing: rebuilding and replacing summaries on request.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "memory/fold_plan.h"
#include "nodes/fold_task.h"
#include "nodes/node.h"
#include "nodes/support/model_runner.h"
#include "prompt/mustache.h"

namespace talefold {

class SummarizeNode final : public Node {
 public:
  SummarizeNode(std::string name, const SummarizeParams& params,
                const NodeEnvironment& environment);

  std::string_view Execute(TurnContext& turn) override;
  void SetParams(const AnyNodeParams& params) override;
  void CheckBudget(std::size_t summary_tokens,
                   std::span<const Pin> pins) const override;
  bool keeps_memory() const override { return true; }
  void ForgetHistory() override { costs_.clear(); }

  std::int32_t max_summary_tokens() const { return params_.max_summary_tokens; }

  // Folds [begin, end) of `turn.history` again on top of `previous`, in as many
  // requests as the context needs. nullopt when the turn was stopped; throws
  // ContextOverflow when one interaction alone is too large, InferenceFailed when the
  // model fails or writes nothing.
  std::optional<SummaryComponent> Refold(TurnContext& turn,
                                         const SummaryComponent* previous,
                                         std::size_t begin, std::size_t end);

  // Throws InvalidParamValue when `text` is longer than max_summary_tokens.
  void CheckSummaryText(std::string_view text) const;

 private:
  // Interactions to fold, and the request that folds them.
  struct FoldInput {
    std::size_t begin = 0;
    std::size_t count = 0;  // 0 = not even one interaction fits
    bool abridged = false;  // the one interaction was cut to its head and tail
    std::vector<ChatMessage> messages;
    TokenizedPrompt prompt;
  };
  FoldRequest PlanRequest(const TurnContext& turn);
  FoldInput ChooseInput(const HistorySource& history, const SummaryComponent* previous,
                        std::size_t begin, std::size_t end);
  FoldInput BuildInput(const HistorySource& history, const SummaryComponent* previous,
                       std::size_t begin, std::size_t count) const;
  FoldInput AbridgeInput(const HistorySource& history, const SummaryComponent* previous,
                         std::size_t begin) const;
  FoldInput BuildInput(json::array turns, const SummaryComponent* previous,
                       std::size_t begin) const;
  bool Fits(const FoldInput& input) const;
  std::size_t RequiredContextSize(const FoldInput& input) const;
  GenerationRequest RequestFor(const TurnContext& turn, const FoldInput& input) const;
  FoldOutcome Write(const GenerationRequest& request, const FoldInput& input,
                    const SummaryComponent* previous, std::int64_t& tokens,
                    json::object* diagnostics);
  FoldOutcome WriteInTurn(TurnContext& turn, const FoldInput& input,
                          const SummaryComponent* previous);
  void Fold(TurnContext& turn, const FoldPlan& plan);
  void Schedule(TurnContext& turn, FoldInput input, const SummaryComponent* previous);
  void Commit(TurnContext& turn, const FoldInput& input, const FoldOutcome& outcome);
  void SkipWithWarning(TurnContext& turn, SkipReason reason, const std::string& error,
                       const FoldPlan& plan);
  void ReportSkip(TurnContext& turn, SkipReason reason, const FoldPlan& plan);
  std::string ContextSizeHint(const FoldInput& too_large) const;
  void DiscardFoldOutput(TurnContext& turn) const;

  std::size_t CostOf(const HistorySource& history, std::size_t index);

  struct Cost {
    std::int64_t id;
    std::uint32_t revision;
    std::size_t tokens;
  };

  SummarizeParams params_;
  ModelRunner runner_;
  MustacheTemplate template_;
  std::map<std::size_t, Cost> costs_;  // of pending interactions, by index
};

}  // namespace talefold
