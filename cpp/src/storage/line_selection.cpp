#include "storage/line_selection.h"

#include <numeric>
#include <utility>
#include <vector>

namespace talefold {
namespace {

// SplitMix64. The generators of the standard library would do, but not its
// distributions and shuffles: they differ between platforms.
class Generator {
 public:
  // Independent for each (seed, stream).
  Generator(std::uint64_t seed, std::uint64_t stream)
      : state_(Mix(Mix(seed + kStep) + stream)) {}

  std::size_t Below(std::size_t bound) {
    const std::uint64_t excess = (0 - std::uint64_t{bound}) % bound;  // 2^64 mod bound
    std::uint64_t value = Next();
    while (value < excess) value = Next();  // else small values would come more often
    return static_cast<std::size_t>(value % bound);
  }

 private:
  static constexpr std::uint64_t kStep = 0x9E3779B97F4A7C15;

  static std::uint64_t Mix(std::uint64_t value) {
    value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9;
    value = (value ^ (value >> 27)) * 0x94D049BB133111EB;
    return value ^ (value >> 31);
  }
  std::uint64_t Next() { return Mix(state_ += kStep); }

  std::uint64_t state_;
};

std::vector<std::size_t> ShuffledLines(std::size_t lines, std::uint64_t seed,
                                       std::uint64_t round) {
  std::vector<std::size_t> order(lines);
  std::iota(order.begin(), order.end(), std::size_t{0});
  Generator random(seed, round);
  for (std::size_t left = lines; left > 1; --left) {
    std::swap(order[left - 1], order[random.Below(left)]);
  }
  return order;
}

std::size_t ShuffledLine(std::size_t lines, const LineCursor& cursor) {
  const std::uint64_t round = cursor.drawn / lines;
  const auto place = static_cast<std::size_t>(cursor.drawn % lines);
  // Two lines can but alternate; the order of the first round does.
  if (lines <= 2) return ShuffledLines(lines, cursor.seed, 0)[place];
  const std::vector<std::size_t> order = ShuffledLines(lines, cursor.seed, round);
  if (round == 0 || place > 1) return order[place];
  // A round that would begin as the last one ended swaps its first two lines. Its own
  // end, the third place at the earliest, stays as it is.
  const std::size_t before = ShuffledLines(lines, cursor.seed, round - 1).back();
  return order[order.front() == before ? 1 - place : place];
}

}  // namespace

std::size_t LineAt(LineOrder order, std::size_t lines, const LineCursor& cursor) {
  switch (order) {
    case LineOrder::Random:
      return Generator(cursor.seed, cursor.drawn).Below(lines);
    case LineOrder::Sequential:
      return static_cast<std::size_t>(cursor.drawn % lines);
    case LineOrder::Shuffle:
      break;
  }
  return ShuffledLine(lines, cursor);
}

std::size_t NextLine(LineOrder order, std::size_t lines, LineCursor& cursor) {
  const std::size_t line = LineAt(order, lines, cursor);
  cursor.drawn = cursor.drawn < LineCursor::kMax ? cursor.drawn + 1 : 0;
  return line;
}

}  // namespace talefold
