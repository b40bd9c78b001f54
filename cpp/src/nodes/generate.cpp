// Generate: the character's reply.

#include <algorithm>
#include <optional>
#include <utility>

#include "base/field_prefix.h"
#include "graph/descriptor.h"
#include "nodes/node.h"
#include "nodes/support/model_runner.h"
#include "prompt/projection.h"
#include "prompt/trimmer.h"

namespace talefold {

namespace {

constexpr std::int32_t kDefaultContextSize = 4096;
// A reply with less room than this is not worth giving: 4004 instead.
constexpr std::int32_t kMinReplyTokens = 16;

// Tags ending in '_' stand for all that begin so.
const std::vector<std::string_view> kTemplateTags = {
    "user_message", "instructions", "instruction_", "knowledge", "knowledge_", "name",
    "text",         "has_chunks",   "chunks",       "id",        "distance"};

std::vector<std::size_t> EntryTokens(const Projection& projection,
                                     const TokenizedPrompt& prompt) {
  std::vector<std::size_t> tokens;
  for (std::size_t i = 0; i + 1 < projection.entry_begin.size(); ++i) {
    std::size_t entry = 0;
    for (std::size_t m = projection.entry_begin[i]; m < projection.entry_begin[i + 1];
         ++m) {
      entry += prompt.MessageTokens(m);
    }
    tokens.push_back(entry);
  }
  return tokens;
}

class GenerateNode final : public Node {
 public:
  GenerateNode(std::string name, const GenerateParams& params,
               const NodeEnvironment& environment)
      : Node(std::move(name)),
        runner_(this->name(), params, kDefaultContextSize, environment) {
    SetParams(params);
  }

  bool writes_reply() const override { return true; }
  bool replays_history() const override { return true; }
  Sequence* history_sequence() override { return &runner_.sequence(); }

  void SetParams(const AnyNodeParams& params) override {
    params_ = std::get<GenerateParams>(params);
    runner_.SetSampling(params_.sampling);
    frame_.reset();
    if (!params_.template_text.empty()) {
      frame_ = MustacheTemplate::Parse(params_.template_text);
    }
  }

  std::string_view Execute(TurnContext& turn) override;
  void CheckBudget(std::size_t summary_tokens) const override;
  void PlanTrim(const HistorySource& history, TrimStage& trims) override;
  void Prepare() override { runner_.sequence().Prepare(next_begin_); }
  void CheckSummary(const SummaryComponent* summary, ErrorCode code) const override;

 private:
  struct Prompt {
    Projection projection;
    TokenizedPrompt tokens;
  };

  // Tokens kept free for the reply.
  std::int32_t ReplyReserve() const {
    return runner_.sampling().max_tokens.value_or(
        DefaultReplyReserve(runner_.context_size()));
  }
  TrimBudget Budget() const {
    return MakeTrimBudget(runner_.context_size(), ReplyReserve());
  }
  std::size_t SystemTokens(const SummaryComponent* summary) const;

  Prompt BuildPrompt(const TurnContext& turn, std::size_t from) const;
  Prompt FitPrompt(TurnContext& turn);
  template <typename Build>
  std::size_t WindowBegin(std::size_t oldest, std::size_t end, const Build& build);
  void CheckRoom(const Prompt& prompt) const;
  Generation GenerateReply(TurnContext& turn);
  static void AppendReply(TurnContext& turn, const std::string& text);
  static void KeepInterrupted(TurnContext& turn, const std::string& streamed);
  void ReportHistory(const TurnContext& turn, const Prompt& prompt) const;
  void ReportParameters(json::object& diagnostics) const;

