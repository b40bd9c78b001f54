// What an engine's inference does and holds.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace talefold {

// The KV cells of one model, context size and set of context settings.
struct KvPoolStats {
  std::string model = {};         // the file its weights came from
  std::int32_t context_size = 0;  // tokens of each slot
  std::int32_t slots = 0;
  std::int32_t live_states = 0;  // slots in which an (agent, node) has its tokens
  std::int32_t running = 0;      // of these, in a request now
  std::int64_t bytes = 0;        // allocated, whether used or not
};

// Counts are since the engine was made.
struct EngineStats {
  std::int64_t kv_cache_bytes = 0;  // the cap
  std::int64_t kv_used_bytes = 0;   // pools and parked states, never above the cap
  std::int64_t kv_peak_bytes = 0;   // the most that were ever used
  std::vector<KvPoolStats> pools = {};
  std::int64_t parked_states = 0;
  std::int64_t parked_bytes = 0;

  std::int64_t running_requests = 0;  // in a slot
  std::int64_t waiting_requests =
      0;                      // for a slot, or for a prefix another one computes
  std::int64_t requests = 0;  // begun
  std::int64_t failed_requests = 0;

  std::int64_t reused_tokens = 0;   // prompt tokens found in the request's own KV state
  std::int64_t shared_tokens = 0;   // prompt tokens copied from another state
  std::int64_t prefill_tokens = 0;  // prompt tokens computed
  std::int64_t generated_tokens = 0;  // reply tokens computed
  // Of these two, what was computed while no player waited for it.
  std::int64_t background_prefill_tokens = 0;
  std::int64_t background_generated_tokens = 0;
  std::int64_t decode_calls = 0;  // batches handed to llama.cpp

  // Of Summarize nodes with run_inline off. Every scheduled fold ends as one of the
  // next three, or waits.
  std::int64_t scheduled_folds = 0;
  std::int64_t committed_folds = 0;  // the dialog has the summary
  std::int64_t cancelled_folds = 0;  // what they read was changed
  std::int64_t failed_folds = 0;     // the model failed, or wrote nothing of use
  std::int64_t overdue_folds = 0;    // were waited for in a turn

  std::int64_t parks = 0;            // states moved from a slot to host memory
  std::int64_t restores = 0;         // and back
  std::int64_t dropped_states = 0;   // went cold for lack of room
  std::int64_t moves = 0;            // between slots, so that batches stay consecutive
  std::int64_t repaired_states = 0;  // emptied because cells and mirror differed: 0
};

}  // namespace talefold
