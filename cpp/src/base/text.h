// UTF-8 text at the borders of the library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace talefold {

// Throws MessageTooLarge (over max_bytes), InvalidUtf8 (with the byte offset) or
// InvalidArgument (NUL byte, with the offset). `what` names the text in the message:
// "user message". The size is checked first, so that a huge text costs nothing.
void CheckText(std::string_view text, std::string_view what, std::int64_t max_bytes);

// Byte offset of the first NUL byte or invalid UTF-8 sequence; npos when there is none.
std::size_t FindBadText(std::string_view text);

// The code point that `text`, not empty, begins with. Where there is no valid one:
// U+FFFD, one byte long.
struct CodePoint {
  char32_t value = 0;
  std::size_t length = 0;  // bytes
};
CodePoint DecodeCodePoint(std::string_view text);

// `text` with U+FFFD in place of each NUL and each byte that is not of valid UTF-8.
std::string ToValidText(std::string_view text);

// Unicode code points in valid UTF-8.
std::size_t CountCodePoints(std::string_view text);

// Byte offset of code point `index`, or text.size() past the end.
std::size_t CodePointOffset(std::string_view text, std::size_t index);

// DecodeCodePoint at byte `offset`, which moves on behind it. `offset` < text.size().
char32_t NextCodePoint(std::string_view text, std::size_t& offset);

// Appends `code_point` in UTF-8.
void AppendCodePoint(char32_t code_point, std::string& text);

// Length of the longest end of `text` that `pattern` begins with, short of all of it.
std::size_t PartialMatch(std::string_view text, std::string_view pattern);

// `text` without leading and trailing ASCII white space, or without one of them.
std::string_view TrimWhitespace(std::string_view text);
std::string_view TrimLeadingWhitespace(std::string_view text);
std::string_view TrimTrailingWhitespace(std::string_view text);

}  // namespace talefold
