// The embedding models of an engine, by name.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "inference/embedder.h"
#include "talefold/embedding_model.h"

namespace talefold {

// A table of its own beside that of models that write: neither can stand in for the
// other, and the only model that writes stays the default however many embed.
// Thread-safe.
class EmbeddingModelTable {
 public:
  // Throws InvalidArgument for an empty or used name.
  void CheckFree(const std::string& name) const;
  void Add(const std::string& name, std::shared_ptr<Embedder> model);
  // Throws ModelNotFound, naming `user` (whoever needs it) and those that are loaded.
  void Remove(const std::string& name, std::string_view user);
  std::shared_ptr<Embedder> Get(const std::string& name, std::string_view user) const;
  // nullptr when there is none.
  std::shared_ptr<Embedder> Find(const std::string& name) const;
  std::vector<EmbeddingModelInfo> List() const;
  void Clear();

 private:
  [[noreturn]] void FailUnknown(const std::string& name, std::string_view user) const;

  mutable std::mutex mutex_;
  std::map<std::string, std::shared_ptr<Embedder>> models_;  // guarded by mutex_
};

}  // namespace talefold
