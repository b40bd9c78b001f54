#include "nodes/support/history_prompt.h"

#include <algorithm>
#include <utility>

#include "base/field_prefix.h"

namespace talefold {

namespace {

constexpr std::string_view kLogCategory = "prompt";
// A reply with less room than this is not worth giving: 4004 instead.
constexpr std::int32_t kMinReplyTokens = 16;

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

std::vector<std::string_view> LeftOut(const TemplateParts& shown) {
  std::vector<std::string_view> parts;
  if (!shown.knowledge) parts.push_back("knowledge");
  if (!shown.instructions) parts.push_back("instructions");
  return parts;
}

// A turn without a text of the player goes on from the results of tools in the turn
// before.
bool GoesOn(const TurnContext& turn) {
  const std::size_t current = turn.history.size() - 1;
  return turn.current.user.empty() && current > 0 &&
         std::ranges::any_of(
             turn.history.entry(current - 1).tool_calls,
             [](const ToolCallComponent& call) { return call.result.has_value(); });
}

// The first entry of the shortest history that the turn can be shown with.
std::size_t ShortestBegin(const TurnContext& turn) {
  const std::size_t current = turn.history.size() - 1;
  return GoesOn(turn) && current > turn.history.first_uncovered() ? current - 1
                                                                  : current;
}

// What a trim may drop: all that is replayed, but for what the turn goes on from.
std::vector<std::size_t> DroppableTokens(const TurnContext& turn,
                                         const HistoryPrompt::Prompt& prompt) {
  std::vector<std::size_t> tokens = EntryTokens(prompt.projection, prompt.tokens);
  if (GoesOn(turn) && !tokens.empty()) tokens.pop_back();
  return tokens;
}

}  // namespace

std::int32_t HistoryPrompt::ReplyReserve() const {
  return runner_.sampling().max_tokens.value_or(
      DefaultReplyReserve(runner_.context_size()));
}

std::size_t HistoryPrompt::SystemTokens(const Memory& memory) const {
  std::vector<ChatMessage> messages;
  ChatMessage system = SystemMessage(preamble(), memory);
  if (!system.text.empty()) messages.push_back(std::move(system));
  return runner_.prompts().Build(messages).ids.size();
}

std::string HistoryPrompt::Frame(const TurnContext& turn,
                                 const TemplateParts& parts) const {
  return RenderFrame(texts_.frame ? &*texts_.frame : nullptr, turn.current, turn.slots,
                     parts);
}

HistoryPrompt::Prompt HistoryPrompt::Build(const TurnContext& turn, std::size_t from,
                                           const TemplateParts& parts) const {
  Prompt prompt;
  prompt.shown = parts;
  const std::size_t current = turn.history.size() - 1;
  prompt.projection = ProjectHistory(turn.history, from, current, preamble(),
                                     runner_.model().reasoning_tags());
  AppendCurrentTurn(turn.history.entry(current), Frame(turn, parts), texts_.placement,
                    prompt.projection.messages);
  prompt.tokens = runner_.prompts().Build(prompt.projection.messages);
  return prompt;
}

// What is trimmed follows from the newest interactions alone: those that together
// exceed the high water mark. Calls `build(from)` with more and more of them, until it
// returns that many tokens or all from `oldest` on are in. Without it, a long import
// would be tokenized whole to be trimmed away.
template <typename BuildFrom>
std::size_t HistoryPrompt::WindowBegin(std::size_t oldest, std::size_t end,
                                       const BuildFrom& build) {
  for (;; window_ *= 2) {
    const std::size_t begin = end - std::min(window_, end - oldest);
    if (begin == oldest || build(begin) > Budget().high_water) return begin;
  }
}

// Trims until the prompt is inside the budget or nothing is left to trim. The loop
// covers templates whose message costs are not exactly additive.
HistoryPrompt::Prompt HistoryPrompt::FitHistory(TurnContext& turn,
                                                const TemplateParts& parts) {
  const TrimBudget budget = Budget();
  // A fold in this very turn may already cover the running interaction.
  const std::size_t current = turn.history.size() - 1;
  std::size_t from = std::min(
      current, std::max(turn.history.first_uncovered(), turn.trims.From(node_)));
  from = WindowBegin(from, current, [&](std::size_t begin) {
    return Build(turn, begin, parts).tokens.ids.size();
  });
  for (;;) {
    Prompt prompt = Build(turn, from, parts);
    const std::size_t drop =
        EntriesToTrim(prompt.tokens.ids.size(), DroppableTokens(turn, prompt), budget);
    if (prompt.tokens.ids.size() <= budget.high_water) return prompt;
    const TemplateParts fitting = PartsWithRoom(turn, parts);
    if (fitting != parts) return FitHistory(turn, fitting);
    if (drop == 0) return prompt;
    if (turn.folds.FinishOverdue(/*turn_ends=*/false)) {
      turn.trims.ResetAll();
      return FitHistory(turn, {});
    }
    from += drop;
    turn.trims.Set(node_, from);
  }
}

// What does not fit with all history trimmed is left out first: it must not cost the
// history its place.
TemplateParts HistoryPrompt::PartsWithRoom(const TurnContext& turn,
                                           TemplateParts parts) const {
  const Interaction& current = turn.current;
  if (current.knowledge.empty() && current.instructions.empty()) return parts;
  for (bool TemplateParts::* part :
       {&TemplateParts::knowledge, &TemplateParts::instructions}) {
    const Prompt prompt = Build(turn, ShortestBegin(turn), parts);
    if (prompt.tokens.ids.size() <= Budget().high_water) break;
    TemplateParts less = parts;
    less.*part = false;
    if (Frame(turn, less) != Frame(turn, parts)) parts = less;  // else it shows none
  }
  return parts;
}

StoryPrompt HistoryPrompt::ShowStory(const HistorySource& history,
                                     const Interaction& current,
                                     const std::string& frame,
                                     const StoryParams& params, const KeptFits& kept,
                                     std::size_t most_of_story) const {
  return talefold::FitStory(runner_, {.story = *history.story(),
                                      .parts = {.persona = preamble(),
                                                .notes = history.pins(),
                                                .frame = frame,
                                                .placement = texts_.placement,
                                                .said = current.assistant},
                                      .params = params,
                                      .kept = kept,
                                      .most_tokens = Budget().high_water,
                                      .most_of_story = most_of_story});
}

StoryPrompt HistoryPrompt::Review(const HistorySource& history,
                                  const Interaction& current, const StoryParams& params,
                                  const KeptFits& kept) const {
  const std::string frame =
      RenderFrame(texts_.frame ? &*texts_.frame : nullptr, current, {});
  return ShowStory(history, current, frame, params, kept, 0);
}

// What the turn shows of a scene: no more than TrimHalf left in the trims.
HistoryPrompt::Prompt HistoryPrompt::FitStory(const TurnContext& turn,
                                              const TemplateParts& parts) const {
  Prompt prompt;
  prompt.shown = parts;
  prompt.story = ShowStory(turn.history, turn.current, Frame(turn, parts), texts_.story,
                           turn.fits, turn.trims.From(node_));
  prompt.tokens = prompt.story->tokens;
  return prompt;
}

// Without what the template adds where all of it does not fit.
HistoryPrompt::Prompt HistoryPrompt::FitStoryParts(TurnContext& turn) const {
  TemplateParts parts;
  Prompt prompt = FitStory(turn, parts);
  for (bool TemplateParts::* part :
       {&TemplateParts::knowledge, &TemplateParts::instructions}) {
    if (prompt.tokens.ids.size() <= Budget().high_water) break;
    TemplateParts less = parts;
    less.*part = false;
    if (Frame(turn, less) == Frame(turn, parts)) continue;  // it shows none
    parts = less;
    prompt = FitStory(turn, parts);
  }
  return prompt;
}

HistoryPrompt::Prompt HistoryPrompt::Fit(TurnContext& turn) {
  Prompt prompt =
      turn.history.story() ? FitStoryParts(turn) : FitHistory(turn, TemplateParts{});
  const std::vector<std::string_view> left_out = LeftOut(prompt.shown);
  if (!left_out.empty()) {
    turn.logger.Log(LogLevel::Warning, kLogCategory,
                    "node '" + node_ + "': too much for the prompt, left out: " +
                        ListNames(left_out) + " of the turn");
  }
  return prompt;
}

std::int32_t HistoryPrompt::CheckRoom(const TurnContext& turn,
                                      const Prompt& prompt) const {
  const auto room = static_cast<std::int64_t>(runner_.context_size()) -
                    static_cast<std::int64_t>(prompt.tokens.ids.size());
  if (room >= std::min(kMinReplyTokens, ReplyReserve())) {
    return static_cast<std::int32_t>(room);
  }
  const bool keeps_one = GoesOn(turn) && prompt.projection.entry_begin.size() > 1;
  throw Error(ErrorCode::ContextOverflow,
              "node '" + node_ + "': the prompt needs " +
                  std::to_string(prompt.tokens.ids.size()) +
                  " tokens with all history trimmed" +
                  (keeps_one ? " but the turn that this one goes on from, with its "
                               "tool results"
                             : "") +
                  "; context_size is " + std::to_string(runner_.context_size()),
              keeps_one ? "give shorter tool results, or raise context_size"
                        : "send a shorter message, or raise context_size");
}

bool HistoryPrompt::TrimHalf(TurnContext& turn, const Prompt& prompt) const {
  if (prompt.story) {
    const std::size_t half = prompt.story->fit().tokens / 2;
    const std::size_t before = turn.trims.From(node_);
    if (half == 0 || (before > 0 && half >= before)) return false;
    turn.trims.Set(node_, half);
    return true;
  }
  const std::size_t droppable = DroppableTokens(turn, prompt).size();
  if (droppable == 0) return false;
  turn.trims.Set(node_, prompt.projection.replayed_from + (droppable + 1) / 2);
  return true;
}

void HistoryPrompt::CheckBudget(std::size_t summary_tokens,
                                std::span<const Pin> pins) const {
  const std::int32_t context_size = runner_.context_size();
  const SummaryComponent empty_summary;
  const std::size_t fixed =
      SystemTokens({pins, summary_tokens > 0 ? &empty_summary : nullptr}) +
      summary_tokens;
  const auto needed = fixed + static_cast<std::size_t>(ReplyReserve()) + 1;
  if (needed <= static_cast<std::size_t>(context_size)) return;
  throw Error(
      ErrorCode::InvalidParamValue,
      FieldPrefix(node_, "context_size") + std::to_string(context_size) +
          " tokens cannot hold the system prompt" +
          (texts_.tools.empty() ? "" : ", tools") + (pins.empty() ? "" : ", pins") +
          " and summary (" + std::to_string(fixed) + ", of which max_summary_tokens " +
          std::to_string(summary_tokens) + "), the reply reserve (" +
          std::to_string(ReplyReserve()) + ") and a message; allowed: at least " +
          std::to_string(needed),
      "raise context_size, shorten system_prompt, or lower sampling.max_tokens or "
      "max_summary_tokens");
}

void HistoryPrompt::CheckMemory(const Memory& memory, ErrorCode code) const {
  const std::size_t needed =
      SystemTokens(memory) + static_cast<std::size_t>(ReplyReserve()) + 1;
  if (needed <= static_cast<std::size_t>(runner_.context_size())) return;
  throw Error(code,
              FieldPrefix(node_, "context_size") +
                  std::to_string(runner_.context_size()) +
                  " tokens cannot hold the system prompt, the dialog's summary and "
                  "pins, and the reply reserve; allowed: at least " +
                  std::to_string(needed),
              "raise context_size, or shorten the summary, the pins or the system "
              "prompt");
}

void HistoryPrompt::PlanTrim(const HistorySource& history, TrimStage& trims) {
  next_begin_.clear();
  if (history.story()) return;
  const TrimBudget budget = Budget();
  const std::size_t size = history.size();
  const std::size_t oldest = std::max(history.first_uncovered(), trims.From(node_));
  Projection projection;
  TokenizedPrompt prompt;
  std::size_t from = size + 1;  // of the prompt that was built last
  const auto build = [&](std::size_t begin) {
    if (begin == from) return prompt.ids.size();
    from = begin;
    projection = ProjectHistory(history, begin, size, preamble(),
                                runner_.model().reasoning_tags());
    prompt = runner_.prompts().Build(projection.messages);
    return prompt.ids.size();
  };
  build(WindowBegin(std::min(oldest, size), size, build));
  std::vector<std::size_t> entries = EntryTokens(projection, prompt);
  if (!entries.empty()) entries.pop_back();  // the turn that just ended stays
  const std::size_t drop =
      EntriesToTrim(prompt.ids.size() + budget.next_turn_allowance, entries, budget);
  if (drop > 0) {
    trims.Set(node_, from + drop);
    build(from + drop);
  }
  prompt.ids.resize(prompt.reply_begin);
  next_begin_ = std::move(prompt.ids);
  // Other text may come first.
  if (texts_.frame || projection.messages.empty()) return;
  const std::vector<Token>& glue =
      runner_.prompts().BeforeUserText(projection.messages.back().role);
  next_begin_.insert(next_begin_.end(), glue.begin(), glue.end());
}

void HistoryPrompt::ReportParameters(json::object& diagnostics) const {
  json::object& parameters = Section(diagnostics, "parameters");
  parameters["context_size"] = runner_.context_size();
  parameters["reply_reserve_tokens"] = ReplyReserve();
}

void HistoryPrompt::ReportStory(TurnContext& turn, const Prompt& prompt) const {
  const StoryPrompt& story = *prompt.story;
  const std::vector<ShownItem>& items = story.fit().items;
  const auto messages = std::ranges::count_if(items, IsMessage);
  const auto summaries = std::ranges::count_if(
      items, [](const ShownItem& item) { return item.level > 0; });
  json::object report{{"budget_tokens", story.budget},
                      {"tokens", story.fit().tokens},
                      {"messages", messages},
                      {"summaries", summaries},
                      {"incomplete", story.fit().incomplete},
                      {"goes_on", story.choice.before != nullptr},
                      {"prompt_caching", story.story_first}};
  (*turn.diagnostics)["story"] = std::move(report);
  const std::vector<std::string_view> left_out = LeftOut(prompt.shown);
  if (left_out.empty()) return;
  Section(*turn.diagnostics, "history")["left_out"] =
      json::array(left_out.begin(), left_out.end());
}

void HistoryPrompt::Report(TurnContext& turn, const Prompt& prompt) const {
  if (!turn.diagnostics) return;
  if (prompt.story) {
    ReportStory(turn, prompt);
    return;
  }
  json::object report;
  const std::size_t first_uncovered = turn.history.first_uncovered();
  if (first_uncovered > 0) report["covered_through"] = first_uncovered - 1;
  const std::size_t from = prompt.projection.replayed_from;
  if (from > first_uncovered) report["trimmed_from"] = first_uncovered;
  report["replayed_from"] = from;
  report["high_water_tokens"] = Budget().high_water;
  report["low_water_tokens"] = Budget().low_water;
  const std::vector<std::string_view> left_out = LeftOut(prompt.shown);
  if (!left_out.empty()) {
    report["left_out"] = json::array(left_out.begin(), left_out.end());
  }
  (*turn.diagnostics)["history"] = std::move(report);
}

}  // namespace talefold
