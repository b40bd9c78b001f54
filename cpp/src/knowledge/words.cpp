#include "knowledge/words.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <utility>

#include "base/text.h"
#include "base/unicode.h"

namespace talefold {
namespace {

struct Range {
  char32_t first, last;
};

// Beyond ASCII: punctuation, symbols and spaces, as far as they are met in prose.
constexpr auto kSeparators = std::to_array<Range>({
    {0x80, 0xA9},     {0xAB, 0xB4},     {0xB6, 0xB9},       {0xBB, 0xBF},
    {0xD7, 0xD7},     {0xF7, 0xF7},     {0x37E, 0x37E},     {0x387, 0x387},
    {0x55A, 0x55F},   {0x589, 0x58A},   {0x5BE, 0x5BE},     {0x5C0, 0x5C0},
    {0x5C3, 0x5C3},   {0x5F3, 0x5F4},   {0x60C, 0x60C},     {0x61B, 0x61B},
    {0x61F, 0x61F},   {0x66A, 0x66D},   {0x6D4, 0x6D4},     {0x964, 0x965},
    {0x104A, 0x104F}, {0x1360, 0x1368}, {0x17D4, 0x17DA},   {0x2000, 0x206F},
    {0x20A0, 0x20CF}, {0x2190, 0x245F}, {0x2500, 0x2BFF},   {0x2E00, 0x2E7F},
    {0x3000, 0x3004}, {0x3008, 0x3020}, {0x3030, 0x3030},   {0x303D, 0x303F},
    {0x30A0, 0x30A0}, {0x30FB, 0x30FB}, {0xE000, 0xF8FF},   {0xFE00, 0xFE6F},
    {0xFF5F, 0xFF65}, {0xFFE0, 0xFFFF}, {0x1F000, 0x1FAFF},
});

constexpr auto kUnspaced = std::to_array<Range>({
    {0xE00, 0xEFF},    // Thai, Lao
    {0x1000, 0x109F},  // Burmese
    {0x1780, 0x17FF},  // Khmer
    {0x3005, 0x3007},  // Chinese and Japanese, to the end
    {0x3040, 0x312F},
    {0x31A0, 0x31FF},
    {0x3400, 0x9FFF},
    {0xAC00, 0xD7AF},  // Korean
    {0xF900, 0xFAFF},
    {0xFF66, 0xFF9F},
    {0x20000, 0x3FFFF},
});

bool IsIn(std::span<const Range> ranges, char32_t code_point) {
  const auto range =
      std::ranges::lower_bound(ranges, code_point, std::ranges::less(), &Range::last);
  return range != ranges.end() && code_point >= range->first;
}

// Of folded case. Unlike IsWordCharacter: no underscore, no variation selectors.
bool BelongsToWord(char32_t c) {
  if (c < 0x80) return (c >= U'a' && c <= U'z') || (c >= U'0' && c <= U'9');
  return !IsIn(kSeparators, c);
}

// Full width to ASCII, upper case to lower.
char32_t Normalize(char32_t c) {
  if (c >= 0xFF01 && c <= 0xFF5E) c -= 0xFF01 - U'!';
  return c == U'\u0130' ? U'i' : FoldCase(c);  // a capital i with a dot
}

class WordReader {
 public:
  void Read(char32_t c) {
    if (!BelongsToWord(c)) {
      EndWord();
    } else if (IsIn(kUnspaced, c)) {
      EndSpacedWord();
      ReadUnspaced(c);
    } else {
      EndUnspaced();
      AppendCodePoint(c, word_);
    }
  }

  std::vector<std::string> Finish() {
    EndWord();
    return std::move(words_);
  }

 private:
  void ReadUnspaced(char32_t c) {
    std::string character;
    AppendCodePoint(c, character);
    if (!previous_.empty()) {
      words_.push_back(previous_ + character);
      in_pair_ = true;
    }
    previous_ = std::move(character);
  }

  void EndWord() {
    EndSpacedWord();
    EndUnspaced();
  }
  void EndSpacedWord() {
    if (!word_.empty()) words_.push_back(std::exchange(word_, {}));
  }
  void EndUnspaced() {
    if (!previous_.empty() && !in_pair_) words_.push_back(previous_);
    previous_.clear();
    in_pair_ = false;
  }

  std::vector<std::string> words_;
  std::string word_;      // of a spaced script, so far
  std::string previous_;  // character of an unspaced script
  bool in_pair_ = false;  // previous_ is the second of a pair
};

}  // namespace

std::vector<std::string> SearchWords(std::string_view text) {
  WordReader reader;
  for (std::size_t offset = 0; offset < text.size();) {
    reader.Read(Normalize(NextCodePoint(text, offset)));
  }
  return reader.Finish();
}

}  // namespace talefold
