// One generation on its way through the compute lane.
#pragma once

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

// Made by the thread that waits for it, which touches it again only when it is done.
// Everything else happens on the lane's thread.
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
  bool background = false;              // no player waits for it
  bool alone = false;                   // not in a batch with others
  bool from_empty = false;              // reuses nothing

  enum class End { Done, Cancelled, ContextFull };
  End end = End::Done;
  std::size_t reused_tokens = 0;  // of the prompt, from its own state or another's
  // Where the prompt departs from its state's tokens; unset when it only appends.
  std::optional<std::size_t> first_changed_token;
  std::exception_ptr error;
  std::promise<void> ended;  // set last: the job may be gone then
};

}  // namespace talefold
