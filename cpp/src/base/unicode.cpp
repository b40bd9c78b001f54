#include "base/unicode.h"

#include <algorithm>
#include <iterator>

#include "base/text.h"
#include "base/unicode_tables.h"

namespace talefold {
namespace {

// The range that holds `c`, or nullptr.
template <typename Range, std::size_t N>
const Range* FindRange(const Range (&ranges)[N], char32_t c) {
  const auto found = std::ranges::lower_bound(ranges, c, {}, &Range::last);
  return found == std::end(ranges) || c < found->first ? nullptr : found;
}

char32_t Shift(char32_t c, std::int64_t offset) {
  return static_cast<char32_t>(static_cast<std::int64_t>(c) + offset);
}

}  // namespace

char32_t FoldCase(char32_t c) {
  if (c < 0x80) return c >= 'A' && c <= 'Z' ? c + 32 : c;
  const FoldRange* const range = FindRange(kFoldRanges, c);
  if (range == nullptr || (c - range->first) % range->step != 0) return c;
  return Shift(c, range->offset);
}

char32_t Uppercase(char32_t c) {
  if (c < 0x80) return c >= 'a' && c <= 'z' ? c - 32 : c;
  for (const FoldRange& range : kFoldRanges) {
    const char32_t upper = Shift(c, -std::int64_t{range.offset});
    if (upper >= range.first && upper <= range.last &&
        (upper - range.first) % range.step == 0) {
      return upper;
    }
  }
  return c;
}

std::vector<char32_t> FoldedForms(char32_t first, char32_t last) {
  std::vector<char32_t> forms;
  for (const FoldRange& range : kFoldRanges) {
    if (range.last < first || range.first > last) continue;
    const char32_t end = std::min(range.last, last);
    for (char32_t c = range.first; c <= end; c += range.step) {
      if (c >= first) forms.push_back(Shift(c, range.offset));
    }
  }
  return forms;
}

bool IsLowercase(char32_t c) {
  if (c < 0x80) return c >= 'a' && c <= 'z';
  return std::ranges::any_of(kFoldRanges, [c](const FoldRange& range) {
    const char32_t upper = Shift(c, -std::int64_t{range.offset});
    return upper >= range.first && upper <= range.last &&
           (upper - range.first) % range.step == 0;
  });
}

bool IsWordCharacter(char32_t c) { return FindRange(kWordRanges, c) != nullptr; }

bool IsWhitespace(char32_t c) {
  return (c >= 0x09 && c <= 0x0D) || c == 0x20 || c == 0xA0 || c == 0x1680 ||
         (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 || c == 0x202F ||
         c == 0x205F || c == 0x3000 || c == 0xFEFF;
}

std::u32string DecodeUtf8(std::string_view text) {
  std::u32string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const CodePoint point = DecodeCodePoint(text);
    result += point.value;
    text.remove_prefix(point.length);
  }
  return result;
}

}  // namespace talefold
