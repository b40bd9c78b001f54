// Search by common words (BM25), for storages without an embedding model.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "knowledge/vector_index.h"

namespace talefold {

// Okapi BM25 with k1 = 1.2, b = 0.75, and ln(1 + (N - n + 0.5) / (n + 0.5)) as the
// weight of a word that n of N records have. Built once, then immutable: any thread.
class KeywordIndex {
 public:
  explicit KeywordIndex(std::span<const std::string> texts);

  // Records with at least one word of `query`, best score first. So that thresholds
  // work, a score becomes a distance: 1 - score / weight of the query's known words, at
  // least 0. The record that has them all is at 0, one that has half of the weight at
  // 0.5. A query counts at least as much as a word that a single record has: "the"
  // alone is near to nothing.
  std::vector<Neighbor> Search(std::string_view query,
                               const SearchLimits& limits) const;

 private:
  struct Posting {
    std::uint32_t record;
    std::uint32_t count;  // times the record has the word
  };

  double Weight(std::size_t records_with_word) const;

  std::unordered_map<std::string, std::vector<Posting>> postings_;
  std::vector<double> length_norms_;  // k1 * (1 - b + b * length / average), a record
};

}  // namespace talefold
