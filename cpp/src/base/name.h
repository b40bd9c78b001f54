// Names that content gives to things: tools, metadata fields, slots, instructions.
#pragma once

#include <algorithm>
#include <string_view>

namespace talefold {

// What IsName asks for, for messages.
inline constexpr std::string_view kNameRule =
    "1 to 64 letters a-z and A-Z, digits, '_' or '-'";

inline bool IsName(std::string_view text) {
  return !text.empty() && text.size() <= 64 && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           c == '_' || c == '-';
  });
}

}  // namespace talefold
