#include "nodes/support/filtered_knowledge.h"

#include "base/field_prefix.h"
#include "base/text.h"
#include "graph/descriptor.h"

namespace talefold {

void FilteredKnowledge::SetFilter(std::string_view text) {
  if (text.empty()) {
    filter_.reset();
    return;
  }
  try {
    filter_ = Filter::Parse(text, base_->config().fields);
  } catch (const Error& error) {
    throw Error(ErrorCode::InvalidParamValue,
                FieldPrefix(node_, "filter") + error.message(), error.hint());
  }
}

std::vector<KnowledgeHit> FilteredKnowledge::Search(const Interaction& current,
                                                    std::size_t top_k,
                                                    double threshold) const {
  if (TrimWhitespace(current.user).empty()) return {};
  return base_->Search({.text = current.user,
                        .top_k = top_k,
                        .max_distance = threshold,
                        .filter = filter_ ? &*filter_ : nullptr});
}

void CheckFilterText(const std::string& node, const std::string& filter,
                     std::vector<GraphProblem>& problems) {
  if (filter.empty()) return;
  try {
    ParseJson(filter, ErrorCode::InvalidParamValue, "filter");
  } catch (const Error& error) {
    problems.push_back(ParamProblem(node, "filter", error.message(), error.hint()));
  }
}

}  // namespace talefold
