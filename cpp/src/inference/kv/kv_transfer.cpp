// States on their way out of the engine and in.

#include <algorithm>
#include <new>

#include "inference/kv/kv_store.h"

namespace talefold {

std::optional<KvStore::Contents> KvStore::Describe(const KvState& state) const {
  if (state.mirror.empty() || !(state.live() || state.parked())) return std::nullopt;
  Contents contents;
  contents.tokens = state.mirror.size();
  contents.in_whole_chunks = state.in_whole_chunks;
  contents.slots = state.live() ? state.pool->n_slots() : state.bytes_slots;
  contents.bytes = state.live() ? state.pool->StateBytes(state) : state.bytes.size();
  return contents;
}

std::vector<std::byte> KvStore::CopyBytes(const KvState& state) const {
  return state.live() ? state.pool->Save(state) : state.bytes;
}

void KvStore::Drop(KvState& state) {
  if (state.live()) state.pool->Evict(state);
  if (state.parked()) Unpark(state);
  state.mirror.clear();
  state.in_whole_chunks = 0;
}

bool KvStore::Adopt(const std::shared_ptr<KvState>& held, const Contents& contents,
                    const std::vector<Token>& tokens,
                    std::span<const std::byte> bytes) {
  KvState& state = *held;
  Drop(state);
  if (std::ranges::find(states_, held) == states_.end()) states_.push_back(held);
  state.last_used = ++clock_;
  if (!TakeBytes(bytes.size(), state.last_used)) return false;
  try {
    state.mirror = tokens;
    state.bytes.assign(bytes.begin(), bytes.end());
  } catch (const std::bad_alloc&) {
    state.mirror.clear();
    state.bytes.clear();
    budget_.Return(bytes.size());
    return false;
  }
  parked_bytes_ += bytes.size();
  state.in_whole_chunks = contents.in_whole_chunks;
  state.bytes_slots = contents.slots;
  return true;
}

}  // namespace talefold
