#include "inference/scripted/scripted_model.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <utility>

#include "base/json.h"
#include "base/text.h"
#include "talefold/error.h"

namespace talefold {
namespace {

constexpr Token kFirstTextToken = 16;  // below: special tokens
constexpr std::string_view kCharsTokenizer = "chars";
constexpr std::string_view kWordsTokenizer = "words";
constexpr std::string_view kWhitespace = " \t\n\v\f\r";

// In the order of Role.
constexpr std::string_view kRoleTexts[] = {"<|system|>", "<|user|>", "<|assistant|>"};

std::string_view RoleText(Role role) {
  return kRoleTexts[static_cast<std::size_t>(role)];
}

// The next token of `text`: a code point.
std::string_view NextChar(std::string_view text) {
  return text.substr(0, CodePointOffset(text, 1));
}

// The next token of `text`: a word with the white space before it, and with that after
// it at the end of the text. White space alone is one token.
std::string_view NextWord(std::string_view text) {
  const std::size_t word = text.find_first_not_of(kWhitespace);
  if (word == text.npos) return text;
  const std::size_t word_end = text.find_first_of(kWhitespace, word);
  if (word_end == text.npos) return text;
  const bool is_last = text.find_first_not_of(kWhitespace, word_end) == text.npos;
  return is_last ? text : text.substr(0, word_end);
}

Token CharId(std::string_view code_point) {
  static constexpr unsigned kLeadBits[] = {0, 0x7F, 0x1F, 0x0F, 0x07};  // by length
  unsigned value =
      static_cast<unsigned char>(code_point[0]) & kLeadBits[code_point.size()];
  for (const char byte : code_point.substr(1)) {
    value = value << 6 | (static_cast<unsigned char>(byte) & 0x3F);
  }
  return kFirstTextToken + static_cast<Token>(value);
}

// 32-bit FNV-1a without its highest bit.
Token WordId(std::string_view word) {
  constexpr std::uint32_t kIds = std::numeric_limits<Token>::max() - kFirstTextToken;
  std::uint32_t hash = 2166136261u;
  for (const char byte : word) {
    hash = (hash ^ static_cast<unsigned char>(byte)) * 16777619u;
  }
  return kFirstTextToken + static_cast<Token>((hash & 0x7FFFFFFFu) % kIds);
}

struct TextToken {
  std::string_view text;
  Token id;
};

// Removes the next token from the front of `text`, which must not be empty.
TextToken TakeToken(std::string_view& text, std::string_view tokenizer) {
  const bool chars = tokenizer == kCharsTokenizer;
  const std::string_view token = chars ? NextChar(text) : NextWord(text);
  text.remove_prefix(token.size());
  return {token, chars ? CharId(token) : WordId(token)};
}

void CheckReplies(const std::vector<ScriptedReply>& replies, const std::string& where) {
  for (std::size_t i = 0; i < replies.size(); ++i) {
    CheckText(replies[i].text, where + "[" + std::to_string(i) + "]",
              std::numeric_limits<std::int64_t>::max());
  }
}

void CheckOptions(const ScriptedModelOptions& options) {
  if (options.tokenizer != kCharsTokenizer && options.tokenizer != kWordsTokenizer) {
    throw Error(ErrorCode::InvalidArgument, "tokenizer is \"" + options.tokenizer +
                                                "\"; allowed are \"chars\" and "
                                                "\"words\"");
  }
  if (options.trained_context_size < 1) {
    throw Error(ErrorCode::InvalidArgument,
                "trained_context_size is " +
                    std::to_string(options.trained_context_size) +
                    " tokens; at least 1 is allowed");
  }
  if (options.token_delay_us < 0) {
    throw Error(ErrorCode::InvalidArgument, "token_delay_us is " +
                                                std::to_string(options.token_delay_us) +
                                                " microseconds; at least 0 is allowed");
  }
  CheckReplies(options.replies, "replies");
  for (const auto& [node, replies] : options.node_replies) {
    CheckReplies(replies, "node_replies[\"" + node + "\"]");
  }
}

// `text` up to the first of the stop strings in it; true in second when there is one.
std::pair<std::string_view, bool> CutAtStop(std::string_view text,
                                            const SamplingOverrides& sampling) {
  std::size_t cut = text.npos;
  for (const std::string& stop : sampling.stop.value_or(std::vector<std::string>())) {
    if (!stop.empty()) cut = std::min(cut, text.find(stop));
  }
  return {text.substr(0, cut), cut != text.npos};
}

// The probability of each candidate that `reply` gives as a JSON object, or 1 to the
// one that it is the text of.
std::vector<double> LogProbabilities(std::string_view reply,
                                     std::span<const Candidate> candidates) {
  JsonProblem problem;
  const auto value = TryParseJson(reply, problem);
  const json::object* given = value ? value->if_object() : nullptr;
  std::vector<double> result;
  for (const Candidate& candidate : candidates) {
    double probability = TrimWhitespace(reply) == candidate.text ? 1.0 : 0.0;
    if (const json::value* number =
            given ? given->if_contains(candidate.text) : nullptr;
        number && number->is_number()) {
      probability = std::max(number->to_number<double>(), 0.0);
    }
    result.push_back(std::log(probability));
  }
  return result;
}

}  // namespace

class ScriptedModel::ScriptedSequence : public Sequence {
 public:
  ScriptedSequence(std::shared_ptr<ScriptedModel> model, std::string node,
                   std::int32_t context_size)
      : model_(std::move(model)),
        node_(std::move(node)),
        context_size_(static_cast<std::size_t>(context_size)) {}

