// Something that a worker runs and that can be stopped.
#pragma once

#include "base/cancel_token.h"

namespace talefold {

class PoolTask {
 public:
  virtual ~PoolTask() = default;
  // Any thread; idempotent. A task that still waits for a worker ends on this thread.
  virtual void Stop(StopCause cause) = 0;
};

}  // namespace talefold
