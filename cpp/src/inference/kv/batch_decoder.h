// What the KV layer needs of an inference context: cells in slots, and decoding.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "inference/model.h"

struct llama_adapter_lora;

namespace talefold {

// LoRA adapters applied together. Immutable; owned by the model that loaded them.
struct AdapterSet {
  std::string key;  // equal for equal adapters and scales; empty = none
  std::vector<llama_adapter_lora*> adapters = {};
  std::vector<float> scales = {};
};

struct BatchToken {
  Token id = 0;
  std::int32_t slot = 0;
  std::int32_t position = 0;  // in the slot, from 0
  bool wants_logits = false;
};

// Cells for several token sequences, one in each slot. Used by the compute lane only.
class BatchDecoder {
 public:
  virtual ~BatchDecoder() = default;

  // Longest batch of one Decode.
  virtual std::size_t max_batch() const = 0;
  // Before Decode: what the batch is decoded with. False when they cannot be applied.
  virtual bool UseAdapters(const AdapterSet& adapters) = 0;
  // As llama_decode: 0 = done, 1 = no room, 2 = aborted, negative = failed. After
  // anything but 0 the slots of the batch may hold some of its tokens.
  virtual std::int32_t Decode(std::span<const BatchToken> batch) = 0;
  // After a Decode, of the batch's token `i`, which wanted them; valid until the next.
  virtual std::span<const float> Logits(std::size_t i) = 0;

  // Cells in the slot: its sequence ends at this position.
  virtual std::int32_t Filled(std::int32_t slot) const = 0;
  virtual void Clear(std::int32_t slot) = 0;
  // Removes the cells from `position` on. False when what is left would not be what
  // decoding the tokens before it gives; the slot must be cleared then.
  virtual bool RemoveFrom(std::int32_t slot, std::int32_t position) = 0;

  virtual std::size_t StateBytes(std::int32_t slot) = 0;
  // `bytes` is as long as StateBytes said. False when it failed.
  virtual bool Save(std::int32_t slot, std::span<std::byte> bytes) = 0;
  // False when `bytes` are not what Save gives of so many tokens, as far as can be seen
  // without restoring them: what passes must not end the process.
  virtual bool Accepts(std::span<const std::byte> bytes, std::size_t tokens) const = 0;
  // False when refused; the slot is then empty.
  virtual bool Restore(std::int32_t slot, std::span<const std::byte> bytes) = 0;
};

// A kind of context, from which pools are made. Immutable.
struct PoolSpec {
  std::string model;   // for people
  std::string key;     // pools of the same key are one
  std::string layout;  // saved states of the same layout and slot count fit each other
  std::int32_t slot_size = 0;  // tokens
  std::int32_t max_slots = 1;  // the last of several is for background work
  std::size_t slot_bytes = 0;  // of KV buffers, at most
  // Tokens of a prompt that any context of this kind computes at the same time.
  std::size_t max_chunk = 512;
  // A longer state cannot become a shorter one (sliding window, recurrent memory).
  bool keeps_no_past = false;
  std::function<std::unique_ptr<BatchDecoder>(std::int32_t n_slots)> make;
};

}  // namespace talefold
