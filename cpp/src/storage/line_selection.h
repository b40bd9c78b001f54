// Which of several lines comes next.
#pragma once

#include <cstddef>
#include <cstdint>

namespace talefold {

enum class LineOrder {
  Random,      // each line as likely as any other, every time
  Sequential,  // first to last, then again
  Shuffle,     // at random, but every line once before any comes again, and never the
               // same line twice in a row
};

// Where a selection stands; all that is to be saved. The same cursor and number of
// lines give the same line on every platform.
struct LineCursor {
  static constexpr std::uint64_t kMax = std::uint64_t{1} << 53;  // of one that is saved

  std::uint64_t seed = 0;
  std::uint64_t drawn = 0;  // lines selected so far; after kMax again 0

  bool operator==(const LineCursor&) const = default;
};

// The line, in [0, lines), that comes at `cursor`; `lines` is at least 1. O(1), with
// Shuffle O(lines).
std::size_t LineAt(LineOrder order, std::size_t lines, const LineCursor& cursor);

// LineAt, and one line on.
std::size_t NextLine(LineOrder order, std::size_t lines, LineCursor& cursor);

}  // namespace talefold
