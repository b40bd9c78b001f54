// What every model-backed node does with its model: tokenize prompts, generate, report.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "nodes/node.h"
#include "nodes/support/diagnostics.h"
#include "prompt/mustache.h"
#include "prompt/prompt_builder.h"

namespace talefold {

struct Generation {
  std::string text;       // what the player may see
  std::string reasoning;  // what the model thought before; see ReasoningFilter
  StopReason stop_reason = StopReason::EndOfReply;
  std::int64_t tokens = 0;  // of both
};

// A node's model, its (agent, node) sequence and its context size. Same thread rule as
// the node that owns it.
class ModelRunner {
 public:
  // `default_context_size` replaces a context_size of 0, bounded by the model. Throws
  // ModelNotFound, InvalidParamValue (context_size beyond the model's),
  // AdapterMismatch.
  template <typename Params>
  ModelRunner(const std::string& node, const Params& params,
              std::int32_t default_context_size, const NodeEnvironment& environment)
      : ModelRunner(node, params.model_name, params.context_size, default_context_size,
                    params.context, params.adaptation, environment) {
    SetSampling(params.sampling);
  }

  void SetSampling(const SamplingOverrides& sampling);

  std::int32_t context_size() const { return context_size_; }  // tokens, effective
  const SamplingOverrides& sampling() const { return sampling_; }
  PromptBuilder& prompts() const { return *prompts_; }
  const Model& model() const { return *model_; }
  Sequence& sequence() { return *sequence_; }

  // Makes one request's seed another than the next one's.
  struct Draw {
    std::uint64_t number = 0;  // of the turn, or of what else asks
    std::uint64_t attempt = 0;
  };
  // At most `max_tokens` for a prompt built from `messages`. Refers to the arguments.
  GenerationRequest RequestFor(Draw draw, const CancelToken& cancel,
                               const std::vector<ChatMessage>& messages,
                               const TokenizedPrompt& prompt,
                               std::int32_t max_tokens) const;
  // What a turn asks of the model: at most `max_tokens` for a prompt built from
  // `messages`. Refers to the arguments.
  GenerationRequest RequestFor(const TurnContext& turn,
                               const std::vector<ChatMessage>& messages,
                               const TokenizedPrompt& prompt,
                               std::int32_t max_tokens) const;
  // Adds each token to `tokens` as it comes, also when it throws; calls `on_piece` with
  // each visible text. A reply under a grammar has no reasoning. Any thread: requests
  // of one node take turns.
  Generation Run(const GenerationRequest& request, const TokenizedPrompt& prompt,
                 const TokenSink& on_piece, std::int64_t& tokens,
                 json::object* diagnostics);
  // Runs a request of the turn, under `grammar` if there is one and up to `stop`,
  // beside what else ends an output, and fills the node's input.* and output.*
  // diagnostics.
  Generation Generate(TurnContext& turn, const std::vector<ChatMessage>& messages,
                      const TokenizedPrompt& prompt, std::int32_t max_tokens,
                      const TokenSink& on_piece, std::string_view grammar = {},
                      std::string_view stop = {});
  // How likely each of `candidates` begins the reply (ScoreReport's log_probabilities;
  // empty when the turn was stopped), and fills the node's input.* diagnostics.
  std::vector<double> Score(TurnContext& turn, const std::vector<ChatMessage>& messages,
                            const TokenizedPrompt& prompt,
                            std::span<const Candidate> candidates);
  // Fills input.prompt and input.prompt_tokens.
  void ReportInput(json::object& diagnostics, const std::vector<ChatMessage>& messages,
                   const TokenizedPrompt& prompt) const;

 private:
  ModelRunner(const std::string& node, const std::string& model_name,
              std::int32_t context_size, std::int32_t default_context_size,
              const ContextOverrides& context, const ModelAdaptation& adaptation,
              const NodeEnvironment& environment);
  std::uint64_t Seed(Draw draw) const;

  std::string node_;
  std::shared_ptr<Model> model_;
  std::int32_t context_size_ = 0;
  SamplingOverrides sampling_;  // node's over model's
  std::unique_ptr<PromptBuilder> prompts_;
  std::unique_ptr<Sequence> sequence_;
  std::mutex in_use_;  // held while `sequence_` generates
};

// Parses a template param; a problem is added to `problems` when it cannot be, or uses
// a tag that is not in `known_tags` (a warning). nullopt for an empty text or an error.
std::optional<MustacheTemplate> CheckTemplate(
    const std::string& node, std::string_view text,
    std::span<const std::string_view> known_tags, std::vector<GraphProblem>& problems);

}  // namespace talefold
