#include "inference/llama/llama_sequence.h"

#include <utility>
#include <vector>

#include "inference/llama/reply_text.h"
#include "inference/llama/sampler.h"
#include "talefold/error.h"

namespace talefold {

namespace {

// Samples a reply and hands its text to the sink, while the worker waits for the lane.
class ReplyJob final : public LaneJob {
 public:
  ReplyJob(LlamaModel& model, const GenerationRequest& request, const TokenSink& sink)
      : model_(model),
        request_(request),
        sink_(sink),
        sampler_(model.vocabulary().raw(), request.sampling, request.seed),
        reply_(request.sampling.stop.value_or(std::vector<std::string>())) {}

  std::optional<Token> Next(std::span<const float> logits) override {
    if (count_ == 0 && model_.records_requests()) {
      model_.Record(request_, state->mirror, {logits.begin(), logits.end()});
    }
    const Token token = sampler_.Sample(logits);
    if (model_.vocabulary().EndsReply(token)) return std::nullopt;
    sink_(reply_.Add(model_.vocabulary().Piece(token)));
    if (reply_.stopped()) return std::nullopt;
    // The last token of a reply is not decoded: the next prompt brings it along.
    if (++count_ == request_.max_tokens) {
      stop_reason_ = StopReason::MaxTokens;
      return std::nullopt;
    }
    return token;
  }

  StopReason stop_reason() const {
    if (end == End::Cancelled) return StopReason::Cancelled;
    return end == End::ContextFull ? StopReason::ContextFull : stop_reason_;
  }
  std::string FinishText() { return reply_.Finish(); }

 private:
  LlamaModel& model_;
  const GenerationRequest& request_;
  const TokenSink& sink_;
  Sampler sampler_;
  ReplyText reply_;
  std::int32_t count_ = 0;
  StopReason stop_reason_ = StopReason::EndOfReply;
};

class LogitsJob final : public LaneJob {
 public:
  std::optional<Token> Next(std::span<const float> next_logits) override {
    logits.assign(next_logits.begin(), next_logits.end());
    return std::nullopt;
  }

  std::vector<float> logits;
};

}  // namespace

LlamaSequence::LlamaSequence(std::shared_ptr<LlamaModel> model, std::string node,
                             std::int32_t context_size, std::shared_ptr<KvState> state,
                             const ContextOverrides& context)
    : model_(std::move(model)),
      node_(std::move(node)),
      context_size_(context_size),
      state_(std::move(state)),
      context_(context) {}

LlamaSequence::~LlamaSequence() {
  model_->lane().Post([state = state_](KvStore& store) { store.Abandon(*state); });
}

GenerationReport LlamaSequence::Generate(const GenerationRequest& request,
                                         const TokenSink& sink) {
  if (request.prompt.size() >= static_cast<std::size_t>(context_size_)) {
    throw Error(ErrorCode::ContextOverflow, "node '" + node_ + "': the prompt takes " +
                                                std::to_string(request.prompt.size()) +
                                                " of " + std::to_string(context_size_) +
                                                " context tokens");
  }
  ReplyJob job(*model_, request, sink);
  Run(job, request.prompt, request.cancel);
  GenerationReport report;
  report.stop_reason = job.stop_reason();
  report.reused_tokens = job.reused_tokens;
  report.decoded_tokens = request.prompt.size() - job.reused_tokens;
  report.first_changed_token = job.first_changed_token;
  report.last_text = job.FinishText();
  return report;
}

std::vector<float> LlamaSequence::NextTokenLogits(std::span<const Token> prompt) {
  LogitsJob job;
  job.from_empty = true;
  const CancelToken never;
  Run(job, prompt, &never);
  return std::move(job.logits);
}

void LlamaSequence::Run(LaneJob& job, std::span<const Token> prompt,
                        const CancelToken* cancel) {
  job.node = node_;
  job.state = state_;
  job.tokens.assign(prompt.begin(), prompt.end());
  job.prompt_size = prompt.size();
  job.context_size = static_cast<std::size_t>(context_size_);
  job.cancel = cancel;
  model_->lane().Run(job);
}

}  // namespace talefold
