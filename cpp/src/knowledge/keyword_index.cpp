#include "knowledge/keyword_index.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "knowledge/words.h"

namespace talefold {
namespace {

constexpr double kK1 = 1.2;
constexpr double kB = 0.75;

}  // namespace

KeywordIndex::KeywordIndex(std::span<const std::string> texts) {
  std::vector<double> lengths;
  double total = 0;
  for (const std::string& text : texts) {
    const auto record = static_cast<std::uint32_t>(lengths.size());
    const std::vector<std::string> words = SearchWords(text);
    for (const std::string& word : words) {
      std::vector<Posting>& postings = postings_[word];
      if (postings.empty() || postings.back().record != record) {
        postings.push_back({record, 0});
      }
      ++postings.back().count;
    }
    lengths.push_back(static_cast<double>(words.size()));
    total += lengths.back();
  }
  const double average = std::max(1.0, total / static_cast<double>(lengths.size()));
  for (const double length : lengths) {
    length_norms_.push_back(kK1 * (1 - kB + kB * length / average));
  }
}

double KeywordIndex::Weight(std::size_t records_with_word) const {
  const auto all = static_cast<double>(length_norms_.size());
  const auto with = static_cast<double>(records_with_word);
  return std::log1p((all - with + 0.5) / (with + 0.5));
}

std::vector<Neighbor> KeywordIndex::Search(std::string_view query,
                                           const SearchLimits& limits) const {
  std::vector<double> scores(length_norms_.size());
  double known_weight = 0;
  const std::vector<std::string> words = SearchWords(query);
  for (const std::string& word : std::set(words.begin(), words.end())) {
    const auto found = postings_.find(word);
    if (found == postings_.end()) continue;
    const double weight = Weight(found->second.size());
    known_weight += weight;
    for (const auto& [record, count] : found->second) {
      const double times = count;
      scores[record] += weight * times * (kK1 + 1) / (times + length_norms_[record]);
    }
  }
  const double full = std::max(known_weight, Weight(1));
  const auto distance = [&](double score) {
    return static_cast<float>(std::max(0.0, 1 - score / full));
  };
  Nearest nearest(limits.top_k);  // by score: several records may be at distance 0
  for (std::size_t record = 0; record < scores.size(); ++record) {
    if (scores[record] == 0) continue;
    if (!limits.accepted.empty() && limits.accepted[record] == 0) continue;
    if (distance(scores[record]) > limits.max_distance) continue;
    nearest.Offer({static_cast<float>(-scores[record]), record});
  }
  std::vector<Neighbor> found = nearest.Take();
  for (Neighbor& neighbor : found) neighbor.distance = distance(-neighbor.distance);
  return found;
}

}  // namespace talefold
