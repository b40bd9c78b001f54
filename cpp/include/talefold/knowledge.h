// Knowledge bases (embedded storages): records that are found by what they say.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace talefold {

// Where a knowledge base comes from: a config file, or two JSON texts.
struct KnowledgeSource {
  // Path of the config file, relative to the engine's storage root, as is the records
  // file that it names. Only without `config`.
  std::string config_file = {};
  std::string config = {};   // as in a config file, without "records_file"
  std::string records = {};  // as in a records file
};

struct KnowledgeInfo {
  // "cosine": by an embedding model. "bm25": by common words, as the config names no
  // model, or one that was not loaded when the knowledge base was.
  std::string search_method = {};
  std::string embedding_model = {};      // that the config names; empty = none
  std::int64_t records = 0;              // how many
  std::vector<std::string> fields = {};  // names, in the config's order
};

struct KnowledgeSearch {
  std::string_view text = {};    // what to look for, UTF-8
  std::int32_t top_k = 2;        // records at most, 1 to 1000
  double max_distance = 0;       // 0 to 2; 0 = any
  std::string_view filter = {};  // JSON; empty = none
};

struct FoundRecord {
  std::string id = {};
  std::string text = {};
  double distance = 0;        // 0 = the same; 1 - cosine, or the like of BM25
  std::string metadata = {};  // a JSON object; without optional fields it lacks
};

}  // namespace talefold
