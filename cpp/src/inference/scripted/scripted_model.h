// A model that says what it was told to: no weights, exact token arithmetic.
#pragma once

#include <memory>
#include <vector>

#include "inference/model.h"
#include "inference/request_log.h"
#include "talefold/scripted_model.h"

namespace talefold {

// Its chat template is one special token before each message (<|system|>, <|user|>,
// <|assistant|>) and one <|assistant|> at the end, and nothing else: a prompt of n
// messages costs their tokens + n + 1.
class ScriptedModel : public Model, public std::enable_shared_from_this<ScriptedModel> {
 public:
  // Throws InvalidArgument for an unknown tokenizer, numbers out of range or a NUL byte
  // in a reply, InvalidUtf8 for a reply that is not UTF-8.
  explicit ScriptedModel(ScriptedModelOptions options);

  std::string_view kind() const override { return "scripted"; }
  bool caches_prompts() const override { return false; }
  std::int32_t trained_context_size() const override;
  const SamplingOverrides& default_sampling() const override;
  std::string RenderTemplate(std::span<const ChatMessage> messages) const override;
  const std::optional<ReasoningTags>& reasoning_tags() const override {
    return reasoning_tags_;
  }
  const std::vector<SpecialToken>& special_tokens() const override {
    return special_tokens_;
  }
  std::optional<Token> add_bos() const override { return std::nullopt; }
  std::vector<Token> Tokenize(std::string_view text) const override;
  // The model must be owned by a shared_ptr: its sequences share the ownership.
  std::unique_ptr<Sequence> CreateSequence(std::string_view node,
                                           std::int32_t context_size,
                                           const ContextOverrides& context,
                                           const ModelAdaptation& adaptation) override;

  std::vector<RecordedRequest> recorded_requests() const override { return log_.all(); }

 private:
  class ScriptedSequence;

  const ScriptedModelOptions options_;
  std::vector<SpecialToken> special_tokens_;
  std::optional<ReasoningTags> reasoning_tags_;
  RequestLog log_;
};

}  // namespace talefold