  GenerateParams params_;
  ModelRunner runner_;
  std::optional<MustacheTemplate> frame_;
  std::size_t window_ = 64;  // interactions looked at first, to see what is trimmed
  std::vector<Token> next_begin_;  // of the next prompt, up to the player's text
};

std::size_t GenerateNode::SystemTokens(const SummaryComponent* summary) const {
  const std::string text = SystemMessage(params_.system_prompt, summary);
  std::vector<ChatMessage> messages;
  if (!text.empty()) messages.push_back({Role::System, text});
  return runner_.prompts().Build(messages).ids.size();
}

GenerateNode::Prompt GenerateNode::BuildPrompt(const TurnContext& turn,
                                               std::size_t from) const {
  Prompt prompt;
  const std::size_t current = turn.history.size() - 1;
  prompt.projection =
      ProjectHistory(turn.history, from, current, params_.system_prompt);
  AppendCurrentTurn(turn.history.entry(current),
                    {frame_ ? &*frame_ : nullptr, params_.placement},
                    prompt.projection.messages);
  prompt.tokens = runner_.prompts().Build(prompt.projection.messages);
  return prompt;
}

// What is trimmed follows from the newest interactions alone: those that together
// exceed the high water mark. Calls `build(from)` with more and more of them, until it
// returns that many tokens or all from `oldest` on are in. Without it, a long import
// would be tokenized whole to be trimmed away.
template <typename Build>
std::size_t GenerateNode::WindowBegin(std::size_t oldest, std::size_t end,
                                      const Build& build) {
  for (;; window_ *= 2) {
    const std::size_t begin = end - std::min(window_, end - oldest);
    if (begin == oldest || build(begin) > Budget().high_water) return begin;
  }
}

// Trims until the prompt is inside the budget or nothing is left to trim. The loop
// covers templates whose message costs are not exactly additive.
GenerateNode::Prompt GenerateNode::FitPrompt(TurnContext& turn) {
  const TrimBudget budget = Budget();
  // A fold in this very turn may already cover the running interaction.
  const std::size_t current = turn.history.size() - 1;
  std::size_t from = std::min(
      current, std::max(turn.history.first_uncovered(), turn.trims.From(name())));
  from = WindowBegin(from, current, [&](std::size_t begin) {
    return BuildPrompt(turn, begin).tokens.ids.size();
  });
  for (;;) {
    Prompt prompt = BuildPrompt(turn, from);
    const std::size_t drop =
        EntriesToTrim(prompt.tokens.ids.size(),
                      EntryTokens(prompt.projection, prompt.tokens), budget);
    if (drop == 0) return prompt;
    if (turn.folds.FinishOverdue(/*turn_ends=*/false)) {
      turn.trims.ResetAll();
      return FitPrompt(turn);
    }
    from += drop;
    turn.trims.Set(name(), from);
  }
}

void GenerateNode::CheckRoom(const Prompt& prompt) const {
  const auto room = static_cast<std::int64_t>(runner_.context_size()) -
                    static_cast<std::int64_t>(prompt.tokens.ids.size());
  if (room >= std::min(kMinReplyTokens, ReplyReserve())) return;
  throw Error(ErrorCode::ContextOverflow,
              "node '" + name() + "': the prompt needs " +
                  std::to_string(prompt.tokens.ids.size()) +
                  " tokens with all history trimmed; context_size is " +
                  std::to_string(runner_.context_size()),
              "send a shorter message, or raise context_size");
}

Generation GenerateNode::GenerateReply(TurnContext& turn) {
  std::string streamed;
  const auto on_piece = [&](std::string_view piece) {
    if (!params_.stream || piece.empty()) return;
    streamed += piece;
    turn.output.Emit({name(), std::string(piece), true, false});
  };
  for (;;) {
    const Prompt prompt = FitPrompt(turn);
    ReportHistory(turn, prompt);
    CheckRoom(prompt);
    const auto room = static_cast<std::int32_t>(
        static_cast<std::size_t>(runner_.context_size()) - prompt.tokens.ids.size());
    try {
      Generation reply =
          runner_.Generate(turn, prompt.projection.messages, prompt.tokens,
                           std::min(ReplyReserve(), room), on_piece);
      if (reply.stop_reason == StopReason::Cancelled) {
        turn.stopped = true;
        KeepInterrupted(turn, streamed);
      }
      return reply;
    } catch (const Error& error) {
      KeepInterrupted(turn, streamed);
      const std::size_t replayed = prompt.projection.entry_begin.size() - 1;
      const bool can_trim_further = error.code() == ErrorCode::ContextOverflow &&
                                    streamed.empty() && replayed > 0;
      if (!can_trim_further) throw;
      // The model has less room than the budget says: halve the window, try again.
      turn.trims.Set(name(), prompt.projection.replayed_from + (replayed + 1) / 2);
    } catch (...) {
      KeepInterrupted(turn, streamed);
      throw;
    }
  }
}

// A second reply in the same turn follows the first after a blank line.
void GenerateNode::AppendReply(TurnContext& turn, const std::string& text) {
  std::string& assistant = turn.current.assistant;
  if (!assistant.empty() && !text.empty()) assistant += "\n\n";
  assistant += text;
  ++turn.current.revision;
}

// What the player has read stays, whatever became of the rest.
void GenerateNode::KeepInterrupted(TurnContext& turn, const std::string& streamed) {
  if (streamed.empty()) return;
  AppendReply(turn, streamed);
  turn.current.status = InteractionStatus::Interrupted;
}

std::string_view GenerateNode::Execute(TurnContext& turn) {
  if (turn.diagnostics) ReportParameters(*turn.diagnostics);
  const Generation reply = GenerateReply(turn);
  if (turn.stopped) return kDefaultExit;
  AppendReply(turn, reply.text);
  turn.reply_written = true;
  turn.output.Emit({name(), reply.text, false, true});
  return kDefaultExit;
}

void GenerateNode::CheckBudget(std::size_t summary_tokens) const {
  const std::int32_t context_size = runner_.context_size();
  std::size_t fixed = SystemTokens(nullptr);
  if (summary_tokens > 0) {
    const SummaryComponent empty_summary;
    fixed = SystemTokens(&empty_summary) + summary_tokens;
  }
  const auto needed = fixed + static_cast<std::size_t>(ReplyReserve()) + 1;
  if (needed <= static_cast<std::size_t>(context_size)) return;
  throw Error(
      ErrorCode::InvalidParamValue,
      FieldPrefix(name(), "context_size") + std::to_string(context_size) +
          " tokens cannot hold the system prompt and summary (" +
          std::to_string(fixed) + ", of which max_summary_tokens " +
          std::to_string(summary_tokens) + "), the reply reserve (" +
          std::to_string(ReplyReserve()) + ") and a message; allowed: at least " +
          std::to_string(needed),
      "raise context_size, shorten system_prompt, or lower sampling.max_tokens or "
      "max_summary_tokens");
}

void GenerateNode::PlanTrim(const HistorySource& history, TrimStage& trims) {
  next_begin_.clear();
  const TrimBudget budget = Budget();
  const std::size_t size = history.size();
  const std::size_t oldest = std::max(history.first_uncovered(), trims.From(name()));
  Projection projection;
  TokenizedPrompt prompt;
  std::size_t from = size + 1;  // of the prompt that was built last
  const auto build = [&](std::size_t begin) {
    if (begin == from) return prompt.ids.size();
    from = begin;
    projection = ProjectHistory(history, begin, size, params_.system_prompt);
    prompt = runner_.prompts().Build(projection.messages);
    return prompt.ids.size();
  };
  build(WindowBegin(std::min(oldest, size), size, build));
  std::vector<std::size_t> entries = EntryTokens(projection, prompt);
  if (!entries.empty()) entries.pop_back();  // the turn that just ended stays
  const std::size_t drop =
      EntriesToTrim(prompt.ids.size() + budget.next_turn_allowance, entries, budget);
  if (drop > 0) {
    trims.Set(name(), from + drop);
    build(from + drop);
  }
  prompt.ids.resize(prompt.reply_begin);
  next_begin_ = std::move(prompt.ids);
  if (frame_ || projection.messages.empty()) return;  // other text may come first
  const std::vector<Token>& glue =
      runner_.prompts().BeforeUserText(projection.messages.back().role);
  next_begin_.insert(next_begin_.end(), glue.begin(), glue.end());
}

void GenerateNode::CheckSummary(const SummaryComponent* summary, ErrorCode code) const {
  const std::size_t needed =
      SystemTokens(summary) + static_cast<std::size_t>(ReplyReserve()) + 1;
  if (needed <= static_cast<std::size_t>(runner_.context_size())) return;
  throw Error(code,
              FieldPrefix(name(), "context_size") +
                  std::to_string(runner_.context_size()) +
                  " tokens cannot hold the system prompt, the dialog's summary and the "
                  "reply reserve; allowed: at least " +
                  std::to_string(needed),
              "raise context_size, or shorten the summary or the system prompt");
}

void GenerateNode::ReportParameters(json::object& diagnostics) const {
  json::object& parameters = Section(diagnostics, "parameters");
  parameters["context_size"] = runner_.context_size();
  parameters["reply_reserve_tokens"] = ReplyReserve();
}

void GenerateNode::ReportHistory(const TurnContext& turn, const Prompt& prompt) const {
  if (!turn.diagnostics) return;
  json::object report;
  const std::size_t first_uncovered = turn.history.first_uncovered();
  if (first_uncovered > 0) report["covered_through"] = first_uncovered - 1;
  const std::size_t from = prompt.projection.replayed_from;
  if (from > first_uncovered) report["trimmed_from"] = first_uncovered;
  report["replayed_from"] = from;
  report["high_water_tokens"] = Budget().high_water;
  report["low_water_tokens"] = Budget().low_water;
  (*turn.diagnostics)["history"] = std::move(report);
}

}  // namespace

std::unique_ptr<Node> MakeGenerate(std::string name, const GenerateParams& params,
                                   const NodeEnvironment& environment) {
  return std::make_unique<GenerateNode>(std::move(name), params, environment);
}

void CheckGenerate(const std::string& name, const GenerateParams& params,
                   std::vector<GraphProblem>& problems) {
  const auto frame = CheckTemplate(name, params.template_text, kTemplateTags, problems);
  if (frame && params.placement == Placement::InPlaceOfUser &&
      !frame->TagNames().contains("user_message")) {
    problems.push_back(ParamProblem(
        name, "template", "placement in_place_of_user needs the tag {{user_message}}",
        "add {{user_message}}, or choose another placement"));
  }
}

}  // namespace talefold
