// Knowledge bases of the same content are one.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "knowledge/knowledge_base.h"

namespace talefold {

// Any thread. Owns no knowledge base: one is gone when nobody uses it.
class KnowledgeCache {
 public:
  // The knowledge base made of these bytes with this embedder, built unless somebody
  // has it. Who asks for it while it is being built waits; others do not. Throws what
  // KnowledgeBase throws.
  std::shared_ptr<const KnowledgeBase> Get(const KnowledgeConfig& config,
                                           std::string_view config_text,
                                           std::string_view records_text,
                                           const std::shared_ptr<Embedder>& embedder);

 private:
  struct Key {
    std::string config;
    std::size_t records_size;
    std::size_t records_hash;
    // Never one that is gone: whoever has the knowledge base has its embedder.
    const Embedder* embedder;

    auto operator<=>(const Key&) const = default;
  };
  struct Slot {
    std::mutex building;  // held while this one knowledge base is built
    std::weak_ptr<const KnowledgeBase> base;  // guarded by building
  };

  std::shared_ptr<Slot> FindSlot(const Key& key);

  std::mutex mutex_;  // guards slots_; never held while something is built
  std::map<Key, std::shared_ptr<Slot>> slots_;
};

}  // namespace talefold