  GenerationReport Generate(const GenerationRequest& request,
                            const TokenSink& sink) override {
    if (request.cancel->requested()) return {{}, StopReason::Cancelled};
    GenerationReport report{Decode(request)};
    report.stop_reason = Reply(NextReply(), request, sink);
    return report;
  }

  // The reply decides: see ScriptedReply.
  ScoreReport Score(const GenerationRequest& request,
                    std::span<const Candidate> candidates) override {
    if (request.cancel->requested()) return {};
    ScoreReport report{Decode(request)};
    const ScriptedReply& reply = NextReply();
    const std::string_view text = TextOf(reply, request);
    const StopReason reason = End(reply.outcome, text.empty(), request);
    if (reason == StopReason::Cancelled) return report;
    report.log_probabilities = LogProbabilities(text, candidates);
    return report;
  }

  // At once: nothing is computed that could wait.
  void Prepare(std::span<const Token> prompt) override {
    if (prompt.size() >= context_size_ || CommonTokens(prompt) == prompt.size()) return;
    mirror_.assign(prompt.begin(), prompt.end());
  }
  std::shared_future<void> preparation() const override { return {}; }
  void HurryPreparing() override {}

  // A state is its tokens: there are no cells.
  std::optional<StateShape> DescribeState() override {
    if (mirror_.empty()) return std::nullopt;
    return StateShape{.identity = Identity(), .tokens = mirror_.size()};
  }
  std::optional<SavedState> SaveState() override {
    if (mirror_.empty()) return std::nullopt;
    return SavedState{.shape = *DescribeState(), .tokens = mirror_};
  }
  void CheckState(const StateView& saved) override {
    CheckIdentity(node_, saved.shape.identity, Identity());
    const bool known =
        std::ranges::all_of(saved.tokens, [](const Token id) { return id >= 0; });
    const std::size_t count = saved.tokens.size();
    if (!known || count == 0 || count > context_size_) {
      throw KvRejection(node_, "tokens",
                        known ? "there are " + std::to_string(count) +
                                    "; allowed 1 to " + std::to_string(context_size_)
                              : "a token below 0 is in no vocabulary");
    }
    if (!saved.bytes.empty()) {
      throw KvRejection(node_, "bytes", "a scripted model has no cells");
    }
  }
  void LoadState(const StateView& saved) override { mirror_ = saved.tokens; }
  void DropState() override { mirror_.clear(); }

 private:
  std::size_t CommonTokens(std::span<const Token> prompt) const {
    const auto [kept_end, same_end] = std::ranges::mismatch(mirror_, prompt);
    return static_cast<std::size_t>(kept_end - mirror_.begin());
  }

  StateIdentity Identity() const {
    return {{"model", "scripted"}, {"tokenizer", model_->options_.tokenizer}};
  }

  PrefillReport Decode(const GenerationRequest& request) {
    CheckRoom(request.prompt.size());
    const PrefillReport report = DecodePrompt(request.prompt);
    if (model_->options_.record_requests) model_->log_.Add(request, mirror_);
    return report;
  }

  void CheckRoom(std::size_t prompt_tokens) const {
    if (prompt_tokens < context_size_) return;
    throw Error(ErrorCode::ContextOverflow,
                "the prompt of node \"" + node_ + "\" takes " +
                    std::to_string(prompt_tokens) + " of " +
                    std::to_string(context_size_) +
                    " context tokens, which leaves no room for a reply",
                "raise context_size, or shorten what the prompt always contains");
  }

  // At least the last token is decoded: its logits are what a reply starts from.
  PrefillReport DecodePrompt(std::span<const Token> prompt) {
    PrefillReport report;
    const std::size_t kept = CommonTokens(prompt);
    report.reused_tokens = std::min(kept, prompt.empty() ? 0 : prompt.size() - 1);
    report.decoded_tokens = prompt.size() - report.reused_tokens;
    if (kept < std::min(mirror_.size(), prompt.size()))
      report.first_changed_token = kept;
    mirror_.resize(report.reused_tokens);
    const auto rest = prompt.subspan(report.reused_tokens);
    mirror_.insert(mirror_.end(), rest.begin(), rest.end());
    return report;
  }

