// Where nodes get their string storages from: by name, or from a file.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "storage/storage_root.h"
#include "storage/string_storage.h"

namespace talefold {

// One per engine. Thread-safe; a storage that was handed out stays valid whatever
// happens to its name.
class StorageRegistry {
 public:
  explicit StorageRegistry(StorageRoot root);

  // Makes a storage known under a name. Throws InvalidArgument (an empty name, one that
  // is taken, a NUL character), InvalidUtf8, or StorageNameConflict when the storage
  // root has a file of that very path.
  void Add(std::string_view name, std::shared_ptr<const StringStorage> storage);
  // False when there is no such name.
  bool Remove(std::string_view name);

  // The storage that a node's param refers to: a name, or the path of a file, which is
  // read anew at every call. Throws StorageFileNotFound when it is neither, and what
  // StorageRoot::Read and ParseStorage throw; StorageKindMismatch when it is not of
  // `kind`; StorageNameConflict when it is both.
  std::shared_ptr<const StringStorage> Get(std::string_view reference,
                                           StorageKind kind) const;

 private:
  std::shared_ptr<const StringStorage> FindNamed(std::string_view name) const;
  std::shared_ptr<const StringStorage> Load(std::string_view path,
                                            StorageKind kind) const;

  const StorageRoot root_;
  mutable std::mutex mutex_;  // guards named_; never held while a file is read
  std::map<std::string, std::shared_ptr<const StringStorage>, std::less<>> named_;
};

}  // namespace talefold
