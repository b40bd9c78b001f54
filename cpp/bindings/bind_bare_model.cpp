#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "bind.h"
#include "convert.h"
#include "inference/compute_lane.h"
#include "inference/llama/llama_model.h"
#include "prompt/letter_candidates.h"
#include "prompt/prompt_builder.h"

namespace talefold::python {

namespace {

using MessageArgument = std::pair<Text, Text>;  // role, text

Role RoleFromName(std::string_view name) {
  for (const Role role : {Role::System, Role::User, Role::Assistant}) {
    if (name == RoleName(role)) return role;
  }
  throw Error(
      ErrorCode::InvalidArgument,
      "role is \"" + std::string(name) + "\"; allowed are system, user and assistant");
}

std::vector<ChatMessage> Messages(const std::vector<MessageArgument>& arguments) {
  std::vector<ChatMessage> messages;
  for (const auto& [role, text] : arguments) {
    messages.push_back({RoleFromName(role.utf8), text.utf8});
  }
  return messages;
}

// A sequence without an agent, used by one thread at a time.
class BareSequence {
 public:
  BareSequence(std::shared_ptr<LlamaModel> model, std::int32_t context_size)
      : prompts_(model),
        sequence_(model->CreateSequence("bare", context_size, {}, {})) {}

  // text, stop reason, tokens generated, reused and decoded
  py::tuple Generate(const std::vector<MessageArgument>& messages, const Text& grammar,
                     const Text& sampling, std::uint64_t seed, std::int32_t max_tokens,
                     std::int32_t cancel_after) {
    GenerationRequest request = Request(messages);
    request.grammar = grammar.utf8;
    request.sampling = SamplingFromJson(sampling.utf8, "sampling");
    request.seed = seed;
    request.max_tokens = max_tokens;
    std::string text;
    std::int32_t tokens = 0;
    GenerationReport report;
    {
      ReleaseGil no_gil;
      report = sequence_->Generate(request, [&](std::string_view piece) {
        text += piece;
        if (++tokens == cancel_after) cancel_->Request(StopCause::Cancelled);
      });
    }
    text += report.last_text;
    return py::make_tuple(text, StopReasonName(report.stop_reason), tokens,
                          report.reused_tokens, report.decoded_tokens);
  }

  // log-probabilities of the first `letters` letters, the prompt's tokens, those reused
  // and decoded
  py::tuple Score(const std::vector<MessageArgument>& messages, std::size_t letters,
                  bool cancelled) {
    const GenerationRequest request = Request(messages);
    if (cancelled) cancel_->Request(StopCause::Cancelled);
    ScoreReport report;
    {
      ReleaseGil no_gil;
      report = sequence_->Score(request, LetterCandidates(prompts_.model(), letters));
    }
    return py::make_tuple(report.log_probabilities, prompt_.ids, report.reused_tokens,
                          report.decoded_tokens);
  }

 private:
  // Refers to what the members hold.
  GenerationRequest Request(const std::vector<MessageArgument>& messages) {
    messages_ = Messages(messages);
    prompt_ = prompts_.Build(messages_);
    cancel_.emplace();
    GenerationRequest request;
    request.node = "bare";
    request.messages = messages_;
    request.prompt = prompt_.ids;
    request.cancel = &*cancel_;
    return request;
  }

  PromptBuilder prompts_;
  std::unique_ptr<Sequence> sequence_;
  std::vector<ChatMessage> messages_;
  TokenizedPrompt prompt_;
  std::optional<CancelToken> cancel_;
};

// A GGUF model without an engine around it, for what no node asks of a model alone.
class BareModel {
 public:
  BareModel(std::string path, bool deterministic)
      : logger_({}),
        lane_(
            std::make_shared<ComputeLane>(LaneOptions{.deterministic = deterministic})),
        model_(std::make_shared<LlamaModel>(LlamaModelOptions{.path = std::move(path)},
                                            lane_, logger_)) {}

  std::unique_ptr<BareSequence> Open(std::int32_t context_size) const {
    return std::make_unique<BareSequence>(model_, context_size);
  }
  std::vector<float> NextTokenLogits(const std::vector<Token>& prompt) const {
    return model_->NextTokenLogits(prompt);
  }

 private:
  Logger logger_;
  std::shared_ptr<ComputeLane> lane_;
  std::shared_ptr<LlamaModel> model_;
};

std::unique_ptr<BareModel> Load(Text path, bool deterministic) {
  ReleaseGil no_gil;
  return std::make_unique<BareModel>(std::move(path.utf8), deterministic);
}

}  // namespace

void BindBareModel(py::module_& module) {
  using py::arg;

  py::class_<BareSequence>(module, "BareSequence")
      .def("generate", &BareSequence::Generate, arg("messages"), arg("grammar"),
           arg("sampling"), arg("seed"), arg("max_tokens"), arg("cancel_after"))
      .def("score", &BareSequence::Score, arg("messages"), arg("letters"),
           arg("cancelled"));
  py::class_<BareModel>(module, "BareModel")
      .def(py::init(&Load), arg("path"), arg("deterministic"))
      .def("open", &BareModel::Open, arg("context_size"), NoGil())
      .def(
          "next_token_logits",
          [](const BareModel& model, const std::vector<Token>& prompt) {
            std::vector<float> logits;
            {
              ReleaseGil no_gil;
              logits = model.NextTokenLogits(prompt);
            }
            return ToFloatArray(logits);
          },
          arg("prompt"));
}

}  // namespace talefold::python
