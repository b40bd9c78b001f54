// A decoder without weights whose cells can be checked against their tokens.
#pragma once

#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "inference/kv/batch_decoder.h"

namespace talefold::testing {

// Shared by a test and the decoders made for it. Read it while the lane does not run.
struct FakeDevice {
  enum class Memory { Full, KeepsNoPast };

  Memory memory = Memory::Full;
  std::int32_t max_batch = 512;
  std::size_t bytes_per_token = 10;
  bool refuses_restores = false;
  // Returned by the next calls of Decode; how many tokens reach the cells before.
  struct Fault {
    std::int32_t status;
    std::size_t decoded;
  };
  std::deque<Fault> faults;
  std::vector<std::vector<BatchToken>> batches;  // of every Decode
  std::vector<std::string> adapters;             // of every Decode
  std::size_t cells_bytes = 0;                   // allocated by decoders
  std::size_t peak_cells_bytes = 0;
};

// Logits are a function of the cells: the likeliest token tells all tokens before it,
// so that a reply shows whether the cells held what they should.
class FakeDecoder final : public BatchDecoder {
 public:
  static constexpr Token kVocabulary = 97;

  static Token NextToken(const std::vector<Token>& cells) {
    std::uint32_t hash = 7;
    for (const Token token : cells) {
      hash = hash * 31 + static_cast<std::uint32_t>(token) + 1;
    }
    return static_cast<Token>(hash % kVocabulary);
  }

  FakeDecoder(FakeDevice& device, std::int32_t slot_size, std::int32_t n_slots)
      : device_(device),
        slot_size_(static_cast<std::size_t>(slot_size)),
        cells_(static_cast<std::size_t>(n_slots)),
        bytes_(device.bytes_per_token * slot_size_ * cells_.size()) {
    device_.cells_bytes += bytes_;
    device_.peak_cells_bytes = std::max(device_.peak_cells_bytes, device_.cells_bytes);
  }
  ~FakeDecoder() override { device_.cells_bytes -= bytes_; }

  std::size_t max_batch() const override {
    return static_cast<std::size_t>(device_.max_batch);
  }
  bool UseAdapters(const AdapterSet& adapters) override {
    adapters_ = adapters.key;
    return adapters.key != "broken";
  }
  std::int32_t Decode(std::span<const BatchToken> batch) override {
    device_.batches.emplace_back(batch.begin(), batch.end());
    device_.adapters.push_back(adapters_);
    FakeDevice::Fault fault{0, batch.size()};
    if (!device_.faults.empty()) {
      fault = device_.faults.front();
      device_.faults.pop_front();
    }
    logits_.assign(batch.size(), {});
    for (std::size_t i = 0; i < std::min(batch.size(), fault.decoded); ++i) {
      std::vector<Token>& cells = At(batch[i].slot);
      if (static_cast<std::size_t>(batch[i].position) != cells.size()) {
        throw std::logic_error("position " + std::to_string(batch[i].position) +
                               " of " + std::to_string(cells.size()) + " cells");
      }
      if (cells.size() == slot_size_) return 1;
      cells.push_back(batch[i].id);
      if (!batch[i].wants_logits) continue;
      logits_[i].assign(kVocabulary, 0.0F);
      logits_[i][static_cast<std::size_t>(NextToken(cells))] = 1.0F;
    }
    return fault.status;
  }
  std::span<const float> Logits(std::size_t i) override { return logits_.at(i); }

  std::int32_t Filled(std::int32_t slot) const override {
    return static_cast<std::int32_t>(cells_.at(static_cast<std::size_t>(slot)).size());
  }
  void Clear(std::int32_t slot) override { At(slot).clear(); }
  bool RemoveFrom(std::int32_t slot, std::int32_t position) override {
    const auto size = static_cast<std::size_t>(position);
    if (device_.memory == FakeDevice::Memory::KeepsNoPast)
      return At(slot).size() == size;
    At(slot).resize(std::min(At(slot).size(), size));
    return At(slot).size() == size;
  }
  std::size_t StateBytes(std::int32_t slot) override {
    return std::max(device_.bytes_per_token, sizeof(Token)) * At(slot).size();
  }
  bool Save(std::int32_t slot, std::span<std::byte> bytes) override {
    std::memcpy(bytes.data(), At(slot).data(), At(slot).size() * sizeof(Token));
    return true;
  }
  bool Accepts(std::span<const std::byte> bytes, std::size_t tokens) const override {
    return bytes.size() == std::max(device_.bytes_per_token, sizeof(Token)) * tokens;
  }
  bool Restore(std::int32_t slot, std::span<const std::byte> bytes) override {
    At(slot).clear();
    if (device_.refuses_restores) return false;
    At(slot).resize(bytes.size() / std::max(device_.bytes_per_token, sizeof(Token)));
    std::memcpy(At(slot).data(), bytes.data(), At(slot).size() * sizeof(Token));
    return true;
  }

 private:
  std::vector<Token>& At(std::int32_t slot) {
    return cells_.at(static_cast<std::size_t>(slot));
  }

  FakeDevice& device_;
  const std::size_t slot_size_;
  std::vector<std::vector<Token>> cells_;
  const std::size_t bytes_;
  std::vector<std::vector<float>> logits_;
  std::string adapters_;
};

inline std::shared_ptr<PoolSpec> FakeSpec(FakeDevice& device,
                                          std::int32_t slot_size = 256,
                                          std::int32_t max_slots = 5,
                                          const std::string& layout = "fake") {
  auto spec = std::make_shared<PoolSpec>();
  spec->model = layout;
  spec->layout = layout;
  spec->key = layout + " " + std::to_string(slot_size);
  spec->slot_size = slot_size;
  spec->max_slots = max_slots;
  spec->slot_bytes = device.bytes_per_token * static_cast<std::size_t>(slot_size);
  spec->keeps_no_past = device.memory == FakeDevice::Memory::KeepsNoPast;
  spec->make = [&device, slot_size](std::int32_t n_slots) {
    return std::make_unique<FakeDecoder>(device, slot_size, n_slots);
  };
  return spec;
}

}  // namespace talefold::testing
