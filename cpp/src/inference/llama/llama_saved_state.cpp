// A sequence's state on its way out of the engine and in.

#include <algorithm>

#include "base/field_prefix.h"
#include "inference/llama/llama_sequence.h"
#include "talefold/error.h"

namespace talefold {

namespace {

constexpr std::string_view kSlots = "slots";

// What a state from elsewhere cannot be used for is no failure of the engine.
template <typename Check>
void RejectFailures(const std::string& node, const Check& check) {
  try {
    check();
  } catch (const Error& error) {
    const bool passes_on = error.code() == ErrorCode::KvRejected ||
                           error.code() == ErrorCode::EngineClosed;
    if (passes_on) throw;
    throw KvRejection(node, "", error.message());
  }
}

}  // namespace

StateShape LlamaSequence::ShapeOf(const KvStore::Contents& contents) const {
  StateShape shape;
  shape.identity = model_->Identity(context_, state_->adapters);
  shape.identity.emplace_back(kSlots, std::to_string(contents.slots));
  shape.tokens = contents.tokens;
  shape.in_whole_chunks = contents.in_whole_chunks;
  shape.bytes = contents.bytes;
  return shape;
}

std::optional<StateShape> LlamaSequence::DescribeState() {
  std::optional<KvStore::Contents> contents;
  model_->lane().Call([&](KvStore& store) { contents = store.Describe(*state_); });
  if (!contents) return std::nullopt;
  return ShapeOf(*contents);
}

std::optional<SavedState> LlamaSequence::SaveState() {
  std::optional<KvStore::Contents> contents;
  SavedState saved;
  model_->lane().Call([&](KvStore& store) {
    contents = store.Describe(*state_);
    if (!contents) return;
    saved.tokens = state_->mirror;
    saved.bytes = store.CopyBytes(*state_);
  });
  if (!contents || saved.bytes.empty()) return std::nullopt;
  saved.shape = ShapeOf(*contents);
  return saved;
}

void LlamaSequence::CheckState(const StateView& saved) {
  RejectFailures(node_, [&] {
    StateIdentity known = saved.shape.identity;  // but for the slots
    std::erase_if(known, [](const auto& field) { return field.first == kSlots; });
    CheckIdentity(node_, known, model_->Identity(context_, state_->adapters));
    const std::int32_t n_tokens = llama_vocab_n_tokens(model_->vocabulary().raw());
    for (const Token id : saved.tokens) {
      if (id >= 0 && id < n_tokens) continue;
      throw KvRejection(node_, "tokens",
                        "token " + std::to_string(id) +
                            " is not in the vocabulary of " + std::to_string(n_tokens));
    }
    model_->lane().Call([&](KvStore& store) {
      if (RequirePool(saved, store).Accepts(saved.bytes, saved.tokens.size())) return;
      throw KvRejection(node_, "bytes",
                        std::to_string(saved.bytes.size()) +
                            " bytes are not the cells of " +
                            std::to_string(saved.tokens.size()) + " tokens");
    });
  });
}

// The pool, which has the slots that `saved` was saved with, large enough for it.
KvPool& LlamaSequence::RequirePool(const StateView& saved, KvStore& store) const {
  KvPool* pool = store.PoolFor(state_->spec);
  if (!pool) {
    throw KvRejection(node_, "", "kv_cache_bytes has no room for the node's context");
  }
  const auto found = std::ranges::find(saved.shape.identity, kSlots,
                                       [](const auto& field) { return field.first; });
  StateIdentity slots;
  if (found != saved.shape.identity.end()) slots.push_back(*found);
  CheckIdentity(node_, slots, {{std::string(kSlots), std::to_string(pool->n_slots())}});
  const std::size_t count = saved.tokens.size();
  const std::int32_t slot_size = state_->spec->slot_size;
  if (count == 0 || count > static_cast<std::size_t>(slot_size)) {
    throw KvRejection(node_, "tokens",
                      "there are " + std::to_string(count) + "; allowed 1 to " +
                          std::to_string(slot_size));
  }
  return *pool;
}

void LlamaSequence::LoadState(const StateView& saved) {
  StopPreparing();
  bool done = false;
  RejectFailures(node_, [&] {
    model_->lane().Call([&](KvStore& store) {
      KvStore::Contents contents;
      contents.tokens = saved.tokens.size();
      contents.in_whole_chunks = saved.shape.in_whole_chunks;
      contents.slots = RequirePool(saved, store).n_slots();  // may be another by now
      done = store.Adopt(state_, contents, saved.tokens, saved.bytes);
    });
  });
  if (done) return;
  throw KvRejection(node_, "bytes",
                    "kv_cache_bytes has no room for " +
                        std::to_string(saved.bytes.size()) + " bytes");
}

void LlamaSequence::DropState() {
  StopPreparing();
  model_->lane().Call([this](KvStore& store) { store.Drop(*state_); });
}

}  // namespace talefold
