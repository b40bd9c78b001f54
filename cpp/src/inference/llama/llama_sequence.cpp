#include "inference/llama/llama_sequence.h"

#include <algorithm>
#include <atomic>
#include <cmath>
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
        sampler_(model.vocabulary().raw(), request),
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

class LogitsJob : public LaneJob {
 public:
  std::optional<Token> Next(std::span<const float> next_logits) override {
    logits.assign(next_logits.begin(), next_logits.end());
    return std::nullopt;
  }

  std::vector<float> logits;  // empty when it did not come so far
};

class ScoreJob final : public LogitsJob {
 public:
  ScoreJob(LlamaModel& model, const GenerationRequest& request)
      : model_(model), request_(request) {}

  std::optional<Token> Next(std::span<const float> next_logits) override {
    if (model_.records_requests()) {
      model_.Record(request_, state->mirror, {next_logits.begin(), next_logits.end()});
    }
    return LogitsJob::Next(next_logits);
  }

 private:
  LlamaModel& model_;
  const GenerationRequest& request_;
};

PrefillReport PrefillOf(const LaneJob& job) {
  return {job.reused_tokens, job.prompt_size - job.reused_tokens,
          job.first_changed_token};
}

std::vector<double> LogProbabilities(const std::string& node,
                                     std::span<const float> logits,
                                     std::span<const Candidate> candidates) {
  const double highest = *std::ranges::max_element(logits);
  double all = 0.0;
  for (const float logit : logits) all += std::exp(logit - highest);
  if (!std::isfinite(all)) {
    throw Error(ErrorCode::InferenceFailed,
                "node '" + node + "': the model's logits are not numbers",
                "the model's file may be damaged");
  }
  std::vector<double> result;
  for (const Candidate& candidate : candidates) {
    double sum = 0.0;
    for (const Token id : candidate.tokens) {
      sum += std::exp(logits[static_cast<std::size_t>(id)] - highest);
    }
    result.push_back(std::log(sum / all));
  }
  return result;
}

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

void LlamaSequence::Run(LaneJob& job, const GenerationRequest& request) const {
  if (request.prompt.size() >= static_cast<std::size_t>(context_size_)) {
    throw Error(ErrorCode::ContextOverflow, "node '" + node_ + "': the prompt takes " +
                                                std::to_string(request.prompt.size()) +
                                                " of " + std::to_string(context_size_) +
                                                " context tokens");
  }
  Fill(job, request.prompt, request.cancel);
  job.in_background = request.in_background;
  model_->lane().Run(job);
}

GenerationReport LlamaSequence::Generate(const GenerationRequest& request,
                                         const TokenSink& sink) {
  ReplyJob job(*model_, request, sink);
  Run(job, request);
  return {PrefillOf(job), job.stop_reason(), job.FinishText()};
}

ScoreReport LlamaSequence::Score(const GenerationRequest& request,
                                 std::span<const Candidate> candidates) {
  ScoreJob job(*model_, request);
  Run(job, request);
  ScoreReport report{PrefillOf(job)};
  if (job.end == LaneJob::End::Cancelled) return report;
  report.log_probabilities = LogProbabilities(node_, job.logits, candidates);
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
