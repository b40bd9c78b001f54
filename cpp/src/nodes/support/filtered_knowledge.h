// The knowledge base that a node searches, and which of its records it looks at.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "knowledge/knowledge_base.h"
#include "nodes/node.h"

namespace talefold {

// Same thread rule as the node that owns it.
class FilteredKnowledge {
 public:
  // Throws what finding the knowledge base does.
  FilteredKnowledge(const std::string& node, const std::string& reference,
                    const NodeEnvironment& environment)
      : node_(node), base_(environment.find_knowledge(node, reference)) {}

  const KnowledgeBase& base() const { return *base_; }

  // JSON text; empty = every record. Throws InvalidParamValue with the JSON path; the
  // filter is then what it was.
  void SetFilter(std::string_view text);

  // The `top_k` records nearest to the player's text, nearest first, none farther than
  // `threshold`; 0 = any. Nothing for a text without words. Throws EmbeddingFailed.
  std::vector<KnowledgeHit> Search(const Interaction& current, std::size_t top_k,
                                   double threshold) const;

 private:
  std::string node_;
  std::shared_ptr<const KnowledgeBase> base_;
  std::optional<Filter> filter_;
};

// Adds a problem when the param `filter` is neither empty nor JSON; whether it fits the
// knowledge base is known when that is.
void CheckFilterText(const std::string& node, const std::string& filter,
                     std::vector<GraphProblem>& problems);

}  // namespace talefold
