// Which tokens are decoded next.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "inference/kv/kv_store.h"
#include "inference/lane_job.h"
#include "talefold/stats.h"

namespace talefold {

// Compute lane only. In a step: a token for every job that generates, a batch for each
// pool; then one chunk of one job's prompt. Foreground jobs go before background ones,
// which still get one step in kBackgroundEvery, and lose their slot to a foreground job
// that would have to wait for it. Deterministic: one job a batch, chunks that begin at
// multiples of kChunk.
class Scheduler {
 public:
  // Tokens of one prefill call: 0.2 to 0.4 s on 2 cores with a small model, so that a
  // cancel is felt soon; larger chunks are hardly faster.
  static constexpr std::size_t kChunk = 64;
  // While others generate, so that their texts keep flowing.
  static constexpr std::size_t kShortChunk = 32;
  static constexpr int kBackgroundEvery = 16;
  // A job that waits for memory is overtaken by at most so many.
  static constexpr int kMaxOvertakes = 16;

  Scheduler(KvStore& store, bool deterministic)
      : store_(store), deterministic_(deterministic) {}

  bool idle() const { return waiting_.empty() && running_.empty(); }
  void Add(LaneJob& job);
  void Step();
  // The jobs that ended since the last call.
  std::vector<LaneJob*> TakeEnded() { return std::exchange(ended_, {}); }
  // Ends all jobs with `error`.
  void FailAll(const std::exception_ptr& error);
  // Everything about requests.
  void AddTo(EngineStats& stats) const;

 private:
  struct Waiting {
    LaneJob* job;
    int overtaken = 0;
  };

  void EndCancelled();
  void Admit();
  bool Start(LaneJob& job);  // false when it has to wait
  void ChoosePlace(LaneJob& job);
  bool MakeWay(const LaneJob& job);
  bool AwaitsPrefix(const LaneJob& job) const;
  // False when there was nothing to do.
  bool Generate(bool background);
  bool Prefill(bool background);
  std::size_t ChunkSize(const LaneJob& job) const;
  void DecodeTogether(KvPool& pool, std::vector<LaneJob*> jobs);
  void CountDecoded(const LaneJob& job, std::size_t count);
  void Advance(LaneJob& job, std::span<const float> logits);
  void FailDecode(LaneJob& job, std::int32_t status);
  void End(LaneJob& job, LaneJob::End end);
  void Fail(LaneJob& job, std::exception_ptr error);
  void Leave(LaneJob& job);
  void EndPreparing(const KvState& state);
  void LeaveSpare(LaneJob& job);

  KvStore& store_;
  const bool deterministic_;
  std::deque<Waiting> waiting_;    // foreground before background, oldest first
  std::vector<LaneJob*> running_;  // in the order of their last prefill chunk
  std::vector<LaneJob*> ended_;
  int foreground_steps_ = 0;  // since the last one of background work
  EngineStats counts_;        // what is counted here, nothing else
};

}  // namespace talefold
