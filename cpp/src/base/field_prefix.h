// Where a problem with a param is, in the one form used everywhere.
#pragma once

#include <string>
#include <string_view>

namespace talefold {

// "node 'name', field 'field': "; either part, and all of it, may be empty.
inline std::string FieldPrefix(std::string_view node, std::string_view field) {
  std::string place;
  if (!node.empty()) place += "node '" + std::string(node) + "', ";
  if (!field.empty()) place += "field '" + std::string(field) + "', ";
  if (!place.empty()) place.replace(place.size() - 2, 2, ": ");
  return place;
}

}  // namespace talefold
