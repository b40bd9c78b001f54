#include "nodes/support/text_source.h"

#include "graph/descriptor.h"

namespace talefold {

std::shared_ptr<const StringStorage> LinesOf(
    const std::string& node, const std::string& string_storage,
    const std::vector<std::string>& inline_strings,
    const NodeEnvironment& environment) {
  if (string_storage.empty()) {
    return StringStorage::List(inline_strings, "node '" + node + "', inline_strings");
  }
  return environment.find_storage(node, string_storage, StorageKind::List);
}

void CheckTextSource(const std::string& node, const std::string& string_storage,
                     const std::string& inline_field, std::size_t inline_texts,
                     std::vector<GraphProblem>& problems) {
  if (string_storage.empty() != (inline_texts == 0)) return;
  problems.push_back(ParamProblem(
      node, "string_storage",
      (string_storage.empty() ? "neither it nor " : "both it and ") + inline_field +
          (string_storage.empty() ? " is given" : " are given"),
      "give exactly one of the two"));
}

}  // namespace talefold
