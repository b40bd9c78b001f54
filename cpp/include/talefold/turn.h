// One walk of an agent's graph, running on an engine worker.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "talefold/event.h"

namespace talefold {

struct TurnResult {
  std::string text;  // what was emitted as answer text, complete or cut short
  TurnStatus status = TurnStatus::Success;
  std::int64_t tokens_generated = 0;
  std::optional<Error> error;  // set when status is Error
  std::string debug_info;      // JSON; empty unless diagnostics are enabled
  std::vector<Event> events;   // every event of the turn, in order
};

// A handle; copies refer to the same turn. Any thread may call any method. Dropping the
// last handle does not stop the turn.
class Turn {
 public:
  class Impl;
  explicit Turn(std::shared_ptr<Impl> impl);

  // Counted from 1 within the agent.
  std::uint64_t id() const;
  // True once turn_complete has been queued; the agent is idle by then.
  bool done() const;

  // The next event not yet taken; nullopt when there is none now.
  std::optional<Event> Poll();
  // Waits for the next event; nullopt at the time-out, or when all have been taken.
  std::optional<Event> WaitEvent(std::chrono::milliseconds timeout);
  // Waits until the turn is done; false at the time-out. Takes no events.
  bool Wait(std::chrono::milliseconds timeout) const;
  // Blocks until the turn is done. Does not take events from Poll. Never throws for the
  // turn's own error: see TurnResult::error.
  TurnResult Result() const;

  // Idempotent; takes effect at the next token or prefill chunk.
  void Cancel();
  // Answers a pending DecisionRequired. NoDecisionPending when none is pending,
  // InvalidArgument when `option` is not one of those offered.
  void Resolve(const std::string& option);

  // Called after events were queued, on the thread that queued them, and once at once
  // if some are queued already. One listener a turn; pass nullptr to remove it. It must
  // not block and must not close the engine.
  void SetListener(std::function<void()> listener);

 private:
  std::shared_ptr<Impl> impl_;
};

}  // namespace talefold
