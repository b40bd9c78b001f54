// Random seeds.
#pragma once

#include <cstdint>
#include <random>
#include <string_view>

namespace talefold {

// FNV-1a over the parts: the same seed, turn, node and attempt give the same generation
// on every platform; another attempt gives another.
inline std::uint64_t GenerationSeed(std::uint64_t seed, std::uint64_t turn,
                                    std::string_view node, std::uint64_t attempt) {
  std::uint64_t hash = 14695981039346656037ULL;
  const auto add_byte = [&hash](std::uint64_t byte) {
    hash = (hash ^ (byte & 0xFF)) * 1099511628211ULL;
  };
  const auto add_number = [&add_byte](std::uint64_t number) {
    for (int shift = 0; shift < 64; shift += 8) add_byte(number >> shift);
  };
  add_number(seed);
  add_number(turn);
  for (const char c : node) add_byte(static_cast<unsigned char>(c));
  add_number(attempt);
  return hash;
}

// A new one at each call.
inline std::uint64_t RandomSeed() {
  std::random_device device;
  return (std::uint64_t{device()} << 32) | device();
}

}  // namespace talefold
