// Events as the C interface shows them.
#pragma once

#include <optional>

#include "capi/task.h"
#include "talefold/talefold.h"

namespace talefold::capi {

// Into *out, whose texts the calling thread keeps until its next call; nullopt is
// TALEFOLD_EVENT_NONE.
void FillEvent(talefold_event* out, std::optional<TaskEvent> event);

}  // namespace talefold::capi
