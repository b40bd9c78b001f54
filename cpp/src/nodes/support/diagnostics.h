// The diagnostics of a node, a JSON object with a section for each group of keys.
#pragma once

#include <string_view>

#include "base/json.h"

namespace talefold {

// The object at `key` of `object`, made if absent.
inline json::object& Section(json::object& object, std::string_view key) {
  json::value& section = object[key];
  if (!section.is_object()) section = json::object{};
  return section.get_object();
}

}  // namespace talefold
