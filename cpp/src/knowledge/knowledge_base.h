// An embedded storage: records that are found by what they say.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "inference/embedder.h"
#include "knowledge/filter.h"
#include "knowledge/keyword_index.h"
#include "knowledge/knowledge_config.h"
#include "knowledge/metadata.h"
#include "knowledge/vector_index.h"

namespace talefold {

struct KnowledgeRecord {
  std::string id;
  std::string text;
};

struct KnowledgeQuery {
  std::string_view text;           // valid UTF-8
  std::size_t top_k = 2;           // records at most
  double max_distance = 0;         // 0 = any
  const Filter* filter = nullptr;  // made for this storage's fields
};

struct KnowledgeHit {
  std::size_t record = 0;  // position
  double distance = 0;     // 0 = the same; cosine distance, or KeywordIndex's
};

// The files are read by the caller, who knows where paths may lead: first the config,
// then the records file and the embedding model that it names.
//
// Built once, which embeds every record and may take long; then immutable: any thread
// may search. Owned by the engine, shared by the nodes that use it.
class KnowledgeBase {
 public:
  // `records_text`: [{"id": "..", "text": "..", "metadata": {..}}], metadata may be
  // left out. `embedder`: nullptr = search by keywords. Throws
  // MalformedEmbeddedStorage, InvalidMetadata with the JSON path
  // ("records[3].metadata.year"), EmbeddingFailed.
  KnowledgeBase(KnowledgeConfig config, std::string_view records_text,
                std::shared_ptr<Embedder> embedder);

  const KnowledgeConfig& config() const { return config_; }
  const std::vector<KnowledgeRecord>& records() const { return records_; }
  const Metadata& metadata() const { return metadata_; }

  // "cosine", or "bm25" when there is no embedding model: worth a line in the log, as
  // keywords find only what has the same words.
  std::string_view search_method() const;

  // Nearest first; equally near ones in the records' order. Throws EmbeddingFailed.
  std::vector<KnowledgeHit> Search(const KnowledgeQuery& query) const;

  // Position of the field in config().fields; nullopt when there is none.
  std::optional<std::size_t> FindField(std::string_view name) const;

 private:
  void ReadRecords(std::string_view text);
  void MakeIndex();
  std::vector<Neighbor> SearchIndex(std::string_view text,
                                    const SearchLimits& limits) const;

  const KnowledgeConfig config_;
  const std::shared_ptr<Embedder> embedder_;
  std::vector<KnowledgeRecord> records_;
  Metadata metadata_;
  std::variant<std::monostate, VectorIndex, KeywordIndex> index_;  // set when built
};

}  // namespace talefold
