#include "inference/scheduler.h"

#include <algorithm>
#include <bit>
#include <map>
#include <string>
#include <utility>

#include "talefold/error.h"

namespace talefold {

namespace {

std::size_t Computed(const LaneJob& job) { return job.state->mirror.size(); }

// Tokens still to be decoded, at least one.
std::span<const Token> Pending(const LaneJob& job) {
  return std::span<const Token>(job.tokens).subspan(Computed(job));
}

bool Generates(const LaneJob& job) { return Pending(job).size() == 1; }

}  // namespace

// Foreground before background, each in the order of arrival.
void Scheduler::Add(LaneJob& job) {
  EndPreparing(job.own_state());
  if (job.prepares()) {
    job.tokens.resize(store_.Reusable(job.tokens.size()));
  } else {
    ++counts_.requests;
  }
  const auto behind = [&job](const Waiting& waiting) {
    return waiting.job->background() && !job.background();
  };
  waiting_.insert(std::ranges::find_if(waiting_, behind), {&job});
}

// Of what was prepared for `state` its next job makes what it can.
void Scheduler::EndPreparing(const KvState& state) {
  std::vector<LaneJob*> jobs = running_;
  for (const Waiting& waiting : waiting_) jobs.push_back(waiting.job);
  for (LaneJob* job : jobs) {
    if (job->prepares() && &job->own_state() == &state) {
      End(*job, LaneJob::End::Cancelled);
    }
  }
}

void Scheduler::Step() {
  EndCancelled();
  Admit();
  bool foreground = Generate(/*background=*/false);
  foreground = Prefill(/*background=*/false) || foreground;
  if (foreground && ++foreground_steps_ < kBackgroundEvery) return;
  foreground_steps_ = 0;
  if (!Generate(/*background=*/true)) Prefill(/*background=*/true);
}

void Scheduler::EndCancelled() {
  std::vector<LaneJob*> cancelled;
  for (const Waiting& waiting : waiting_) {
    if (waiting.job->cancel->requested()) cancelled.push_back(waiting.job);
  }
  for (LaneJob* job : running_) {
    if (job->cancel->requested()) cancelled.push_back(job);
  }
  for (LaneJob* job : cancelled) End(*job, LaneJob::End::Cancelled);
}

// Who cannot start yet does not hold up those behind it, unless it waits for memory
// that they keep in use.
void Scheduler::Admit() {
  // Some may be waited for since they came.
  std::ranges::stable_partition(
      waiting_, [](const Waiting& waiting) { return !waiting.job->background(); });
  for (std::size_t i = 0; i < waiting_.size();) {
    LaneJob& job = *waiting_[i].job;
    if (job.prepares() && store_.Holds(job.own_state(), job.tokens)) {
      End(job, LaneJob::End::Done);
      continue;
    }
    try {
      if (!Start(job) && !(MakeWay(job) && Start(job))) {
        const bool needs_memory = !store_.HasPool(*job.state->spec);
        if (needs_memory && waiting_[i].overtaken >= kMaxOvertakes) return;
        ++i;
        continue;
      }
    } catch (...) {
      Fail(job, std::current_exception());
      continue;
    }
    waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(i));
    for (std::size_t before = 0; before < i; ++before) ++waiting_[before].overtaken;
  }
}

bool Scheduler::Start(LaneJob& job) {
  if (!job.from_empty && AwaitsPrefix(job)) return false;
  if (job.prepares() && !job.started) ChoosePlace(job);
  const auto& before = job.state->mirror;
  const std::size_t common = CommonPrefix(before, job.tokens);
  const bool changes = common < std::min(before.size(), job.tokens.size());
  const auto found =
      store_.Acquire(job.state, job.tokens,
                     {.background = job.background(), .from_empty = job.from_empty});
  if (!found) return false;
  running_.push_back(&job);
  if (std::exchange(job.started, true) || job.prepares()) return true;
  if (changes) job.first_changed_token = common;
  job.reused_tokens = found->own + found->shared;
  counts_.reused_tokens += static_cast<std::int64_t>(found->own);
  counts_.shared_tokens += static_cast<std::int64_t>(found->shared);
  return true;
}

// What a state holds may still be wanted: the player takes a turn back, say. So it goes
// when something else is complete.
void Scheduler::ChoosePlace(LaneJob& job) {
  const KvState& state = *job.state;
  const std::size_t kept = store_.Usable(state, job.tokens) + KvStore::kWorthSharing;
  if (job.beside || store_.Kept(state) <= kept) return;
  std::swap(job.state, job.spare);
  job.beside = true;
}

