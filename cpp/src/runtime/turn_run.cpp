#include "runtime/turn_run.h"

#include <chrono>
#include <utility>

#include "graph/descriptor.h"

namespace talefold {

TurnRun::TurnRun(const CompiledGraph& graph, const MakeHistory& make_history,
                 std::uint64_t turn_index, Interaction current, TrimStage trims,
                 LineCursors lines, Turn::Impl& turn, FoldQueue& folds, Logger& logger,
                 Limits limits)
    : graph_(graph),
      turn_(turn),
      logger_(logger),
      limits_(limits),
      current_(std::move(current)),
      history_(make_history(&current_)),
      trims_(std::move(trims)),
      lines_(std::move(lines)),
      context_{.history = *history_,
               .current = current_,
               .trims = trims_,
               .lines = lines_,
               .output = *this,
               .folds = folds,
               .logger = logger_,
               .cancel = turn.cancel(),
               .turn_index = turn_index,
               .check_summary =
                   [this](const SummaryComponent& summary) {
                     graph_.CheckMemory({history_->pins(), &summary},
                                        ErrorCode::InvalidParamValue);
                   }},
      emitted_(limits.reply_is_given) {}

TurnOutcome TurnRun::Walk() {
  TurnOutcome outcome;
  std::optional<Error> error = CatchError([this] { WalkNodes(); });
  outcome.commits = emitted_ || (!error && !context_.stopped);
  if (outcome.commits) PlanNextPrompts();
  outcome.complete = Complete(std::move(error));
  if (outcome.commits) SetFinalStatus(outcome.complete);
  return outcome;
}

void TurnRun::WalkNodes() {
  Node* node = &graph_.start();
  for (std::int32_t step = 0;; ++step) {
    if (turn_.cancel().requested()) context_.stopped = true;
    if (context_.stopped) return;
    if (step == limits_.max_steps) {
      throw Error(ErrorCode::MaxStepsExceeded,
                  "the turn executed " + std::to_string(step) +
                      " nodes without reaching END; the next would be '" +
                      node->name() + "'",
                  "look for a cycle in the graph, or raise max_steps_per_turn");
    }
    std::string_view exit = kDefaultExit;
    if (limits_.reply_is_given && !node->keeps_memory()) {
      context_.reply_written = context_.reply_written || node->writes_reply();
      exit = node->skipped_exit();
    } else {
      exit = ExecuteNode(*node);
    }
    node = graph_.Next(*node, exit);
    if (!node || context_.stopped) return;
  }
}

std::string_view TurnRun::ExecuteNode(Node& node) {
  const bool can_grow = !limits_.reply_is_given && graph_.ReplyMayFollow(node);
  context_.reply_final = context_.reply_written && !can_grow;
  if (!limits_.diagnostics) return node.Execute(context_);

  using Clock = std::chrono::steady_clock;
  const AnyNodeParams& params = graph_.description().FindNode(node.name())->params;
  json::object report{{"name", node.name()},
                      {"type", DescriptorOf(params).name},
                      {"parameters", WriteParams(params, true)}};
  context_.diagnostics = &report;
  const Clock::time_point start = Clock::now();
  const auto finish = [&] {
    context_.diagnostics = nullptr;
    report["wall_ms"] =
        std::chrono::duration<double, std::milli>(Clock::now() - start).count();
    node_reports_.push_back(std::move(report));
  };
  try {
    const std::string_view exit = node.Execute(context_);
    if (!context_.stopped) report["exit"] = exit;
    finish();
    return exit;
  } catch (...) {
    finish();
    throw;
  }
}

TurnComplete TurnRun::Complete(std::optional<Error> error) {
  TurnComplete complete;
  complete.tokens_generated = context_.tokens_generated;
  if (limits_.diagnostics) {
    complete.debug_info = json::serialize(json::object{{"nodes", node_reports_}});
  }
  const StopCause cause = turn_.cancel().cause();
  if (context_.stopped && cause == StopCause::TimedOut) {
    error = Error(ErrorCode::InferenceTimeout,
                  "turn " + std::to_string(turn_.id()) + " ran out of time",
                  "raise timeout_ms, or lower sampling.max_tokens");
  } else if (context_.stopped && !error) {
    complete.status = TurnStatus::Cancelled;
  }
  if (error) {
    complete.status = TurnStatus::Error;
    complete.error = std::move(error);
  }
  return complete;
}

void TurnRun::SetFinalStatus(const TurnComplete& complete) {
  if (current_.status == InteractionStatus::Interrupted) return;
  if (complete.status == TurnStatus::Cancelled) {
    current_.status = InteractionStatus::Cancelled;
  } else if (complete.status == TurnStatus::Error) {
    current_.status = InteractionStatus::Failed;
  }
}

// A fold that would save turns from being trimmed is finished first, if it had its
// chance, and what the next prompts begin with along with it: the player has read the
// reply, and would wait for the next one otherwise.
void TurnRun::PlanNextPrompts() {
  const TrimStage before = trims_;
  graph_.PlanTrims(*history_, trims_, logger_);
  bool finished = false;
  if (trims_ != before && !context_.stopped) {
    finished = context_.folds.FinishOverdue(/*turn_ends=*/true);
    context_.stopped = !finished && turn_.cancel().requested();
  }
  if (finished) {
    trims_.ResetAll();
    graph_.PlanTrims(*history_, trims_, logger_);
  }
  if (limits_.prewarm) Prepare(/*finish=*/finished);
}

void TurnRun::Prepare(bool finish) {
  graph_.Prepare();
  if (!finish) return;
  for (const auto& node : graph_.nodes()) {
    Sequence* sequence = node->history_sequence();
    if (!sequence || !sequence->preparation().valid()) continue;
    sequence->HurryPreparing();
    constexpr std::chrono::milliseconds kLook{20};  // how often a cancel is looked for
    while (!turn_.cancel().requested() &&
           sequence->preparation().wait_for(kLook) != std::future_status::ready) {
    }
  }
}

void TurnRun::Emit(AnswerText answer) {
  if (!answer.text.empty()) emitted_ = true;
  turn_.Push({0, std::move(answer)});
}

void TurnRun::Emit(AudioChunk chunk) {
  if (!chunk.samples.empty()) emitted_ = true;
  turn_.Push({0, std::move(chunk)});
}

void TurnRun::EmitAtCommit(NodeEvent event) {
  events_at_commit_.push_back(std::move(event));
}

std::string TurnRun::Decide(DecisionRequired decision) {
  std::string option = turn_.AwaitDecision(std::move(decision));
  if (option.empty()) context_.stopped = true;
  return option;
}

}  // namespace talefold
