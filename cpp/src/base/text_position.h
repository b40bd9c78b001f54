// Where in a text an error is, as an editor counts.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#include "base/text.h"

namespace talefold {

// "line L, column C" of a byte offset, both counted from 1, columns in code points.
inline std::string DescribePosition(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, offset);
  const std::size_t line =
      1 + static_cast<std::size_t>(std::ranges::count(before, '\n'));
  const std::size_t newline = before.rfind('\n');
  const std::string_view on_line =
      newline == std::string_view::npos ? before : before.substr(newline + 1);
  return "line " + std::to_string(line) + ", column " +
         std::to_string(1 + CountCodePoints(on_line));
}

}  // namespace talefold
