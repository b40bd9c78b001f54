// The slots of one context, and which state lives in each.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "inference/kv/kv_state.h"

namespace talefold {

// Compute lane only. Keeps every mirror equal to its cells, whatever fails.
class KvPool {
 public:
  KvPool(std::shared_ptr<const PoolSpec> spec, std::int32_t n_slots);

  const PoolSpec& spec() const { return *spec_; }
  std::int32_t n_slots() const { return static_cast<std::int32_t>(slots_.size()); }
  std::size_t max_batch() const { return decoder_->max_batch(); }
  std::size_t bytes() const { return slots_.size() * spec_->slot_bytes; }
  KvState* resident(std::int32_t slot) const { return slots_[Index(slot)]; }
  std::ptrdiff_t CountRunning() const;

  // Makes the cold `state` live in the empty `slot`, without tokens.
  void Place(KvState& state, std::int32_t slot);
  // Makes the live `state` cold.
  void Evict(KvState& state);
  // The cells of `from` become those of `to`, which is cold: no copy.
  void HandOver(KvState& from, KvState& to);
  // `state` says that it lives in this pool: from now on it does.
  void Seat(KvState& state) { slots_[Index(state.slot)] = &state; }

  std::size_t StateBytes(const KvState& state) {
    return decoder_->StateBytes(state.slot);
  }
  // A live state's cells as bytes, as many as StateBytes; empty when there are none or
  // when that failed.
  std::vector<std::byte> Save(const KvState& state);
  // `bytes` of `tokens` into a live state without tokens. False, and still without
  // tokens, when they were refused.
  bool Restore(KvState& state, std::span<const std::byte> bytes,
               const std::vector<Token>& tokens, std::size_t in_whole_chunks);
  // Whether Restore would take `bytes` from outside the engine: tried in an empty slot,
  // if there is one.
  bool Accepts(std::span<const std::byte> bytes, std::size_t tokens);
  // Keeps the first `kept` tokens of a live state, or none when the memory cannot.
  void KeepFirst(KvState& state, std::size_t kept);
  // Exchanges the slots of a live state and another slot's resident, if any, through
  // copies of both. A state whose bytes are refused is left without tokens.
  void Swap(KvState& state, std::int32_t slot);

  // The next token of each state, or several of one; logits of the last token of each.
  // On anything but 0, every state is as before, or without tokens.
  struct Input {
    KvState* state;
    std::span<const Token> tokens;
    bool wants_logits;
  };
  std::int32_t Decode(std::span<const Input> inputs);
  // Of the inputs' number `i` in the last Decode.
  std::span<const float> Logits(std::size_t i) {
    return decoder_->Logits(logits_at_.at(i));
  }

  // False when cells and mirror differ in length; the state is emptied then.
  bool Verify(KvState& state);

 private:
  static std::size_t Index(std::int32_t slot) { return static_cast<std::size_t>(slot); }
  void Empty(KvState& state);

  const std::shared_ptr<const PoolSpec> spec_;
  const std::unique_ptr<BatchDecoder> decoder_;
  std::vector<KvState*> slots_;
  std::vector<BatchToken> batch_;
  std::vector<std::size_t> logits_at_;
};

}  // namespace talefold
