#include "base/case_fold.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace talefold {
namespace {

// Every `stride`th code point from `first` to `last` has its lower case `offset` away
// (the Unicode character database, UnicodeData.txt, simple lower-case mappings).
struct Range {
  char32_t first, last, stride;
  std::int32_t offset;
};

constexpr auto kRanges = std::to_array<Range>({
    {0x41, 0x5A, 1, 32},        {0xC0, 0xD6, 1, 32},        {0xD8, 0xDE, 1, 32},
    {0x100, 0x12E, 2, 1},       {0x130, 0x130, 1, -199},    {0x132, 0x136, 2, 1},
    {0x139, 0x147, 2, 1},       {0x14A, 0x176, 2, 1},       {0x178, 0x178, 1, -121},
    {0x179, 0x17D, 2, 1},       {0x1A0, 0x1A4, 2, 1},       {0x1AF, 0x1AF, 1, 1},
    {0x1CD, 0x1DB, 2, 1},       {0x1DE, 0x1EE, 2, 1},       {0x1F8, 0x21E, 2, 1},
    {0x222, 0x232, 2, 1},       {0x370, 0x372, 2, 1},       {0x376, 0x376, 1, 1},
    {0x386, 0x386, 1, 38},      {0x388, 0x38A, 1, 37},      {0x38C, 0x38C, 1, 64},
    {0x38E, 0x38F, 1, 63},      {0x391, 0x3A1, 1, 32},      {0x3A3, 0x3AB, 1, 32},
    {0x3C2, 0x3C2, 1, 1},       {0x400, 0x40F, 1, 80},      {0x410, 0x42F, 1, 32},
    {0x460, 0x480, 2, 1},       {0x48A, 0x4BE, 2, 1},       {0x4C0, 0x4C0, 1, 15},
    {0x4C1, 0x4CD, 2, 1},       {0x4D0, 0x52E, 2, 1},       {0x531, 0x556, 1, 48},
    {0x10A0, 0x10C5, 1, 7264},  {0x1C90, 0x1CBA, 1, -3008}, {0x1E00, 0x1E94, 2, 1},
    {0x1E9E, 0x1E9E, 1, -7615}, {0x1EA0, 0x1EFE, 2, 1},     {0x24B6, 0x24CF, 1, 26},
    {0xFF21, 0xFF3A, 1, 32},
});

}  // namespace

char32_t FoldCase(char32_t code_point) {
  const auto range =
      std::ranges::lower_bound(kRanges, code_point, std::ranges::less(), &Range::last);
  if (range == kRanges.end() || code_point < range->first) return code_point;
  if ((code_point - range->first) % range->stride != 0) return code_point;
  return static_cast<char32_t>(static_cast<std::int32_t>(code_point) + range->offset);
}

}  // namespace talefold
