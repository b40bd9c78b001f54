#include "inference/saved_state.h"

#include <algorithm>

#include "base/field_prefix.h"

namespace talefold {

Error KvRejection(std::string_view node, std::string_view field,
                  const std::string& problem) {
  return Error(ErrorCode::KvRejected, FieldPrefix(node, field) + problem,
               "nothing is lost: the next turn computes its prompt anew");
}

void CheckIdentity(std::string_view node, const StateIdentity& saved,
                   const StateIdentity& present) {
  const auto find = [](const StateIdentity& identity, const std::string& field) {
    return std::ranges::find(identity, field, [](const auto& f) { return f.first; });
  };
  for (const auto& [field, value] : present) {
    const auto found = find(saved, field);
    if (found == saved.end()) {
      throw KvRejection(node, field, "it is '" + value + "' here; the file has none");
    }
    if (found->second != value) {
      throw KvRejection(
          node, field,
          "saved with '" + found->second + "'; here it is '" + value + "'");
    }
  }
  for (const auto& [field, value] : saved) {
    if (find(present, field) != present.end()) continue;
    throw KvRejection(node, field,
                      "saved with '" + value + "'; nothing here has this field");
  }
}

}  // namespace talefold
