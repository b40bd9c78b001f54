// What the rest of the engine knows of a language model.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/cancel_token.h"
#include "inference/chat_message.h"
#include "inference/reasoning_tags.h"
#include "inference/saved_state.h"
#include "inference/token.h"
#include "talefold/node_params.h"
#include "talefold/recorded_request.h"

namespace talefold {

// An entry of the vocabulary that the tokenizer would parse out of text if allowed to.
struct SpecialToken {
  std::string text;
  Token id = 0;
  // The tokenizer drops the white space beside it: the model was trained without.
  bool strips_before = false;
  bool strips_after = false;
};

enum class StopReason {
  EndOfReply,   // the model ended its reply, or a stop string was met
  MaxTokens,    // max_tokens of the request
  ContextFull,  // the model's memory ran out after at least one token
  Cancelled,    // the cancel token was set
};

std::string_view StopReasonName(StopReason reason);

struct GenerationRequest {
  std::string_view node;                  // for records and logs
  std::span<const ChatMessage> messages;  // what `prompt` was built from
  std::span<const Token> prompt;
  std::int32_t max_tokens = 0;  // >= 1
  SamplingOverrides sampling;   // node's over model's; unset = the model's built-in
  // GBNF with the rule "root" that the reply must be a text of; empty = any text. The
  // reply ends where the grammar does, or is cut as any other. A scripted model says
  // what it was told to all the same.
  std::string_view grammar = {};
  std::uint64_t seed = 0;               // of this one generation
  const CancelToken* cancel = nullptr;  // never null
  // True while no player waits for it; may become false meanwhile. nullptr = one waits.
  const std::atomic<bool>* in_background = nullptr;
};

// How a prompt came into the KV cache.
struct PrefillReport {
  std::size_t reused_tokens = 0;   // prompt tokens found there
  std::size_t decoded_tokens = 0;  // prompt tokens decoded for this request
  // Where the prompt departs from what the cache held; unset when it only appends.
  std::optional<std::size_t> first_changed_token;
};

struct GenerationReport : PrefillReport {
  StopReason stop_reason = StopReason::EndOfReply;
  std::string last_text = {};  // complete only when no further token came
};

// An answer that a model is asked to choose among others.
struct Candidate {
  std::string text;  // "A"
  // Its spellings, each a token of its own ("A", " A"): their probabilities add up.
  std::vector<Token> tokens;
};

struct ScoreReport : PrefillReport {
  // Natural logarithms of the candidates' probabilities as the reply's first token,
  // among all tokens there are and without any sampling setting; minus infinity = out
  // of the question. Empty when it was cancelled.
  std::vector<double> log_probabilities = {};
};

// Called once per generated token with the text that became complete with it: whole
// code points, possibly none.
using TokenSink = std::function<void(std::string_view piece)>;

// The logical KV state of one (agent, node), with an exact mirror of its token ids. One
// thread at a time: the worker that runs the agent's turn. Owned by the node; may
// outlive the engine's model table (it keeps what it needs of its model alive).
class Sequence {
 public:
  virtual ~Sequence() = default;

  // Makes the state equal to `request.prompt`, reusing the longest common prefix, then
  // generates into `sink`. Throws InferenceFailed, or ContextOverflow when no token
  // could be generated for lack of memory. The sequence is usable after any failure.
  virtual GenerationReport Generate(const GenerationRequest& request,
                                    const TokenSink& sink) = 0;

  // How likely each candidate begins the reply to `request.prompt`, found without
  // generating: one prefill, on the same way as Generate. Of the request, max_tokens,
  // sampling, seed and grammar have no meaning. The state holds the prompt then. Throws
  // InferenceFailed, or ContextOverflow when the prompt does not fit.
  virtual ScoreReport Score(const GenerationRequest& request,
                            std::span<const Candidate> candidates) = 0;

  // Starts to make the state begin with `prompt` while no player waits for the device,
  // and returns at once. What the state holds stays until the new tokens replace it.
  // The next Generate or Prepare ends it, and uses what is done by then.
  virtual void Prepare(std::span<const Token> prompt) = 0;
  // Ready when the last Prepare is through or was ended; not valid when that is nothing
  // to wait for. Any thread may wait.
  virtual std::shared_future<void> preparation() const = 0;
  // A player waits for the last Prepare now.
  virtual void HurryPreparing() = 0;

  // Moving the state out of the engine and in, between two calls of Generate.

  // What SaveState would return now; nullopt without a state worth saving.
  virtual std::optional<StateShape> DescribeState() = 0;
  virtual std::optional<SavedState> SaveState() = 0;
  // Throws KvRejected when LoadState would, for any reason but a lack of room.
  virtual void CheckState(const StateView& saved) = 0;
  // After CheckState: goes on from `saved`. Throws KvRejected for a lack of room; the
  // state is then empty.
  virtual void LoadState(const StateView& saved) = 0;
  virtual void DropState() = 0;
};

// Weights, tokenizer and chat template. Every const method may be called from any
// thread. Owned by the engine and by the agents that use it.
class Model {
 public:
  virtual ~Model() = default;

  virtual std::string_view kind() const = 0;
  virtual std::int32_t trained_context_size() const = 0;  // tokens
  // Tokens, of nodes whose context_size is 0; 0 = the node type's own default.
  virtual std::int32_t default_context_size() const { return 0; }
  virtual const SamplingOverrides& default_sampling() const = 0;
  // Whether prompts that begin alike are worth it: PromptCaching::Auto.
  virtual bool caches_prompts() const { return true; }

  // The chat template applied to messages with these roles and contents, as text,
  // ending where the assistant's reply begins.
  virtual std::string RenderTemplate(std::span<const ChatMessage> messages) const = 0;
  // The template's text, or the name of one that llama.cpp knows; empty = neither.
  virtual std::string_view chat_template() const { return {}; }
  // What marks the reasoning in the model's replies, which nobody is to see; nullopt
  // when it does not reason, or when its replies are to be left as they are.
  virtual const std::optional<ReasoningTags>& reasoning_tags() const = 0;
  // Those that may occur in RenderTemplate's own text.
  virtual const std::vector<SpecialToken>& special_tokens() const = 0;
  // The token a prompt starts with when the template does not write it.
  virtual std::optional<Token> add_bos() const = 0;
  // Valid UTF-8 as data: never yields a special token.
  virtual std::vector<Token> Tokenize(std::string_view text) const = 0;

  // AdapterMismatch when the model cannot apply `adaptation`.
  virtual std::unique_ptr<Sequence> CreateSequence(
      std::string_view node, std::int32_t context_size, const ContextOverrides& context,
      const ModelAdaptation& adaptation) = 0;

  // The logits of the token after `prompt`, from an empty cache. Throws InvalidArgument
  // for an empty prompt, or when the model has no weights.
  virtual std::vector<float> NextTokenLogits(std::span<const Token> prompt);

  // The requests recorded so far, oldest first; empty unless the model was loaded to
  // record them.
  virtual std::vector<RecordedRequest> recorded_requests() const { return {}; }
};

// `over`'s set fields in place of `base`'s.
SamplingOverrides MergeSampling(const SamplingOverrides& base,
                                const SamplingOverrides& over);

}  // namespace talefold
