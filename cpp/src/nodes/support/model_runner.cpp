#include "nodes/support/model_runner.h"

#include <algorithm>

#include "base/field_prefix.h"
#include "base/seed.h"
#include "graph/descriptor.h"
#include "prompt/reasoning.h"

namespace talefold {

namespace {

using Clock = std::chrono::steady_clock;

double MillisecondsSince(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

// The message a prompt token belongs to; -1 for the template's opening of the reply.
std::int64_t MessageOfToken(const TokenizedPrompt& prompt, std::size_t token) {
  if (token >= prompt.reply_begin) return -1;
  const auto& begins = prompt.message_begin;
  const auto after = std::upper_bound(begins.begin(), begins.end(), token);
  return std::distance(begins.begin(), after) - 1;
}

void ReportPrefill(json::object& diagnostics, const TokenizedPrompt& prompt,
                   const PrefillReport& report) {
  json::object& input = Section(diagnostics, "input");
  input["reused_tokens"] = report.reused_tokens;
  input["decoded_tokens"] = report.decoded_tokens;
  if (report.first_changed_token) {
    input["first_changed_token"] = *report.first_changed_token;
    input["first_changed_message"] =
        MessageOfToken(prompt, *report.first_changed_token);
  }
}

void ReportOutput(json::object& diagnostics, const Generation& generation,
                  std::optional<double> first_token_ms) {
  json::object& output = Section(diagnostics, "output");
  output["text"] = generation.text;
  if (!generation.reasoning.empty()) output["reasoning"] = generation.reasoning;
  output["tokens_generated"] = generation.tokens;
  output["stop_reason"] = StopReasonName(generation.stop_reason);
  if (first_token_ms) output["first_token_ms"] = *first_token_ms;
}

}  // namespace

ModelRunner::ModelRunner(const std::string& node, const std::string& model_name,
                         std::int32_t context_size, std::int32_t default_context_size,
                         const ContextOverrides& context,
                         const ModelAdaptation& adaptation,
                         const NodeEnvironment& environment)
    : node_(node), model_(environment.find_model(node, model_name)) {
  const std::int32_t trained = model_->trained_context_size();
  if (context_size > trained) {
    throw Error(ErrorCode::InvalidParamValue,
                FieldPrefix(node, "context_size") + std::to_string(context_size) +
                    " exceeds what the model was trained for; allowed 0 to " +
                    std::to_string(trained),
                "lower context_size, or choose a model with a longer context");
  }
  if (model_->default_context_size() > 0) {
    default_context_size = model_->default_context_size();
  }
  context_size_ =
      context_size > 0 ? context_size : std::min(default_context_size, trained);
  prompts_ = std::make_unique<PromptBuilder>(model_);
  sequence_ = model_->CreateSequence(node, context_size_, context, adaptation);
}

void ModelRunner::SetSampling(const SamplingOverrides& sampling) {
  sampling_ = MergeSampling(model_->default_sampling(), sampling);
}

std::uint64_t ModelRunner::Seed(Draw draw) const {
  const auto seed = static_cast<std::uint64_t>(sampling_.seed.value_or(0));
  if (seed != 0) return GenerationSeed(seed, draw.number, node_, draw.attempt);
  return RandomSeed();
}

GenerationRequest ModelRunner::RequestFor(Draw draw, const CancelToken& cancel,
                                          const std::vector<ChatMessage>& messages,
                                          const TokenizedPrompt& prompt,
                                          std::int32_t max_tokens) const {
  GenerationRequest request;
  request.node = node_;
  request.messages = messages;
  request.prompt = prompt.ids;
  request.max_tokens = max_tokens;
  request.sampling = sampling_;
  request.seed = Seed(draw);
  request.cancel = &cancel;
  return request;
}

GenerationRequest ModelRunner::RequestFor(const TurnContext& turn,
                                          const std::vector<ChatMessage>& messages,
                                          const TokenizedPrompt& prompt,
                                          std::int32_t max_tokens) const {
  return RequestFor({.number = turn.turn_index, .attempt = turn.current.attempt},
                    turn.cancel, messages, prompt, max_tokens);
}

Generation ModelRunner::Generate(TurnContext& turn,
                                 const std::vector<ChatMessage>& messages,
                                 const TokenizedPrompt& prompt, std::int32_t max_tokens,
                                 const TokenSink& on_piece, std::string_view grammar,
                                 std::string_view stop) {
  if (turn.diagnostics) ReportInput(*turn.diagnostics, messages, prompt);
  GenerationRequest request = RequestFor(turn, messages, prompt, max_tokens);
  request.grammar = grammar;
  if (!stop.empty()) {
    if (!request.sampling.stop) request.sampling.stop.emplace();
    request.sampling.stop->emplace_back(stop);
  }
  return Run(request, prompt, on_piece, turn.tokens_generated, turn.diagnostics);
}

Generation ModelRunner::Run(const GenerationRequest& request,
                            const TokenizedPrompt& prompt, const TokenSink& on_piece,
                            std::int64_t& tokens, json::object* diagnostics) {
  std::lock_guard lock(in_use_);
  Generation generation;
  const auto show = [&](std::string_view text) {
    generation.text += text;
    on_piece(text);
  };
  // What a grammar describes is the whole reply.
  std::optional<ReasoningFilter> filter;
  if (model_->reasoning_tags() && request.grammar.empty()) {
    filter.emplace(*model_->reasoning_tags());
  }
  std::optional<double> first_token_ms;
  const Clock::time_point start = Clock::now();
  const GenerationReport report =
      sequence_->Generate(request, [&](std::string_view piece) {
        if (!first_token_ms) first_token_ms = MillisecondsSince(start);
        ++generation.tokens;
        ++tokens;
        show(filter ? filter->Add(piece) : std::string(piece));
      });
  std::string rest = report.last_text;
  if (filter) {
    rest = filter->Add(rest);
    rest += filter->Finish();
    generation.reasoning = filter->reasoning();
  }
  if (!rest.empty()) show(rest);
  generation.stop_reason = report.stop_reason;
  if (diagnostics) {
    ReportPrefill(*diagnostics, prompt, report);
    ReportOutput(*diagnostics, generation, first_token_ms);
  }
  return generation;
}

std::vector<double> ModelRunner::Score(TurnContext& turn,
                                       const std::vector<ChatMessage>& messages,
                                       const TokenizedPrompt& prompt,
                                       std::span<const Candidate> candidates) {
  if (turn.diagnostics) ReportInput(*turn.diagnostics, messages, prompt);
  std::lock_guard lock(in_use_);
  const ScoreReport report =
      sequence_->Score(RequestFor(turn, messages, prompt, 0), candidates);
  if (turn.diagnostics) ReportPrefill(*turn.diagnostics, prompt, report);
  return report.log_probabilities;
}

void ModelRunner::ReportInput(json::object& diagnostics,
                              const std::vector<ChatMessage>& messages,
                              const TokenizedPrompt& prompt) const {
  json::array shown;
  for (const ChatMessage& message : messages) {
    shown.push_back(
        json::object{{"role", RoleName(message.role)}, {"text", message.text}});
  }
  json::object& input = Section(diagnostics, "input");
  input["prompt"] = std::move(shown);
  input["prompt_tokens"] = prompt.ids.size();
}

std::optional<MustacheTemplate> CheckTemplate(
    const std::string& node, std::string_view text,
    std::span<const std::string_view> known_tags, std::vector<GraphProblem>& problems) {
  if (text.empty()) return std::nullopt;
  std::optional<MustacheTemplate> parsed;
  try {
    parsed = MustacheTemplate::Parse(text);
  } catch (const Error& error) {
    problems.push_back({error.code(), false, node, "template",
                        FieldPrefix(node, "template") + error.message(), error.hint()});
    return std::nullopt;
  }
  for (const std::string& tag : parsed->TagNames()) {
    const bool known = std::any_of(
        known_tags.begin(), known_tags.end(), [&tag](std::string_view known_tag) {
          return known_tag.ends_with('_') ? tag.starts_with(known_tag)
                                          : tag == known_tag;
        });
    if (known) continue;
    const std::string_view closest =
        ClosestName(tag, {known_tags.begin(), known_tags.end()});
    problems.push_back(ParamWarning(
        node, "template", "unknown tag {{" + tag + "}} renders as nothing",
        closest.empty() ? "" : "did you mean {{" + std::string(closest) + "}}?"));
  }
  return parsed;
}

}  // namespace talefold
