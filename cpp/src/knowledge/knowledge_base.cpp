#include "knowledge/knowledge_base.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "base/text.h"

namespace talefold {
namespace {

constexpr std::int64_t kMaxTextBytes = 64 * 1024;
constexpr std::size_t kMaxRecords = 10'000'000;

std::string ReadText(const JsonAt& at) {
  std::string text = at.String();
  try {
    CheckText(text, "the text", kMaxTextBytes);
  } catch (const Error& error) {
    at.Fail(error.message());
  }
  if (TrimWhitespace(text).empty()) at.Fail("is empty");
  return text;
}

}  // namespace

KnowledgeBase::KnowledgeBase(KnowledgeConfig config, std::string_view records_text,
                             std::shared_ptr<Embedder> embedder)
    : config_(std::move(config)),
      embedder_(std::move(embedder)),
      metadata_(config_.fields) {
  ReadRecords(records_text);
  MakeIndex();
}

void KnowledgeBase::ReadRecords(std::string_view text) {
  constexpr ErrorCode kCode = ErrorCode::MalformedEmbeddedStorage;
  const json::value document = ParseJson(text, kCode, "records");
  const JsonAt at(document, "records", kCode);
  const std::size_t count = at.size();
  if (count > kMaxRecords) {
    at.Fail(std::to_string(count) + " records; at most " + std::to_string(kMaxRecords) +
            " are allowed");
  }
  std::unordered_map<std::string, std::size_t> positions;
  for (std::size_t i = 0; i < count; ++i) {
    const JsonAt record = at[i];
    record.CheckKeys({"id", "text", "metadata"});
    const JsonAt id_at = record.Member("id");
    const std::string id = ReadText(id_at);
    const auto [first, is_new] = positions.emplace(id, i);
    if (!is_new) {
      id_at.Fail(DescribeJson(id_at.value()) + " is the id of records[" +
                 std::to_string(first->second) + "], too");
    }
    records_.push_back({id, ReadText(record.Member("text"))});
    const json::value none = json::object();
    metadata_.Append((record.Has("metadata")
                          ? record.Member("metadata")
                          : JsonAt(none, record.path() + ".metadata", kCode))
                         .WithCode(ErrorCode::InvalidMetadata));
  }
}

void KnowledgeBase::MakeIndex() {
  std::vector<std::string> texts;
  for (const KnowledgeRecord& record : records_) texts.push_back(record.text);
  if (!embedder_) {
    index_.emplace<KeywordIndex>(texts);
    return;
  }
  const std::vector<float> rows = embedder_->Embed(texts);
  if (rows.size() != texts.size() * embedder_->dimensions()) {
    throw Error(ErrorCode::EmbeddingFailed,
                "the embedding model gave " + std::to_string(rows.size()) +
                    " numbers for " + std::to_string(texts.size()) + " texts of " +
                    std::to_string(embedder_->dimensions()) + " dimensions");
  }
  index_.emplace<VectorIndex>(rows, embedder_->dimensions());
}

std::string_view KnowledgeBase::search_method() const {
  return embedder_ ? "cosine" : "bm25";
}

std::vector<KnowledgeHit> KnowledgeBase::Search(const KnowledgeQuery& query) const {
  std::vector<std::uint8_t> accepted;
  SearchLimits limits{.top_k = std::min(query.top_k, records_.size())};
  if (query.max_distance > 0) {
    limits.max_distance = static_cast<float>(query.max_distance);
  }
  if (query.filter != nullptr && !records_.empty()) {
    accepted = query.filter->Accepted(metadata_);
    limits.accepted = accepted;
  }
  std::vector<KnowledgeHit> hits;
  for (const Neighbor& neighbor : SearchIndex(query.text, limits)) {
    hits.push_back({neighbor.record, neighbor.distance});
  }
  return hits;
}

std::vector<Neighbor> KnowledgeBase::SearchIndex(std::string_view text,
                                                 const SearchLimits& limits) const {
  if (const auto* keywords = std::get_if<KeywordIndex>(&index_)) {
    return keywords->Search(text, limits);
  }
  const std::string texts[] = {std::string(text)};
  return std::get<VectorIndex>(index_).Search(embedder_->Embed(texts), limits);
}

std::optional<std::size_t> KnowledgeBase::FindField(std::string_view name) const {
  const auto field = std::ranges::find(config_.fields, name, &KnowledgeField::name);
  if (field == config_.fields.end()) return std::nullopt;
  return static_cast<std::size_t>(field - config_.fields.begin());
}

}  // namespace talefold