// A background job in the only slot, or in a pool whose memory is needed, waits again
// until `job` is through. Deterministic: what it generated would be computed anew, as a
// prompt, and could differ then.
bool Scheduler::MakeWay(const LaneJob& job) {
  if (job.background()) return false;
  const PoolSpec& wanted = *job.state->spec;
  const auto found = std::ranges::find_if(running_, [&](const LaneJob* other) {
    if (!other->background() || (deterministic_ && Generates(*other))) return false;
    const KvPool& pool = *other->state->pool;
    if (!store_.HasPool(wanted)) return pool.CountRunning() == 1;
    return pool.spec().key == wanted.key && pool.n_slots() == 1;
  });
  if (found == running_.end()) return false;
  LaneJob& paused = **found;
  running_.erase(found);
  store_.Release(*paused.state);
  waiting_.push_back({&paused});
  return true;
}

// Another job is about to compute what this one could copy then.
bool Scheduler::AwaitsPrefix(const LaneJob& job) const {
  const KvState& state = *job.state;
  if (state.spec->keeps_no_past) return false;
  const std::size_t own = store_.Usable(state, job.tokens);
  return std::ranges::any_of(running_, [&](const LaneJob* other) {
    if (other->background() && !job.background()) return false;
    if (!store_.CanShare(*other->state, state, other->tokens.size())) return false;
    const std::size_t common = store_.Reusable(CommonPrefix(job.tokens, other->tokens));
    return common > Computed(*other) && common >= own + KvStore::kWorthSharing;
  });
}

bool Scheduler::Generate(bool background) {
  std::map<std::pair<KvPool*, std::string_view>, std::vector<LaneJob*>> batches;
  for (LaneJob* job : running_) {
    if (job->background() != background || !Generates(*job)) continue;
    const KvState& state = *job->state;
    batches[{state.pool, state.adapters.key}].push_back(job);
  }
  for (auto& [key, jobs] : batches) {
    // Those of a batch that failed go on alone.
    const auto alone = std::ranges::partition(
        jobs, [this](const LaneJob* job) { return !deterministic_ && !job->alone; });
    for (LaneJob* job : alone) DecodeTogether(*key.first, {job});
    jobs.erase(alone.begin(), alone.end());
    while (!jobs.empty()) {
      const std::size_t count = std::min(jobs.size(), key.first->max_batch());
      DecodeTogether(*key.first,
                     {jobs.end() - static_cast<std::ptrdiff_t>(count), jobs.end()});
      jobs.resize(jobs.size() - count);
    }
  }
  return !batches.empty();
}

void Scheduler::DecodeTogether(KvPool& pool, std::vector<LaneJob*> jobs) {
  if (jobs.size() > 1) {
    std::vector<KvState*> states;
    for (const LaneJob* job : jobs) states.push_back(job->state.get());
    store_.MakeConsecutive(pool, states);
    // A move that failed leaves a state to be computed again.
    std::erase_if(jobs, [](const LaneJob* job) { return !Generates(*job); });
    std::ranges::sort(jobs, {}, [](const LaneJob* job) { return job->state->slot; });
  }
  if (jobs.empty()) return;
  std::vector<KvPool::Input> inputs;
  for (const LaneJob* job : jobs) {
    inputs.push_back({job->state.get(), Pending(*job), true});
  }
  ++counts_.decode_calls;
  const std::int32_t status = pool.Decode(inputs);
  if (status != 0) {
    if (jobs.size() == 1) return FailDecode(*jobs[0], status);
    for (LaneJob* job : jobs) job->alone = true;
    return;
  }
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    CountDecoded(*jobs[i], 1);
    Advance(*jobs[i], pool.Logits(i));
  }
}

bool Scheduler::Prefill(bool background) {
  const auto found = std::ranges::find_if(running_, [background](const LaneJob* job) {
    return job->background() == background && !Generates(*job);
  });
  if (found == running_.end()) return false;
  LaneJob& job = **found;
  std::rotate(found, found + 1, running_.end());

  KvState& state = *job.state;
  const std::size_t chunk = ChunkSize(job);
  const std::size_t begin = Computed(job);
  std::span<const Token> tokens = Pending(job);
  const bool is_last = tokens.size() <= chunk;
  if (!is_last) tokens = tokens.first(chunk);
  ++counts_.decode_calls;
  const KvPool::Input input{&state, tokens, is_last};
  const std::size_t count = tokens.size();
  const std::int32_t status = state.pool->Decode({&input, 1});
  if (status != 0) {
    FailDecode(job, status);
    return true;
  }
  if (state.in_whole_chunks == begin && count == chunk) state.in_whole_chunks += count;
  CountDecoded(job, count);
  if (is_last) Advance(job, state.pool->Logits(0));
  return true;
}

