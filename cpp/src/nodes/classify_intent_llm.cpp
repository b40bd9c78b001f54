// ClassifyIntentLLM: what the player wants is the answer that the model finds likeliest
// to a multiple-choice question.

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "base/field_prefix.h"
#include "base/text.h"
#include "graph/descriptor.h"
#include "nodes/node.h"
#include "nodes/support/attach.h"
#include "nodes/support/model_runner.h"
#include "prompt/default_texts.h"
#include "prompt/letter_candidates.h"

namespace talefold {

namespace {

constexpr std::int32_t kDefaultContextSize = 4096;  // tokens
// On one line, in quotation marks that nothing in it can close.
std::string Quoted(std::string_view text) { return OneLineJson(json::string(text)); }

// `log_probabilities` as shares of their sum; all 0 when none of them is possible.
std::vector<double> Shares(const std::vector<double>& log_probabilities) {
  const double highest = *std::ranges::max_element(log_probabilities);
  std::vector<double> shares(log_probabilities.size(), 0.0);
  if (!std::isfinite(highest)) return shares;
  double sum = 0.0;
  for (const double each : log_probabilities) sum += std::exp(each - highest);
  std::ranges::transform(log_probabilities, shares.begin(),
                         [&](double each) { return std::exp(each - highest) / sum; });
  return shares;
}

struct Verdict {
  std::size_t index = 0;  // of the likeliest intent
  double best = 0.0;
  double margin = 0.0;  // to the second; `best` when there is no other
};

Verdict Judge(const std::vector<double>& shares) {
  const auto likeliest = std::ranges::max_element(shares);
  double second = 0.0;
  for (auto each = shares.begin(); each != shares.end(); ++each) {
    if (each != likeliest) second = std::max(second, *each);
  }
  return {static_cast<std::size_t>(likeliest - shares.begin()), *likeliest,
          *likeliest - second};
}

class ClassifyIntentLLMNode final : public Node {
 public:
  ClassifyIntentLLMNode(std::string name, const ClassifyIntentLLMParams& params,
                        const NodeEnvironment& environment)
      : Node(std::move(name)),
        runner_(this->name(), params, kDefaultContextSize, environment),
        letters_(LetterCandidates(runner_.model(), params.intents.size())) {
    SetParams(params);
  }

  void SetParams(const AnyNodeParams& params) override {
    params_ = std::get<ClassifyIntentLLMParams>(params);
  }
  void CheckBudget(std::size_t, std::span<const Pin>) const override;
  std::string_view skipped_exit() const override { return kNotFoundExit; }
  std::string_view Execute(TurnContext& turn) override;

 private:
  struct Question {
    std::vector<ChatMessage> messages = {};
    TokenizedPrompt prompt = {};
    std::size_t history_turns = 0;  // shown
  };

  std::string Instructions() const;
  Question Ask(const HistorySource* history, std::string_view user,
               std::size_t history_turns) const;
  Question Fit(const TurnContext& turn) const;
  bool Fits(const Question& question) const {
    // One token less: a context that is full has no room for an answer.
    return question.prompt.ids.size() <
           static_cast<std::size_t>(runner_.context_size());
  }
  bool IsClear(const Verdict& verdict) const;
  std::string_view Conclude(TurnContext& turn, const std::vector<double>& shares) const;
  std::string_view NotFound(TurnContext& turn) const;
  void Report(json::object& diagnostics, const std::vector<double>& shares,
              const Verdict& verdict) const;

