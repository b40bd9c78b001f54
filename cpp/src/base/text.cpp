#include "base/text.h"

#include <algorithm>

#include "talefold/error.h"

namespace talefold {
namespace {

constexpr std::string_view kWhitespace = " \t\n\v\f\r";

bool IsContinuation(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0) == 0x80;
}

// Bytes of the code point at the start of `text`, or 0 when no valid one starts there.
// The range of the second byte is what keeps out overlong forms, surrogates and values
// above U+10FFFF (the Unicode standard, table of well-formed byte sequences).
std::size_t CodePointLength(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  if (lead < 0x80) return 1;
  if (lead < 0xC2 || lead > 0xF4) return 0;
  const std::size_t length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  if (text.size() < length) return 0;
  const int low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
  const int high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
  const auto second = static_cast<unsigned char>(text[1]);
  if (second < low || second > high) return 0;
  return std::ranges::all_of(text.substr(2, length - 2), IsContinuation) ? length : 0;
}

}  // namespace

void CheckText(std::string_view text, std::string_view what, std::int64_t max_bytes) {
  const std::string name(what);
  if (static_cast<std::int64_t>(text.size()) > max_bytes) {
    throw Error(ErrorCode::MessageTooLarge,
                name + " is " + std::to_string(text.size()) + " bytes long; at most " +
                    std::to_string(max_bytes) + " bytes are allowed",
                "shorten the text, or raise the engine option max_message_bytes");
  }
  const std::size_t bad = FindBadText(text);
  if (bad == text.npos) return;
  const std::string place = " at byte offset " + std::to_string(bad);
  if (text[bad] == '\0') {
    throw Error(ErrorCode::InvalidArgument, name + " has a NUL byte" + place,
                "remove the NUL byte");
  }
  throw Error(ErrorCode::InvalidUtf8, name + " is not valid UTF-8" + place,
              "convert the text to UTF-8 before passing it in");
}

std::size_t FindBadText(std::string_view text) {
  for (std::size_t offset = 0; offset < text.size();) {
    const std::size_t length = CodePointLength(text.substr(offset));
    if (length == 0 || text[offset] == '\0') return offset;
    offset += length;
  }
  return text.npos;
}

CodePoint DecodeCodePoint(std::string_view text) {
  const std::size_t length = CodePointLength(text);
  if (length == 0) return {0xFFFD, 1};
  const auto byte = [text](std::size_t i) {
    return static_cast<unsigned char>(text[i]);
  };
  if (length == 1) return {byte(0), 1};
  char32_t value = byte(0) & (0xFFu >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) value = value << 6 | (byte(i) & 0x3F);
  return {value, length};
}

std::string ToValidText(std::string_view text) {
  std::string valid;
  for (;;) {
    const std::size_t bad = FindBadText(text);
    valid += text.substr(0, bad);
    if (bad == text.npos) return valid;
    AppendCodePoint(0xFFFD, valid);
    text.remove_prefix(bad + 1);
  }
}

std::size_t CountCodePoints(std::string_view text) {
  return text.size() -
         static_cast<std::size_t>(std::ranges::count_if(text, IsContinuation));
}

std::size_t CodePointOffset(std::string_view text, std::size_t index) {
  for (std::size_t offset = 0; offset < text.size(); ++offset) {
    if (IsContinuation(text[offset])) continue;
    if (index == 0) return offset;
    --index;
  }
  return text.size();
}

char32_t NextCodePoint(std::string_view text, std::size_t& offset) {
  const CodePoint next = DecodeCodePoint(text.substr(offset));
  offset += next.length;
  return next.value;
}

void AppendCodePoint(char32_t code_point, std::string& text) {
  const auto append = [&](char32_t byte) { text += static_cast<char>(byte); };
  const auto continuation = [&](int shift) {
    append(0x80 | (code_point >> shift & 0x3F));
  };
  if (code_point < 0x80) {
    append(code_point);
  } else if (code_point < 0x800) {
    append(0xC0 | code_point >> 6);
    continuation(0);
  } else if (code_point < 0x10000) {
    append(0xE0 | code_point >> 12);
    continuation(6);
    continuation(0);
  } else {
    append(0xF0 | code_point >> 18);
    continuation(12);
    continuation(6);
    continuation(0);
  }
}

std::size_t PartialMatch(std::string_view text, std::string_view pattern) {
  std::size_t length = std::min(pattern.size(), text.size() + 1);
  while (length > 0 && !text.ends_with(pattern.substr(0, --length))) {
  }
  return length;
}

std::string_view TrimWhitespace(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(kWhitespace);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kWhitespace) + 1 - begin);
}

std::string_view TrimLeadingWhitespace(std::string_view text) {
  return text.substr(std::min(text.find_first_not_of(kWhitespace), text.size()));
}

std::string_view TrimTrailingWhitespace(std::string_view text) {
  return text.substr(0, text.find_last_not_of(kWhitespace) + 1);  // npos + 1 is 0
}

}  // namespace talefold
