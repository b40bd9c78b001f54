// Where nodes get their knowledge bases from: by name, or from a config file.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/logger.h"
#include "inference/embedder.h"
#include "knowledge/knowledge_base.h"
#include "knowledge/knowledge_cache.h"
#include "storage/name_table.h"
#include "storage/storage_root.h"
#include "talefold/knowledge.h"

namespace talefold {

// One per engine. Any thread; a knowledge base that was handed out stays valid whatever
// happens to its name. Nothing is locked while files are read and records embedded, but
// for others who ask for the very same content.
class KnowledgeRegistry {
 public:
  static constexpr std::size_t kMaxRecordsBytes = 256 << 20;  // of a records file

  // nullptr when no embedding model of this name is loaded.
  using FindEmbedder =
      std::function<std::shared_ptr<Embedder>(const std::string& name)>;

  KnowledgeRegistry(StorageRoot root, FindEmbedder find_embedder, Logger& logger);

  // Reads a knowledge base and makes it known under a name; may take long. Throws what
  // NameTable::Add, StorageRoot::Read, ParseKnowledgeConfig and KnowledgeBase throw.
  void Add(std::string_view name, const KnowledgeSource& source);
  // False when there is no such name.
  bool Remove(std::string_view name);

  // The knowledge base that a node's param refers to: a name, or the path of a config
  // file under the storage root, which is read anew at every call, and its records
  // embedded unless somebody has the same knowledge base. Throws what Add throws.
  std::shared_ptr<const KnowledgeBase> Get(std::string_view reference);

  void Clear() { named_.Clear(); }

 private:
  using Base = std::shared_ptr<const KnowledgeBase>;

  Base Read(const std::string& what, const KnowledgeSource& source);
  Base Build(const std::string& what, const KnowledgeConfig& config,
             std::string_view config_text, std::string_view records_text);
  std::shared_ptr<Embedder> Embedding(const std::string& what,
                                      const std::string& model);

  const StorageRoot root_;
  const FindEmbedder find_embedder_;
  Logger& logger_;
  NameTable<KnowledgeBase> named_;
  KnowledgeCache cache_;
};

}  // namespace talefold