  const ScriptedReply& NextReply() {
    const auto own = model_->options_.node_replies.find(node_);
    const std::vector<ScriptedReply>& replies =
        own == model_->options_.node_replies.end() ? model_->options_.replies
                                                   : own->second;
    return replies.empty() ? empty_reply_ : replies[cursor_++ % replies.size()];
  }

  static std::string_view TextOf(const ScriptedReply& reply,
                                 const GenerationRequest& request) {
    if (!reply.echo) return reply.text;
    if (request.messages.empty()) return {};
    return request.messages.back().text;
  }

  StopReason Reply(const ScriptedReply& reply, const GenerationRequest& request,
                   const TokenSink& sink) {
    auto [text, is_cut] = CutAtStop(TextOf(reply, request), request.sampling);
    const bool is_silent = text.empty();
    for (std::int32_t emitted = 0; !text.empty(); ++emitted) {
      if (request.cancel->requested()) return StopReason::Cancelled;
      if (emitted >= request.max_tokens) return StopReason::MaxTokens;
      if (mirror_.size() >= context_size_) return StopReason::ContextFull;
      if (DelayToken(*request.cancel)) return StopReason::Cancelled;
      const TextToken token = TakeToken(text, model_->options_.tokenizer);
      mirror_.push_back(token.id);
      sink(token.text);
    }
    return is_cut ? StopReason::EndOfReply : End(reply.outcome, is_silent, request);
  }

  // True when a stop was requested meanwhile.
  bool DelayToken(const CancelToken& cancel) const {
    const std::chrono::microseconds delay(model_->options_.token_delay_us);
    return delay.count() > 0 && cancel.WaitFor(delay);
  }

  StopReason End(ScriptedReply::Outcome outcome, bool is_silent,
                 const GenerationRequest& request) const {
    switch (outcome) {
      case ScriptedReply::Outcome::Finish:
        break;
      case ScriptedReply::Outcome::Fail:
        throw Error(ErrorCode::InferenceFailed,
                    "the scripted reply of node \"" + node_ + "\" ends in a failure");
      case ScriptedReply::Outcome::Stall:
        request.cancel->Wait();
        return StopReason::Cancelled;
      case ScriptedReply::Outcome::OutOfContext:
        if (!is_silent) return StopReason::ContextFull;
        throw Error(ErrorCode::ContextOverflow,
                    "the scripted reply of node \"" + node_ +
                        "\" runs out of context before its first token, after a "
                        "prompt of " +
                        std::to_string(request.prompt.size()) + " tokens");
    }
    return StopReason::EndOfReply;
  }

  const std::shared_ptr<ScriptedModel> model_;
  const std::string node_;
  const std::size_t context_size_;  // tokens
  const ScriptedReply empty_reply_;
  std::vector<Token> mirror_;  // the newest prompt and what was generated after it
  std::size_t cursor_ = 0;     // replies taken so far
};

ScriptedModel::ScriptedModel(ScriptedModelOptions options)
    : options_(std::move(options)) {
  CheckOptions(options_);
  Token id = 0;
  for (const std::string_view text : kRoleTexts) {
    special_tokens_.push_back({.text = std::string(text), .id = ++id});
  }
  if (!options_.keep_reasoning) reasoning_tags_ = {"<think>", "</think>"};
}

std::int32_t ScriptedModel::trained_context_size() const {
  return options_.trained_context_size;
}

const SamplingOverrides& ScriptedModel::default_sampling() const {
  return options_.default_sampling;
}

std::string ScriptedModel::RenderTemplate(std::span<const ChatMessage> messages) const {
  std::string text;
  for (const ChatMessage& message : messages) {
    text += RoleText(message.role);
    text += message.text;
  }
  text += RoleText(Role::Assistant);
  return text;
}

std::vector<Token> ScriptedModel::Tokenize(std::string_view text) const {
  std::vector<Token> ids;
  while (!text.empty()) ids.push_back(TakeToken(text, options_.tokenizer).id);
  return ids;
}

std::unique_ptr<Sequence> ScriptedModel::CreateSequence(
    std::string_view node, std::int32_t context_size, const ContextOverrides&,
    const ModelAdaptation& adaptation) {
  if (!adaptation.loras.empty()) {
    throw Error(ErrorCode::AdapterMismatch,
                "node \"" + std::string(node) +
                    "\" asks for LoRA adapters; a scripted model has no weights to "
                    "adapt",
                "remove adaptation.loras, or use a model with weights");
  }
  if (context_size < 1) {
    throw Error(ErrorCode::InvalidArgument,
                "context_size of node \"" + std::string(node) + "\" is " +
                    std::to_string(context_size) + " tokens; at least 1 is allowed");
  }
  return std::make_unique<ScriptedSequence>(shared_from_this(), std::string(node),
                                            context_size);
}

}  // namespace talefold