std::size_t Scheduler::ChunkSize(const LaneJob& job) const {
  const KvPool& pool = *job.state->pool;
  // Divides kChunk, so that chunks begin where a reused prefix may end; whatever the
  // number of slots, on which max_batch depends.
  if (deterministic_) return std::min(kChunk, std::bit_floor(pool.spec().max_chunk));
  // A player may come, or listen to others, while it is computed.
  const bool is_short =
      job.background() || std::ranges::any_of(running_, [](const LaneJob* other) {
        return !other->background() && Generates(*other);
      });
  return std::min(is_short ? kShortChunk : kChunk, pool.max_batch());
}

void Scheduler::CountDecoded(const LaneJob& job, std::size_t count) {
  const bool prompt = Computed(job) <= job.prompt_size;
  const auto tokens = static_cast<std::int64_t>(count);
  (prompt ? counts_.prefill_tokens : counts_.generated_tokens) += tokens;
  if (!job.background()) return;
  (prompt ? counts_.background_prefill_tokens : counts_.background_generated_tokens) +=
      tokens;
}

// What the job makes of the logits after its last token.
void Scheduler::Advance(LaneJob& job, std::span<const float> logits) {
  if (job.cancel->requested()) return End(job, LaneJob::End::Cancelled);
  std::optional<Token> next;
  try {
    next = job.Next(logits);
  } catch (...) {
    return Fail(job, std::current_exception());
  }
  if (!next) return End(job, LaneJob::End::Done);
  if (job.tokens.size() + 1 >= job.context_size) {
    return End(job, LaneJob::End::ContextFull);
  }
  job.tokens.push_back(*next);
}

void Scheduler::FailDecode(LaneJob& job, std::int32_t status) {
  constexpr std::int32_t kNoRoom = 1;
  if (status == kNoRoom && job.tokens.size() > job.prompt_size) {
    return End(job, LaneJob::End::ContextFull);
  }
  const Error error(
      status == kNoRoom ? ErrorCode::ContextOverflow : ErrorCode::InferenceFailed,
      "node '" + job.node + "': llama_decode returned " + std::to_string(status) +
          " for token " + std::to_string(Computed(job)) + " of " +
          std::to_string(job.tokens.size()) + "; context_size is " +
          std::to_string(job.context_size));
  Fail(job, std::make_exception_ptr(error));
}

void Scheduler::End(LaneJob& job, LaneJob::End end) {
  Leave(job);
  job.end = end;
}

void Scheduler::Fail(LaneJob& job, std::exception_ptr error) {
  ++counts_.failed_requests;
  Leave(job);
  job.error = std::move(error);
}

void Scheduler::FailAll(const std::exception_ptr& error) {
  while (!waiting_.empty()) Fail(*waiting_.front().job, error);
  while (!running_.empty()) Fail(*running_.front(), error);
}

void Scheduler::Leave(LaneJob& job) {
  if (std::erase(running_, &job) > 0) {
    store_.Release(*job.state);
  } else {
    std::erase_if(waiting_, [&job](const Waiting& each) { return each.job == &job; });
  }
  if (job.beside) LeaveSpare(job);
  ended_.push_back(&job);
}

// The owner gets whichever of the two holds more of the prompt; nobody owns the other
// from now on.
void Scheduler::LeaveSpare(LaneJob& job) {
  KvState& worked = *job.state;
  KvState& own = *job.spare;
  if (!own.abandoned &&
      CommonPrefix(worked.mirror, job.tokens) > CommonPrefix(own.mirror, job.tokens)) {
    store_.Exchange(own, worked);
  }
  store_.Abandon(worked);
}

void Scheduler::AddTo(EngineStats& stats) const {
  stats.running_requests = static_cast<std::int64_t>(running_.size());
  stats.waiting_requests = static_cast<std::int64_t>(waiting_.size());
  stats.requests = counts_.requests;
  stats.failed_requests = counts_.failed_requests;
  stats.reused_tokens = counts_.reused_tokens;
  stats.shared_tokens = counts_.shared_tokens;
  stats.prefill_tokens = counts_.prefill_tokens;
  stats.generated_tokens = counts_.generated_tokens;
  stats.background_prefill_tokens = counts_.background_prefill_tokens;
  stats.background_generated_tokens = counts_.background_generated_tokens;
  stats.decode_calls = counts_.decode_calls;
}

}  // namespace talefold
