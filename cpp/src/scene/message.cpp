#include "scene/message.h"

#include <algorithm>
#include <array>
#include <utility>

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

}  // namespace talefold
