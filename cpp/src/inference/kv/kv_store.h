// Every KV state of an engine: pools, parked states and the byte cap over both.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "inference/kv/byte_budget.h"
#include "inference/kv/kv_pool.h"
#include "inference/kv/kv_state.h"
#include "talefold/stats.h"

namespace talefold {

// Compute lane only. Bytes are counted before they are taken: allocated pools, parked
// states and copies under way never exceed the cap together.
class KvStore {
 public:
  // A copy from another state must save at least so many tokens of prefill.
  static constexpr std::size_t kWorthSharing = 32;

  // `deterministic`: reuse only what was computed in whole chunks of `chunk` tokens
  // from position 0 on, so that cells depend on nothing but their tokens.
  KvStore(std::size_t byte_cap, bool deterministic, std::size_t chunk)
      : budget_(byte_cap), deterministic_(deterministic), chunk_(chunk) {}

  // Its owner is gone. What it holds may still be shared, and is the first to go.
  void Abandon(KvState& state);
  // Frees all pools and states of a layout, whose owners are gone.
  void DropLayout(const std::string& layout);

  // What Acquire found of a prompt.
  struct Found {
    std::size_t own = 0;     // tokens kept of the state's own
    std::size_t shared = 0;  // tokens copied from another state
  };
  struct Wants {
    bool background = false;
    bool from_empty = false;  // no tokens at all
  };
  // Gives `state` a slot that holds the longest known prefix of `prompt`, at least one
  // token short of all; `state` is running then, until Release. nullopt when it must
  // wait for other requests. Throws InferenceFailed when it could wait for ever.
  std::optional<Found> Acquire(const std::shared_ptr<KvState>& state,
                               std::span<const Token> prompt, Wants wants);
  void Release(KvState& state);

  // The two states, neither of them running, exchange what they hold.
  void Exchange(KvState& a, KvState& b);

  // Moves the running `states` of one pool into neighbouring slots, where there is room
  // to do so.
  void MakeConsecutive(KvPool& pool, const std::vector<KvState*>& states);

  bool HasPool(const PoolSpec& spec) const { return pools_.contains(spec.key); }
  // What `from` holds, were it the first `tokens` of a prompt, could be copied to `to`,
  // whose pool there is.
  bool CanShare(const KvState& from, const KvState& to, std::size_t tokens) const;
  // How many of `tokens` that two prompts have in common may be reused.
  std::size_t Reusable(std::size_t tokens) const {
    return deterministic_ ? tokens / chunk_ * chunk_ : tokens;
  }
  // Tokens of `state` that some prompt may use.
  std::size_t Kept(const KvState& state) const;
  // All of `tokens` are the first that `state` keeps.
  bool Holds(const KvState& state, std::span<const Token> tokens) const;
  // Tokens that `state` keeps of `prompt` and may use: not the last, which is decoded.
  std::size_t Usable(const KvState& state, std::span<const Token> prompt) const;

  // States on their way out of the engine and in; see kv_transfer.cpp.

  struct Contents {
    std::size_t tokens = 0;
    std::size_t in_whole_chunks = 0;
    std::int32_t slots = 0;  // of the pool they come from
    std::size_t bytes = 0;
  };
  // Of a live or parked state; nullopt of a cold one.
  std::optional<Contents> Describe(const KvState& state) const;
  // Its cells, as many as Describe says; empty when they cannot be read. The copy is
  // the caller's, and not counted.
  std::vector<std::byte> CopyBytes(const KvState& state) const;
  // The pool of `spec`, made if there is none; nullptr when other requests must end
  // first. Throws InferenceFailed.
  KvPool* PoolFor(const std::shared_ptr<const PoolSpec>& spec);
  // Parks what its pool accepts in place of what `state` holds. False, and `state` is
  // cold, when there is no room.
  bool Adopt(const std::shared_ptr<KvState>& state, const Contents& contents,
             const std::vector<Token>& tokens, std::span<const std::byte> bytes);
  // Makes a state that does not run cold.
  void Drop(KvState& state);

  // Everything about memory.
  void AddTo(EngineStats& stats) const;

 private:
  void FreeIdlePools(std::size_t wanted_bytes);

  // Takes `bytes` of the budget, for which parked states used before `newer_than` are
  // dropped, oldest first.
  bool TakeBytes(std::size_t bytes, std::uint64_t newer_than);
  bool Park(KvState& state);
  void ParkOrDrop(KvState& state);
  void Unpark(KvState& state);  // its bytes are gone
  void ForgetIfUseless(KvState& state);

  // The slot a state that is not live may have; -1 when all are running.
  std::int32_t ChooseSlot(const KvPool& pool, bool background,
                          const KvState* donor) const;
  KvState* FindDonor(const KvState& state, std::span<const Token> prompt,
                     std::size_t at_least) const;
  void MakeLive(KvState& state, KvPool& pool, std::int32_t slot, KvState* donor);
  bool CopyFrom(KvState& donor, KvState& state);

  ByteBudget budget_;
  const bool deterministic_;
  const std::size_t chunk_;
  std::map<std::string, std::unique_ptr<KvPool>> pools_;  // by the spec's key
  std::vector<std::shared_ptr<KvState>> states_;
  std::uint64_t clock_ = 0;       // of last_used
  std::size_t parked_bytes_ = 0;  // part of the budget
  EngineStats counts_;            // what is counted here, nothing else
};

}  // namespace talefold