  ClassifyIntentLLMParams params_;
  ModelRunner runner_;
  const std::vector<Candidate> letters_;
};

std::string ClassifyIntentLLMNode::Instructions() const {
  std::string text = params_.system_prompt.empty()
                         ? std::string(default_texts::kClassifierSystemPrompt)
                         : params_.system_prompt;
  text += "\n";
  for (std::size_t i = 0; i < params_.intents.size(); ++i) {
    const IntentDescription& intent = params_.intents[i];
    text += "\n" + letters_[i].text + ". " + intent.id;
    if (!intent.description.empty()) text += ": " + intent.description;
  }
  return text;
}

// The question about `user`, with the newest `history_turns` of what is before the last
// entry of `history`.
ClassifyIntentLLMNode::Question ClassifyIntentLLMNode::Ask(
    const HistorySource* history, std::string_view user,
    std::size_t history_turns) const {
  std::string text;
  for (std::size_t back = history_turns; back > 0; --back) {
    const HistoryEntry entry = history->entry(history->size() - 1 - back);
    if (!entry.user.empty()) text += "Player: " + Quoted(entry.user) + "\n";
    if (!entry.assistant.empty()) {
      text += "Character: " + Quoted(entry.assistant) + "\n";
    }
  }
  if (!text.empty()) {
    text = std::string(default_texts::kClassifierHistory) + "\n" + text + "\n";
  }
  text += std::string(default_texts::kClassifierMessage) + " " + Quoted(user) + "\n\n" +
          std::string(default_texts::kClassifierQuestion);
  Question question;
  question.messages = {{Role::System, Instructions()}, {Role::User, std::move(text)}};
  question.prompt = runner_.prompts().Build(question.messages);
  question.history_turns = history_turns;
  return question;
}

// With fewer and fewer earlier turns, until it fits.
ClassifyIntentLLMNode::Question ClassifyIntentLLMNode::Fit(
    const TurnContext& turn) const {
  std::size_t turns = std::min(static_cast<std::size_t>(params_.history_turns),
                               turn.history.size() - 1);
  for (;; --turns) {
    Question question = Ask(&turn.history, turn.current.user, turns);
    if (Fits(question)) return question;
    if (turns > 0) continue;
    throw Error(ErrorCode::ContextOverflow,
                "node '" + name() + "': the prompt needs " +
                    std::to_string(question.prompt.ids.size() + 1) +
                    " tokens without any earlier turn; context_size is " +
                    std::to_string(runner_.context_size()),
                "send a shorter message, or raise context_size");
  }
}

std::string_view ClassifyIntentLLMNode::Execute(TurnContext& turn) {
  if (turn.diagnostics) {
    Section(*turn.diagnostics, "parameters")["context_size"] = runner_.context_size();
  }
  if (TrimWhitespace(turn.current.user).empty()) return NotFound(turn);
  const Question question = Fit(turn);
  if (turn.diagnostics) {
    Section(*turn.diagnostics, "intention")["history_turns"] = question.history_turns;
  }
  const std::vector<double> scores =
      runner_.Score(turn, question.messages, question.prompt, letters_);
  if (scores.empty()) {
    turn.stopped = true;
    return kNotFoundExit;
  }
  return Conclude(turn, Shares(scores));
}

bool ClassifyIntentLLMNode::IsClear(const Verdict& verdict) const {
  // In single precision: 0.5 reaches a threshold of 0.5 however it was rounded.
  return verdict.best > 0 &&
         static_cast<float>(verdict.best) >= static_cast<float>(params_.threshold) &&
         static_cast<float>(verdict.margin) >= static_cast<float>(params_.margin);
}

std::string_view ClassifyIntentLLMNode::Conclude(
    TurnContext& turn, const std::vector<double>& shares) const {
  const Verdict verdict = Judge(shares);
  if (turn.diagnostics) Report(*turn.diagnostics, shares, verdict);
  if (!IsClear(verdict)) return NotFound(turn);
  const std::string& intent = params_.intents[verdict.index].id;
  AttachIntention(turn, name(), intent);
  if (params_.notify_client) {
    turn.output.EmitAtCommit(
        {name(),
         "intent",
         {{"intent", intent}, {"probability", std::to_string(verdict.best)}}});
  }
  return kFoundExit;
}

std::string_view ClassifyIntentLLMNode::NotFound(TurnContext& turn) const {
  if (!params_.not_found_intent.empty())
    AttachIntention(turn, name(), params_.not_found_intent);
  return kNotFoundExit;
}

void ClassifyIntentLLMNode::Report(json::object& diagnostics,
                                   const std::vector<double>& shares,
                                   const Verdict& verdict) const {
  json::array probabilities;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    probabilities.push_back(
        json::object{{"intent", params_.intents[i].id}, {"probability", shares[i]}});
  }
  json::object& report = Section(diagnostics, "intention");
  report["probabilities"] = std::move(probabilities);
  report["best"] = verdict.best;
  report["margin"] = verdict.margin;
}

void ClassifyIntentLLMNode::CheckBudget(std::size_t, std::span<const Pin>) const {
  const Question shortest = Ask(nullptr, "", 0);
  if (Fits(shortest)) return;
  throw Error(
      ErrorCode::InvalidParamValue,
      FieldPrefix(name(), "context_size") + std::to_string(runner_.context_size()) +
          " tokens cannot hold the system prompt and the intents; allowed: more "
          "than " +
          std::to_string(shortest.prompt.ids.size()),
      "raise context_size, or shorten system_prompt or the intents");
}

}  // namespace

std::unique_ptr<Node> MakeClassifyIntentLLM(std::string name,
                                            const ClassifyIntentLLMParams& params,
                                            const NodeEnvironment& environment) {
  return std::make_unique<ClassifyIntentLLMNode>(std::move(name), params, environment);
}

void CheckClassifyIntentLLM(const std::string& name,
                            const ClassifyIntentLLMParams& params,
                            std::vector<GraphProblem>& problems) {
  const std::size_t count = params.intents.size();
  if (count < 1 || count > kMaxLetters) {
    problems.push_back(
        ParamProblem(name, "intents",
                     "there are " + std::to_string(count) + " intents; allowed 1 to " +
                         std::to_string(kMaxLetters),
                     "each needs a letter; classify in two steps if there are more"));
  }
  std::set<std::string_view> ids;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string& id = params.intents[i].id;
    if (ids.insert(id).second) continue;
    problems.push_back(ParamProblem(name, "intents[" + std::to_string(i) + "].id",
                                    "'" + id + "' is the id of an earlier intent",
                                    "give each intent an id of its own"));
  }
}

}  // namespace talefold
