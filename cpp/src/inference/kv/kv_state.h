// The logical KV state of one (agent, node): tokens, and where their cells are.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "inference/kv/batch_decoder.h"

namespace talefold {

class KvPool;

// Live (in a pool's slot), parked (its bytes in host memory) or cold (neither). Read
// and written by the compute lane only; its owner just holds it.
struct KvState {
  KvState(std::shared_ptr<const PoolSpec> pool_spec, AdapterSet adapter_set)
      : spec(std::move(pool_spec)), adapters(std::move(adapter_set)) {}

  bool live() const { return pool != nullptr; }
  bool parked() const { return !bytes.empty(); }

  const std::shared_ptr<const PoolSpec> spec;
  const AdapterSet adapters;

  // Exactly the tokens of the cells, position by position; empty when cold.
  std::vector<Token> mirror;
  // The first of them, all at most, that were computed in whole chunks from position 0
  // on: what a deterministic engine may reuse.
  std::size_t in_whole_chunks = 0;

  KvPool* pool = nullptr;  // while live
  std::int32_t slot = -1;  // while live
  std::vector<std::byte> bytes;
  std::int32_t bytes_slots = 0;  // slots of the pool they were saved from

  std::uint64_t last_used = 0;
  bool running = false;    // a job uses it: neither parked nor dropped
  bool abandoned = false;  // its owner is gone; still good for sharing
};

inline std::size_t CommonPrefix(std::span<const Token> a, std::span<const Token> b) {
  const auto [end, other_end] = std::ranges::mismatch(a, b);
  return static_cast<std::size_t>(end - a.begin());
}

}  // namespace talefold
