#include "inference/kv/kv_store.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "talefold/error.h"

namespace talefold {

namespace {

constexpr std::uint64_t kWhateverItsAge = std::numeric_limits<std::uint64_t>::max();

}  // namespace

void KvStore::Abandon(KvState& state) {
  state.abandoned = true;
  ForgetIfUseless(state);
}

void KvStore::ForgetIfUseless(KvState& state) {
  if (!state.abandoned || state.live() || state.parked()) return;
  std::erase_if(states_, [&state](const auto& held) { return held.get() == &state; });
}

void KvStore::DropLayout(const std::string& layout) {
  const auto erased = std::partition(
      states_.begin(), states_.end(),
      [&layout](const auto& state) { return state->spec->layout != layout; });
  for (auto state = erased; state != states_.end(); ++state) Unpark(**state);
  states_.erase(erased, states_.end());
  std::erase_if(pools_, [&](const auto& entry) {
    if (entry.second->spec().layout != layout) return false;
    budget_.Return(entry.second->bytes());
    return true;
  });
}

bool KvStore::TakeBytes(std::size_t bytes, std::uint64_t newer_than) {
  if (bytes > budget_.free() + parked_bytes_) return false;
  while (!budget_.Fits(bytes)) {
    KvState* oldest = nullptr;
    for (const auto& state : states_) {
      if (!state->parked() || state->running || state->last_used >= newer_than)
        continue;
      if (!oldest || state->last_used < oldest->last_used) oldest = state.get();
    }
    if (!oldest) return false;
    Drop(*oldest);
    ++counts_.dropped_states;
    ForgetIfUseless(*oldest);
  }
  return budget_.Take(bytes);
}

void KvStore::Unpark(KvState& state) {
  budget_.Return(state.bytes.size());
  parked_bytes_ -= state.bytes.size();
  state.bytes = {};
}

// A live state's cells to host memory. False, and nothing happened, when there is no
// room for them.
bool KvStore::Park(KvState& state) {
  KvPool& pool = *state.pool;
  const std::size_t bytes = state.mirror.empty() ? 0 : pool.StateBytes(state);
  if (bytes == 0 || !TakeBytes(bytes, state.last_used)) return false;
  std::vector<std::byte> saved = pool.Save(state);
  if (saved.empty()) {
    budget_.Return(bytes);
    return false;
  }
  std::vector<Token> tokens = state.mirror;
  const std::size_t in_whole_chunks = state.in_whole_chunks;
  pool.Evict(state);
  state.mirror = std::move(tokens);
  state.in_whole_chunks = in_whole_chunks;
  state.bytes = std::move(saved);
  state.bytes_slots = pool.n_slots();
  parked_bytes_ += bytes;
  ++counts_.parks;
  return true;
}

void KvStore::ParkOrDrop(KvState& state) {
  if (!state.abandoned && Park(state)) return;
  if (!state.mirror.empty()) ++counts_.dropped_states;
  state.pool->Evict(state);
  ForgetIfUseless(state);
}

KvPool* KvStore::PoolFor(const std::shared_ptr<const PoolSpec>& spec) {
  if (const auto found = pools_.find(spec->key); found != pools_.end()) {
    return found->second.get();
  }
  const std::size_t slot = spec->slot_bytes;
  if (slot > budget_.cap()) {
    throw Error(ErrorCode::InferenceFailed,
                "a KV slot of " + std::to_string(spec->slot_size) + " tokens takes " +
                    std::to_string(slot) + " bytes; kv_cache_bytes is " +
                    std::to_string(budget_.cap()),
                "raise kv_cache_bytes, or lower context_size or kv_type");
  }
  // Not all of what is free: other pools and parked states want room too.
  const std::size_t fitting = (budget_.free() + parked_bytes_) / 2 / slot;
  const std::size_t slots =
      std::clamp<std::size_t>(fitting, 1, static_cast<std::size_t>(spec->max_slots));
  const std::size_t bytes = slot * slots;
  if (bytes > budget_.free() + parked_bytes_) FreeIdlePools(bytes);
  if (!TakeBytes(bytes, kWhateverItsAge)) return nullptr;
  try {
    auto pool = std::make_unique<KvPool>(spec, static_cast<std::int32_t>(slots));
    return pools_.emplace(spec->key, std::move(pool)).first->second.get();
  } catch (...) {
    budget_.Return(bytes);
    throw;
  }
}

// Those without running states, the least recently used first, until `wanted_bytes` fit
// beside what cannot be dropped; none when all of them would not be enough.
void KvStore::FreeIdlePools(std::size_t wanted_bytes) {
  std::size_t available = budget_.free() + parked_bytes_;
  for (const auto& [key, pool] : pools_) {
    if (pool->CountRunning() == 0) available += pool->bytes();
  }
  if (wanted_bytes > available) return;
  const auto last_used = [](const KvPool& pool) {
    std::uint64_t newest = 0;
    for (std::int32_t slot = 0; slot < pool.n_slots(); ++slot) {
      if (const KvState* state = pool.resident(slot)) {
        newest = std::max(newest, state->last_used);
      }
    }
    return newest;
  };
  while (wanted_bytes > budget_.free() + parked_bytes_) {
    auto oldest = pools_.end();
    for (auto pool = pools_.begin(); pool != pools_.end(); ++pool) {
      if (pool->second->CountRunning() > 0) continue;
      if (oldest == pools_.end() ||
          last_used(*pool->second) < last_used(*oldest->second)) {
        oldest = pool;
      }
    }
    if (oldest == pools_.end()) return;
    KvPool& pool = *oldest->second;
    for (std::int32_t slot = 0; slot < pool.n_slots(); ++slot) {
      if (KvState* state = pool.resident(slot)) ParkOrDrop(*state);
    }
    budget_.Return(pool.bytes());
    pools_.erase(oldest);
  }
}

// Foreground requests leave the last of several slots to background work. A donor's own
// slot is taken only when there is no other.
std::int32_t KvStore::ChooseSlot(const KvPool& pool, bool background,
                                 const KvState* donor) const {
  const std::int32_t n_slots = pool.n_slots();
  const std::int32_t first = background && n_slots > 1 ? n_slots - 1 : 0;
  const std::int32_t end = background || n_slots == 1 ? n_slots : n_slots - 1;
  const auto rank = [donor](const KvState* state) -> std::uint64_t {
    if (!state) return 0;
    if (state->abandoned) return 1;
    return state == donor ? kWhateverItsAge - 1 : state->last_used + 2;
  };
  std::int32_t chosen = -1;
  for (std::int32_t slot = first; slot < end; ++slot) {
    const KvState* state = pool.resident(slot);
    if (state && state->running) continue;
    if (chosen < 0 || rank(state) < rank(pool.resident(chosen))) chosen = slot;
  }
  return chosen;
}

std::size_t KvStore::Kept(const KvState& state) const {
  return deterministic_ ? state.in_whole_chunks : state.mirror.size();
}

bool KvStore::Holds(const KvState& state, std::span<const Token> tokens) const {
  const auto kept = std::span<const Token>(state.mirror).first(Kept(state));
  return CommonPrefix(kept, tokens) == tokens.size();
}

void KvStore::Exchange(KvState& a, KvState& b) {
  std::swap(a.mirror, b.mirror);
  std::swap(a.in_whole_chunks, b.in_whole_chunks);
  std::swap(a.pool, b.pool);
  std::swap(a.slot, b.slot);
  std::swap(a.bytes, b.bytes);
  std::swap(a.bytes_slots, b.bytes_slots);
  for (KvState* state : {&a, &b}) {
    if (state->live()) state->pool->Seat(*state);
  }
}

std::size_t KvStore::Usable(const KvState& state, std::span<const Token> prompt) const {
  const auto tokens = std::span<const Token>(state.mirror).first(Kept(state));
  // At least one token must be decoded, for its logits.
  return Reusable(CommonPrefix(tokens, prompt.first(prompt.size() - 1)));
}

bool KvStore::CanShare(const KvState& from, const KvState& to,
                       std::size_t tokens) const {
  const auto pool = pools_.find(to.spec->key);
  const std::int32_t slots = from.live() ? from.pool->n_slots() : from.bytes_slots;
  return pool != pools_.end() && slots == pool->second->n_slots() &&
         from.spec->layout == to.spec->layout && from.adapters.key == to.adapters.key &&
         tokens <= static_cast<std::size_t>(to.spec->slot_size);
}

KvState* KvStore::FindDonor(const KvState& state, std::span<const Token> prompt,
                            std::size_t at_least) const {
  KvState* best = nullptr;
  std::size_t best_tokens = at_least;
  for (const auto& other : states_) {
    if (other.get() == &state || other->mirror.size() < best_tokens) continue;
    if (!CanShare(*other, state, other->mirror.size())) continue;
    const std::size_t tokens = Usable(*other, prompt);
    if (tokens < best_tokens) continue;
    if (state.spec->keeps_no_past && tokens < other->mirror.size()) continue;
    best = other.get();
    best_tokens = tokens + 1;
  }
  return best;
}

std::optional<KvStore::Found> KvStore::Acquire(const std::shared_ptr<KvState>& held,
                                               std::span<const Token> prompt,
                                               Wants wants) {
  KvState& state = *held;
  if (std::ranges::find(states_, held) == states_.end()) states_.push_back(held);
  KvPool* pool = PoolFor(state.spec);
  if (!pool) return std::nullopt;
  // First of all: who waits asks before every batch.
  if (!state.live() && ChooseSlot(*pool, wants.background, nullptr) < 0) {
    return std::nullopt;
  }
  if (state.parked() && state.bytes_slots != pool->n_slots()) {
    Drop(state);
  }
  if (wants.from_empty) prompt = prompt.first(1);
  const std::size_t own = Usable(state, prompt);
  KvState* donor = FindDonor(state, prompt, own + kWorthSharing);
  if (!state.live()) {
    const std::int32_t slot = ChooseSlot(*pool, wants.background, donor);
    // Neither is to be dropped while room is made.
    state.running = true;
    if (donor) donor->last_used = ++clock_;
    try {
      MakeLive(state, *pool, slot, donor);
    } catch (...) {
      state.running = false;
      throw;
    }
  } else if (donor) {
    CopyFrom(*donor, state);
  }
  state.running = true;
  state.last_used = ++clock_;
  const std::size_t usable = Usable(state, prompt);
  pool->KeepFirst(state, usable);
  if (donor && usable > own) return Found{0, state.mirror.size()};
  return Found{state.mirror.size(), 0};
}

// `donor`, if any, holds more of the prompt than `state`.
void KvStore::MakeLive(KvState& state, KvPool& pool, std::int32_t slot,
                       KvState* donor) {
  if (KvState* before = pool.resident(slot)) {
    if (before == donor && (before->abandoned || !Park(*before))) {
      // Rather its cells for the newcomer than for nobody.
      Unpark(state);
      if (!before->abandoned) ++counts_.dropped_states;
      pool.HandOver(*before, state);
      ForgetIfUseless(*before);
      return;
    }
    if (before->live()) ParkOrDrop(*before);
  }
  const std::vector<Token> tokens = state.mirror;
  const std::size_t in_whole_chunks = state.in_whole_chunks;
  pool.Place(state, slot);
  const bool copied = donor && CopyFrom(*donor, state);
  if (!copied && state.parked() &&
      pool.Restore(state, state.bytes, tokens, in_whole_chunks)) {
    ++counts_.restores;
  }
  Unpark(state);
}

bool KvStore::CopyFrom(KvState& donor, KvState& state) {
  donor.last_used = ++clock_;  // others may want it too
  if (donor.parked()) {
    return state.pool->Restore(state, donor.bytes, donor.mirror, donor.in_whole_chunks);
  }
  if (!donor.live()) return false;
  const std::size_t bytes = donor.pool->StateBytes(donor);
  if (!TakeBytes(bytes, kWhateverItsAge)) return false;
  const std::vector<std::byte> copy = donor.pool->Save(donor);
  const bool copied = !copy.empty() && state.pool->Restore(state, copy, donor.mirror,
                                                           donor.in_whole_chunks);
  budget_.Return(bytes);
  return copied;
}

void KvStore::Release(KvState& state) {
  state.running = false;
  if (!state.pool->Verify(state)) ++counts_.repaired_states;
}

void KvStore::MakeConsecutive(KvPool& pool, const std::vector<KvState*>& states) {
  const auto count = static_cast<std::int32_t>(states.size());
  const auto inside = [&](std::int32_t first, const KvState* state) {
    return state->slot >= first && state->slot < first + count;
  };
  std::int32_t first = 0;
  std::ptrdiff_t most = -1;
  for (std::int32_t start = 0; start + count <= pool.n_slots(); ++start) {
    const std::ptrdiff_t here = std::ranges::count_if(
        states, [&](const KvState* state) { return inside(start, state); });
    if (here > most) {
      most = here;
      first = start;
    }
  }
  std::int32_t target = first;
  for (KvState* state : states) {
    if (inside(first, state)) continue;
    while (std::ranges::find(states, pool.resident(target)) != states.end()) ++target;
    const KvState* other = pool.resident(target);
    const std::size_t bytes =
        pool.StateBytes(*state) + (other ? pool.StateBytes(*other) : 0);
    if (!budget_.Take(bytes)) return;
    pool.Swap(*state, target);
    budget_.Return(bytes);
    ++counts_.moves;
  }
}

void KvStore::AddTo(EngineStats& stats) const {
  stats.kv_cache_bytes = static_cast<std::int64_t>(budget_.cap());
  stats.kv_used_bytes = static_cast<std::int64_t>(budget_.used());
  stats.kv_peak_bytes = static_cast<std::int64_t>(budget_.peak());
  stats.parked_bytes = static_cast<std::int64_t>(parked_bytes_);
  stats.parked_states =
      std::ranges::count_if(states_, [](const auto& state) { return state->parked(); });
  for (const auto& [key, pool] : pools_) {
    KvPoolStats& entry = stats.pools.emplace_back();
    entry.model = pool->spec().model;
    entry.context_size = pool->spec().slot_size;
    entry.slots = pool->n_slots();
    entry.bytes = static_cast<std::int64_t>(pool->bytes());
    for (std::int32_t slot = 0; slot < pool->n_slots(); ++slot) {
      const KvState* state = pool->resident(slot);
      if (!state) continue;
      ++entry.live_states;
      if (state->running) ++entry.running;
    }
  }
  stats.parks = counts_.parks;
  stats.restores = counts_.restores;
  stats.dropped_states = counts_.dropped_states;
  stats.moves = counts_.moves;
  stats.repaired_states = counts_.repaired_states;
}

}  // namespace talefold
