#include "inference/kv/kv_pool.h"

#include <algorithm>
#include <new>
#include <utility>

namespace talefold {

namespace {

constexpr std::int32_t kNotAdapted = -100;  // beside llama_decode's own

}  // namespace

KvPool::KvPool(std::shared_ptr<const PoolSpec> spec, std::int32_t n_slots)
    : spec_(std::move(spec)), decoder_(spec_->make(n_slots)), slots_(Index(n_slots)) {}

std::ptrdiff_t KvPool::CountRunning() const {
  return std::ranges::count_if(
      slots_, [](const KvState* state) { return state && state->running; });
}

void KvPool::Place(KvState& state, std::int32_t slot) {
  slots_[Index(slot)] = &state;
  state.pool = this;
  state.slot = slot;
  Empty(state);
}

void KvPool::Evict(KvState& state) {
  Empty(state);
  slots_[Index(state.slot)] = nullptr;
  state.pool = nullptr;
  state.slot = -1;
}

void KvPool::HandOver(KvState& from, KvState& to) {
  slots_[Index(from.slot)] = &to;
  to.pool = std::exchange(from.pool, nullptr);
  to.slot = std::exchange(from.slot, -1);
  to.mirror = std::exchange(from.mirror, {});
  to.in_whole_chunks = std::exchange(from.in_whole_chunks, 0);
}

void KvPool::Empty(KvState& state) {
  decoder_->Clear(state.slot);
  state.mirror.clear();
  state.in_whole_chunks = 0;
}

std::vector<std::byte> KvPool::Save(const KvState& state) {
  if (state.mirror.empty()) return {};
  try {
    std::vector<std::byte> bytes(decoder_->StateBytes(state.slot));
    if (!decoder_->Save(state.slot, bytes)) bytes.clear();
    return bytes;
  } catch (const std::bad_alloc&) {
    return {};
  }
}

bool KvPool::Restore(KvState& state, std::span<const std::byte> bytes,
                     const std::vector<Token>& tokens, std::size_t in_whole_chunks) {
  if (tokens.size() > static_cast<std::size_t>(spec_->slot_size) ||
      !decoder_->Restore(state.slot, bytes) ||
      decoder_->Filled(state.slot) != static_cast<std::int32_t>(tokens.size())) {
    Empty(state);
    return false;
  }
  state.mirror = tokens;
  state.in_whole_chunks = in_whole_chunks;
  return true;
}

bool KvPool::Accepts(std::span<const std::byte> bytes, std::size_t tokens) {
  if (tokens > static_cast<std::size_t>(spec_->slot_size)) return false;
  if (!decoder_->Accepts(bytes, tokens)) return false;
  const auto empty = std::ranges::find(slots_, nullptr);
  if (empty == slots_.end()) return true;
  const auto slot = static_cast<std::int32_t>(empty - slots_.begin());
  const bool restored = decoder_->Restore(slot, bytes) &&
                        decoder_->Filled(slot) == static_cast<std::int32_t>(tokens);
  decoder_->Clear(slot);
  return restored;
}

void KvPool::KeepFirst(KvState& state, std::size_t kept) {
  if (kept >= state.mirror.size()) return;
  const auto position = static_cast<std::int32_t>(kept);
  if (kept == 0 || !decoder_->RemoveFrom(state.slot, position)) {
    Empty(state);
    return;
  }
  state.mirror.resize(kept);
  state.in_whole_chunks = std::min(state.in_whole_chunks, kept);
}

void KvPool::Swap(KvState& state, std::int32_t slot) {
  KvState* other = resident(slot);
  const std::int32_t old_slot = state.slot;
  const std::vector<std::byte> moved = Save(state);
  const std::vector<std::byte> displaced =
      other ? Save(*other) : std::vector<std::byte>();
  const auto move = [this](KvState& mover, std::int32_t to,
                           std::span<const std::byte> bytes) {
    const std::vector<Token> tokens = mover.mirror;
    const std::size_t in_whole_chunks = mover.in_whole_chunks;
    Place(mover, to);
    if (!bytes.empty()) Restore(mover, bytes, tokens, in_whole_chunks);
  };
  slots_[Index(old_slot)] = nullptr;
  decoder_->Clear(old_slot);
  move(state, slot, moved);
  if (other) move(*other, old_slot, displaced);
}

std::int32_t KvPool::Decode(std::span<const Input> inputs) {
  batch_.clear();
  logits_at_.clear();
  for (const Input& input : inputs) {
    auto position = static_cast<std::int32_t>(input.state->mirror.size());
    for (const Token id : input.tokens) {
      batch_.push_back({id, input.state->slot, position++, false});
    }
    batch_.back().wants_logits = input.wants_logits;
    logits_at_.push_back(batch_.size() - 1);
  }
  const bool adapted = decoder_->UseAdapters(inputs.front().state->adapters);
  const std::int32_t status = adapted ? decoder_->Decode(batch_) : kNotAdapted;
  for (const Input& input : inputs) {
    KvState& state = *input.state;
    if (status == 0) {
      state.mirror.insert(state.mirror.end(), input.tokens.begin(), input.tokens.end());
      continue;
    }
    // Some of the batch may be in the cells.
    const std::size_t before = state.mirror.size();
    if (before == 0 ||
        !decoder_->RemoveFrom(state.slot, static_cast<std::int32_t>(before))) {
      Empty(state);
    }
  }
  return status;
}

bool KvPool::Verify(KvState& state) {
  if (decoder_->Filled(state.slot) == static_cast<std::int32_t>(state.mirror.size())) {
    return true;
  }
  Empty(state);
  return false;
}

}  // namespace talefold
