#include "inference/llama/llama_sequence.h"

#include <atomic>
#include <future>
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

// Outlives a sequence that is gone before it has ended, and keeps the model until then.
class LlamaSequence::PrepareJob final : public LaneJob {
 public:
  explicit PrepareJob(std::shared_ptr<LlamaModel> model)
      : done(ended.get_future()), model_(std::move(model)) {
    in_background = &waits_for_nobody;
  }

  std::optional<Token> Next(std::span<const float>) override { return std::nullopt; }

  std::atomic<bool> waits_for_nobody = true;
  CancelToken stop;
  const std::shared_future<void> done;

 private:
  const std::shared_ptr<LlamaModel> model_;
};

LlamaSequence::LlamaSequence(std::shared_ptr<LlamaModel> model, std::string node,
                             std::int32_t context_size, std::shared_ptr<KvState> state,
                             const ContextOverrides& context)
    : model_(std::move(model)),
      node_(std::move(node)),
      context_size_(context_size),
      state_(std::move(state)),
      context_(context) {}

LlamaSequence::~LlamaSequence() {
  if (preparing_) preparing_->stop.Request(StopCause::Cancelled);
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
  Fill(job, request.prompt, request.cancel);
  job.in_background = request.in_background;
  model_->lane().Run(job);
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
  Fill(job, prompt, &never);
  model_->lane().Run(job);
  return std::move(job.logits);
}

void LlamaSequence::Prepare(std::span<const Token> prompt) {
  if (prompt.empty() || prompt.size() >= static_cast<std::size_t>(context_size_)) {
    return;
  }
  auto job = std::make_shared<PrepareJob>(model_);
  Fill(*job, prompt, &job->stop);
  job->spare = std::make_shared<KvState>(state_->spec, state_->adapters);
  model_->lane().Start(job);
  preparing_ = std::move(job);
}

std::shared_future<void> LlamaSequence::preparation() const {
  return preparing_ ? preparing_->done : std::shared_future<void>();
}

void LlamaSequence::StopPreparing() {
  if (!preparing_) return;
  preparing_->stop.Request(StopCause::Cancelled);
  preparing_->done.wait();
}

void LlamaSequence::HurryPreparing() {
  if (preparing_) preparing_->waits_for_nobody = false;
}

void LlamaSequence::Fill(LaneJob& job, std::span<const Token> prompt,
                         const CancelToken* cancel) const {
  job.node = node_;
  job.state = state_;
  job.tokens.assign(prompt.begin(), prompt.end());
  job.prompt_size = prompt.size();
  job.context_size = static_cast<std::size_t>(context_size_);
  job.cancel = cancel;
}

}  // namespace talefold
