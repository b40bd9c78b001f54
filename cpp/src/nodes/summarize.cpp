// Summarize: folds older interactions into a rolling summary.
#include "nodes/summarize.h"

#include <algorithm>
#include <utility>

#include "base/field_prefix.h"
#include "base/text.h"
#include "graph/descriptor.h"
#include "graph/params/limits.h"
#include "memory/summary_text.h"
#include "prompt/default_texts.h"
#include "prompt/reasoning.h"

namespace talefold {

namespace {

constexpr std::int32_t kDefaultContextSize = 2048;
constexpr std::string_view kLogCategory = "summarize";

constexpr std::string_view kTemplateTags[] = {
    "previous_summary", "turns", "index", "user", "assistant", "max_summary_tokens"};

json::object TurnObject(std::size_t index, std::string_view user,
                        std::string_view assistant) {
  return {{"index", index}, {"user", user}, {"assistant", assistant}};
}

json::object TurnObject(const HistorySource& history, std::size_t index,
                        const Model& model) {
  const HistoryEntry entry = history.entry(index);
  return TurnObject(index, entry.user,
                    VisibleText(entry.assistant, model.reasoning_tags()));
}

std::string_view TextOr(std::string_view text, std::string_view fallback) {
  return text.empty() ? fallback : text;
}

}  // namespace

SummarizeNode::SummarizeNode(std::string name, const SummarizeParams& params,
                             const NodeEnvironment& environment)
    : Node(std::move(name)),
      runner_(this->name(), params, kDefaultContextSize, environment),
      template_(MustacheTemplate::Parse("")) {
  SetParams(params);
}

void SummarizeNode::SetParams(const AnyNodeParams& params) {
  params_ = std::get<SummarizeParams>(params);
  runner_.SetSampling(params_.sampling);
  template_ = MustacheTemplate::Parse(
      TextOr(params_.template_text, default_texts::kSummarizerTemplate));
  costs_.clear();  // they depend on the template
}

void SummarizeNode::CheckBudget(std::size_t, std::span<const Pin>) const {
  const std::int32_t context_size = runner_.context_size();
  if (context_size - params_.max_summary_tokens >= kMinSummarizerInput) return;
  throw Error(ErrorCode::InvalidParamValue,
              FieldPrefix(name(), "max_summary_tokens") +
                  std::to_string(params_.max_summary_tokens) + " leaves " +
                  std::to_string(context_size - params_.max_summary_tokens) +
                  " of the node's " + std::to_string(context_size) +
                  " context tokens for the input; allowed 16 to " +
                  std::to_string(std::max(0, context_size - kMinSummarizerInput)),
              "lower max_summary_tokens, or raise context_size");
}

std::string_view SummarizeNode::Execute(TurnContext& turn) {
  if (turn.diagnostics) {
    Section(*turn.diagnostics, "parameters")["context_size"] = runner_.context_size();
  }
  FoldPlan plan = PlanFold(PlanRequest(turn));
  costs_.erase(costs_.begin(), costs_.lower_bound(plan.pending_begin));
  if (!plan.skip && turn.folds.IsPending(name())) plan.skip = SkipReason::FoldPending;
  if (plan.skip) {
    ReportSkip(turn, *plan.skip, plan);
    return kDefaultExit;
  }
  try {
    Fold(turn, plan);
  } catch (const std::exception& error) {
    SkipWithWarning(turn, SkipReason::ModelError, error.what(), plan);
  }
  return kDefaultExit;
}

FoldRequest SummarizeNode::PlanRequest(const TurnContext& turn) {
  FoldRequest request;
  request.dialog_size = turn.history.size();
  request.first_uncovered = turn.history.first_uncovered();
  request.keep_recent_turns = params_.keep_recent_turns;
  request.reply_final = turn.reply_final;
  request.trigger_tokens = params_.trigger_tokens;
  request.trigger_turns = params_.trigger_turns;
  request.cost = [this, &turn](std::size_t index) {
    return CostOf(turn.history, index);
  };
  return request;
}

// Tokens of the body of {{#turns}} rendered for this one interaction.
std::size_t SummarizeNode::CostOf(const HistorySource& history, std::size_t index) {
  const HistoryEntry entry = history.entry(index);
  Cost& cost = costs_[index];
  if (cost.id == entry.id && cost.revision == entry.revision) return cost.tokens;
  const json::object context{{"previous_summary", ""},
                             {"max_summary_tokens", params_.max_summary_tokens}};
  std::size_t tokens = static_cast<std::size_t>(runner_.context_size());
  try {
    const std::string body = template_.RenderSectionItem(
        "turns", TurnObject(history, index, runner_.model()), context);
    tokens = runner_.model().Tokenize(body).size();
  } catch (const Error&) {  // beyond a template's bounds: no fold can take it in
  }
  cost = {entry.id, entry.revision, tokens};
  return cost.tokens;
}

SummarizeNode::FoldInput SummarizeNode::BuildInput(json::array turns,
                                                   const SummaryComponent* previous,
                                                   std::size_t begin) const {
  FoldInput input;
  input.begin = begin;
  input.count = turns.size();
  const json::object context{{"previous_summary", previous ? previous->text : ""},
                             {"turns", std::move(turns)},
                             {"max_summary_tokens", params_.max_summary_tokens}};
  input.messages = {
      {Role::System, std::string(TextOr(params_.system_prompt,
                                        default_texts::kSummarizerSystemPrompt))},
      {Role::User, template_.Render(context)}};
  input.prompt = runner_.prompts().Build(input.messages);
  return input;
}

SummarizeNode::FoldInput SummarizeNode::BuildInput(const HistorySource& history,
                                                   const SummaryComponent* previous,
                                                   std::size_t begin,
                                                   std::size_t count) const {
  json::array turns;
  for (std::size_t i = begin; i < begin + count; ++i) {
    turns.push_back(TurnObject(history, i, runner_.model()));
  }
  return BuildInput(std::move(turns), previous, begin);
}

std::size_t SummarizeNode::RequiredContextSize(const FoldInput& input) const {
  return input.prompt.ids.size() + static_cast<std::size_t>(params_.max_summary_tokens);
}

bool SummarizeNode::Fits(const FoldInput& input) const {
  return RequiredContextSize(input) <= static_cast<std::size_t>(runner_.context_size());
}

// The largest chronological prefix of [begin, end) that fits beside the previous
// summary and max_summary_tokens. When none does: with oversized_turn = abridge the
// first interaction's head and tail; else, or when even those do not fit, the whole
// first interaction with count 0.
SummarizeNode::FoldInput SummarizeNode::ChooseInput(const HistorySource& history,
                                                    const SummaryComponent* previous,
                                                    std::size_t begin,
                                                    std::size_t end) {
  FoldInput first = BuildInput(history, previous, begin, 1);
  if (!Fits(first)) {
    if (params_.oversized_turn == OversizedTurn::Abridge) {
      FoldInput abridged = AbridgeInput(history, previous, begin);
      if (Fits(abridged)) return abridged;
    }
    first.count = 0;
    return first;
  }
  // Costs add up closely enough to start the search next to its end.
  std::size_t room =
      static_cast<std::size_t>(runner_.context_size()) - RequiredContextSize(first);
  std::size_t guess = 1;
  while (begin + guess < end) {
    const std::size_t cost = CostOf(history, begin + guess);
    if (cost > room) break;
    room -= cost;
    ++guess;
  }
  const std::size_t count =
      LargestFittingCount(end - begin, guess, [&](std::size_t candidate) {
        return candidate <= 1 || Fits(BuildInput(history, previous, begin, candidate));
      });
  return count <= 1 ? first : BuildInput(history, previous, begin, count);
}

SummarizeNode::FoldInput SummarizeNode::AbridgeInput(const HistorySource& history,
                                                     const SummaryComponent* previous,
                                                     std::size_t begin) const {
  const HistoryEntry entry = history.entry(begin);
  const std::string assistant =
      VisibleText(entry.assistant, runner_.model().reasoning_tags());
  const auto build = [&](std::size_t kept) {
    FoldInput input = BuildInput({TurnObject(begin, HeadAndTail(entry.user, kept),
                                             HeadAndTail(assistant, kept))},
                                 previous, begin);
    input.abridged = true;
    return input;
  };
  // Code points kept of each text: the most that fits.
  std::size_t low = 0;
  std::size_t high = std::max(CountCodePoints(entry.user), CountCodePoints(assistant));
  while (low + 1 < high) {
    const std::size_t middle = low + (high - low) / 2;
    (Fits(build(middle)) ? low : high) = middle;
  }
  return build(low);
}

void SummarizeNode::Fold(TurnContext& turn, const FoldPlan& plan) {
  const SummaryComponent* previous = turn.history.newest_summary();
  FoldInput input =
      ChooseInput(turn.history, previous, plan.pending_begin, plan.pending_end);
  if (input.count == 0) {
    turn.logger.Log(LogLevel::Warning, kLogCategory,
                    "node '" + name() + "': interaction " +
                        std::to_string(plan.pending_begin) +
                        " alone exceeds the summarizer's context; the previous summary "
                        "stays (" +
                        ContextSizeHint(input) + ")");
    ReportSkip(turn, SkipReason::InputTooLarge, plan);
    if (turn.diagnostics) {
      Section(*turn.diagnostics, "skipped")["required_context_size"] =
          RequiredContextSize(input);
    }
    return;
  }
  if (!params_.run_inline) {
    Schedule(turn, std::move(input), previous);
    return;
  }
  const FoldOutcome outcome = WriteInTurn(turn, input, previous);
  if (outcome.summary) {
    Commit(turn, input, outcome);
    return;
  }
  SkipWithWarning(turn, outcome.reason, outcome.error, plan);
}

void SummarizeNode::Schedule(TurnContext& turn, FoldInput input,
                             const SummaryComponent* previous) {
  FoldTask task;
  task.node = name();
  task.begin = input.begin;
  for (std::size_t i = input.begin; i < input.begin + input.count; ++i) {
    const HistoryEntry entry = turn.history.entry(i);
    task.sources.push_back({entry.id, entry.revision});
  }
  if (previous) task.previous = *previous;
  task.notify_client = params_.notify_client;
  if (turn.diagnostics) {
    json::object& fold = Section(*turn.diagnostics, "fold");
    fold["scheduled"] = true;
    fold["covered_through"] = task.covered_through();
    fold["folded_turns"] = input.count;
  }
  // What the request refers to lives as long as the function.
  auto kept = std::make_shared<const FoldInput>(std::move(input));
  const GenerationRequest request = RequestFor(turn, *kept);
  task.write = [this, kept, request, previous = task.previous](
                   const CancelToken& cancel, const std::atomic<bool>& in_background) {
    GenerationRequest mine = request;
    mine.cancel = &cancel;
    mine.in_background = &in_background;
    std::int64_t tokens = 0;  // they belong to no turn
    return Write(mine, *kept, previous ? &*previous : nullptr, tokens, nullptr);
  };
  turn.folds.Schedule(std::move(task));
}

void SummarizeNode::SkipWithWarning(TurnContext& turn, SkipReason reason,
                                    const std::string& error, const FoldPlan& plan) {
  DiscardFoldOutput(turn);
  turn.logger.Log(LogLevel::Warning, kLogCategory,
                  NoSummaryMessage(name(), reason, error));
  ReportSkip(turn, reason, plan);
}

std::string SummarizeNode::ContextSizeHint(const FoldInput& too_large) const {
  return "context_size " + std::to_string(runner_.context_size()) + "; " +
         std::to_string(RequiredContextSize(too_large)) + " would suffice" +
         (params_.oversized_turn == OversizedTurn::Keep
              ? ", or oversized_turn = abridge"
              : "");
}

GenerationRequest SummarizeNode::RequestFor(const TurnContext& turn,
                                            const FoldInput& input) const {
  const std::int32_t limit =
      std::min(runner_.sampling().max_tokens.value_or(params_.max_summary_tokens),
               params_.max_summary_tokens);
  return runner_.RequestFor(turn, input.messages, input.prompt, limit);
}

// The model's part of a fold. A failure of any kind is an outcome, never an exception.
// Of this node it touches nothing but the runner: a task calls it beside turns.
FoldOutcome SummarizeNode::Write(const GenerationRequest& request,
                                 const FoldInput& input,
                                 const SummaryComponent* previous, std::int64_t& tokens,
                                 json::object* diagnostics) {
  FoldOutcome outcome;
  Generation generation;
  try {
    generation = runner_.Run(
        request, input.prompt, [](std::string_view) {}, tokens, diagnostics);
  } catch (const std::exception& error) {
    outcome.reason =
        request.cancel->requested() ? SkipReason::Cancelled : SkipReason::ModelError;
    outcome.error = error.what();
    return outcome;
  }
  if (generation.stop_reason == StopReason::Cancelled) {
    outcome.reason = SkipReason::Cancelled;
    return outcome;
  }
  if (generation.stop_reason == StopReason::ContextFull) {
    outcome.reason = SkipReason::ModelError;  // not a complete result
    outcome.error = "the model ran out of context";
    return outcome;
  }
  const bool cut = generation.stop_reason == StopReason::MaxTokens;
  std::string text = FinishSummary(generation.text, cut);
  if (text.empty()) {
    outcome.reason = SkipReason::EmptyOutput;
    return outcome;
  }
  outcome.raw_text = std::move(generation.text);
  outcome.tokens = generation.tokens;
  // What was wrong with the summary it is built on is wrong with it too.
  outcome.summary =
      SummaryComponent{.text = std::move(text),
                       .node = name(),
                       .covered_through = input.begin + input.count - 1,
                       .stale = previous && previous->stale,
                       .abridged = input.abridged || (previous && previous->abridged)};
  return outcome;
}

FoldOutcome SummarizeNode::WriteInTurn(TurnContext& turn, const FoldInput& input,
                                       const SummaryComponent* previous) {
  if (turn.diagnostics) {
    runner_.ReportInput(*turn.diagnostics, input.messages, input.prompt);
  }
  FoldOutcome outcome = Write(RequestFor(turn, input), input, previous,
                              turn.tokens_generated, turn.diagnostics);
  turn.stopped = turn.stopped || outcome.reason == SkipReason::Cancelled;
  if (!outcome.summary) return outcome;
  // Another model's tokens may be smaller than ours: every reply node must have room.
  try {
    turn.check_summary(*outcome.summary);
  } catch (const Error& error) {
    outcome.summary.reset();
    outcome.reason = SkipReason::SummaryTooLarge;
    outcome.error = error.message();
  }
  return outcome;
}

std::string NoSummaryMessage(std::string_view node, SkipReason reason,
                             const std::string& error) {
  return "node '" + std::string(node) + "': no summary written (" +
         std::string(SkipReasonName(reason)) + (error.empty() ? "" : ": " + error) +
         "); the previous summary stays";
}

NodeEvent SummarizedEvent(const SummaryComponent& summary, std::size_t folded_turns) {
  return {summary.node,
          "summarized",
          {{"covered_through", std::to_string(summary.covered_through)},
           {"folded_turns", std::to_string(folded_turns)},
           {"summary_chars", std::to_string(CountCodePoints(summary.text))},
           {"summary_text", summary.text}}};
}

void SummarizeNode::Commit(TurnContext& turn, const FoldInput& input,
                           const FoldOutcome& outcome) {
  const SummaryComponent& summary = *outcome.summary;
  if (turn.diagnostics) {
    std::size_t input_tokens = 0;
    for (std::size_t i = input.begin; i < input.begin + input.count; ++i) {
      input_tokens += CostOf(turn.history, i);
    }
    json::object& fold = Section(*turn.diagnostics, "last_fold");
    fold["covered_through"] = summary.covered_through;
    fold["folded_turns"] = input.count;
    fold["summary_tokens"] = outcome.tokens;
    fold["summarizer_prompt_tokens"] = input.prompt.ids.size();
    fold["folded_input_tokens"] = input_tokens;
    if (input.abridged) fold["abridged"] = true;
    json::object& output = Section(*turn.diagnostics, "output");
    output["text"] = summary.text;
    if (outcome.raw_text != summary.text) output["raw_text"] = outcome.raw_text;
  }
  if (params_.notify_client) {
    turn.output.EmitAtCommit(SummarizedEvent(summary, input.count));
  }
  turn.current.summary = summary;
  turn.trims.ResetAll();
}

// input.prompt and output.text belong to turns that folded.
void SummarizeNode::DiscardFoldOutput(TurnContext& turn) const {
  if (!turn.diagnostics) return;
  turn.diagnostics->erase("input");
  turn.diagnostics->erase("output");
}

void SummarizeNode::ReportSkip(TurnContext& turn, SkipReason reason,
                               const FoldPlan& plan) {
  if (!turn.diagnostics) return;
  json::object& skipped = Section(*turn.diagnostics, "skipped");
  skipped["reason"] = SkipReasonName(reason);
  skipped["pending_turns"] = plan.pending_turns();
  const bool counts_tokens = params_.trigger_tokens > 0 && !plan.by_turns;
  skipped["pending_tokens"] =
      counts_tokens ? PendingTokens(plan, PlanRequest(turn)) : std::size_t{0};
}

std::optional<SummaryComponent> SummarizeNode::Refold(TurnContext& turn,
                                                      const SummaryComponent* previous,
                                                      std::size_t begin,
                                                      std::size_t end) {
  std::optional<SummaryComponent> newest;
  while (begin < end) {
    const FoldInput input = ChooseInput(turn.history, previous, begin, end);
    if (input.count == 0) {
      throw Error(ErrorCode::ContextOverflow,
                  "node '" + name() + "': interaction " + std::to_string(begin) +
                      " alone exceeds the summarizer's context (" +
                      ContextSizeHint(input) + ")",
                  "shorten that interaction, or set oversized_turn to abridge");
    }
    FoldOutcome outcome = WriteInTurn(turn, input, previous);
    if (turn.stopped) return std::nullopt;
    if (!outcome.summary) {
      throw Error(ErrorCode::InferenceFailed,
                  NoSummaryMessage(name(), outcome.reason, outcome.error));
    }
    newest = std::move(outcome.summary);
    previous = &*newest;
    begin = newest->covered_through + 1;
  }
  return newest;
}

void SummarizeNode::CheckSummaryText(std::string_view text) const {
  const std::size_t tokens = runner_.model().Tokenize(text).size();
  if (tokens <= static_cast<std::size_t>(params_.max_summary_tokens)) return;
  throw Error(ErrorCode::InvalidParamValue,
              "node '" + name() + "': the summary has " + std::to_string(tokens) +
                  " tokens; max_summary_tokens allows " +
                  std::to_string(params_.max_summary_tokens),
              "shorten the text, or raise max_summary_tokens");
}

std::unique_ptr<Node> MakeSummarize(std::string name, const SummarizeParams& params,
                                    const NodeEnvironment& environment) {
  return std::make_unique<SummarizeNode>(std::move(name), params, environment);
}

void CheckSummarize(const std::string& name, const SummarizeParams& params,
                    std::vector<GraphProblem>& problems) {
  const auto parsed =
      CheckTemplate(name, params.template_text, kTemplateTags, problems);
  if (params.trigger_tokens == 0 && params.trigger_turns == 0) {
    problems.push_back(ParamWarning(
        name, "trigger_tokens", "this and trigger_turns are off: the node does nothing",
        "set one of them"));
  }
  if (parsed && !parsed->HasSection("turns")) {
    problems.push_back(ParamProblem(
        name, "template",
        "must contain the section {{#turns}}, or nothing would be summarized",
        "for example {{#turns}}{{user}} / {{assistant}}{{/turns}}"));
  }
  if (parsed && parsed->NestsSection("turns")) {
    problems.push_back(ParamProblem(name, "template",
                                    "has {{#turns}} inside {{#turns}}, which "
                                    "shows every turn once for each turn",
                                    "close the outer section first"));
  }
}

}  // namespace talefold
