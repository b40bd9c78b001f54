#include "scene/message.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/text.h"

namespace talefold {

namespace {

// In the order of MessageKind.
constexpr std::array<std::string_view, 6> kKindNames = {
    "character", "narrator",      "director",
    "time",      "reinforcement", "context_investigation"};

}  // namespace

std::string_view KindName(MessageKind kind) {
  return kKindNames[static_cast<std::size_t>(kind)];
}

std::optional<MessageKind> ParseKind(std::string_view name) {
  const auto found = std::ranges::find(kKindNames, name);
  if (found == kKindNames.end()) return std::nullopt;
  return static_cast<MessageKind>(found - kKindNames.begin());
}

PresentSet MakePresentSet(std::vector<std::string> names) {
  std::ranges::sort(names);
  const auto repeated = std::ranges::unique(names);
  names.erase(repeated.begin(), repeated.end());
  return names;
}

std::string_view NameProblem(std::string_view name) {
  if (TrimWhitespace(name).empty()) return "is empty";
  std::size_t offset = 0;
  while (offset < name.size()) {
    const char32_t code_point = NextCodePoint(name, offset);
    const bool is_control =
        code_point < 0x20 || (code_point >= 0x7F && code_point < 0xA0);
    const bool ends_line = code_point == 0x2028 || code_point == 0x2029;
    if (is_control || ends_line) return "has a line break or another control character";
  }
  return "";
}

}  // namespace talefold
