#include "prompt/fence.h"

#include <algorithm>

namespace talefold {

std::string FenceFor(std::span<const std::string> texts) {
  std::string fence = "=====";
  const auto occurs = [&](const std::string& text) {
    return text.find(fence) != text.npos;
  };
  while (std::ranges::any_of(texts, occurs)) fence += '=';
  return fence;
}

}  // namespace talefold
