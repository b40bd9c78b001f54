// One generation on its way through the compute lane.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <future>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/cancel_token.h"
#include "inference/kv/kv_state.h"

namespace talefold {

// Made by the thread that waits for it, which touches it again only when it is done; or
// handed over to the lane, which then owns it. Everything else happens on the lane's
// thread.
class LaneJob {
 public:
  virtual ~LaneJob() = default;

  // The token to decode next, chosen by `logits`, those after the last of `tokens`;
  // nullopt ends the job. What it throws ends the job and is thrown to the one who
  // waits.
  virtual std::optional<Token> Next(std::span<const float> logits) = 0;

  std::string node;  // for messages
  std::shared_ptr<KvState> state;
  std::vector<Token> tokens;  // the prompt, then what Next returned
  std::size_t prompt_size = 0;
  std::size_t context_size = 0;         // of the node; a slot may be larger
  const CancelToken* cancel = nullptr;  // never null
  // As in GenerationRequest.
  const std::atomic<bool>* in_background = nullptr;
  bool alone = false;       // not in a batch with others
  bool from_empty = false;  // reuses nothing
  // Set for a job that only makes `state` begin with `tokens`; the next job of that
  // state ends it. An empty state: where the tokens of `state` would be lost by it, the
  // two change places, and the job works beside them until its end.
  std::shared_ptr<KvState> spare;
  bool beside = false;  // they have changed places

  bool background() const { return in_background && *in_background; }
  bool prepares() const { return spare != nullptr; }
  const KvState& own_state() const { return beside ? *spare : *state; }

  enum class End { Done, Cancelled, ContextFull };
  End end = End::Done;
  bool started = false;           // it had a slot
  std::size_t reused_tokens = 0;  // of the prompt, from its own state or another's
  // Where the prompt departs from its state's tokens; unset when it only appends.
  std::optional<std::size_t> first_changed_token;
  std::exception_ptr error;
  std::promise<void> ended;       // set last: the job may be gone then
  std::shared_ptr<LaneJob> self;  // of a job that the lane owns
};

}  // namespace talefold
