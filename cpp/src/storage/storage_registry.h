// Where nodes get their string storages from: by name, or from a file.
#pragma once

#include <memory>
#include <string_view>

#include "storage/name_table.h"
#include "storage/storage_root.h"
#include "storage/string_storage.h"

namespace talefold {

// One per engine. Thread-safe; a storage that was handed out stays valid whatever
// happens to its name.
class StorageRegistry {
 public:
  explicit StorageRegistry(StorageRoot root);

  // Makes a storage known under a name. Throws what NameTable::Add throws.
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
  std::shared_ptr<const StringStorage> Load(std::string_view path,
                                            StorageKind kind) const;

  const StorageRoot root_;
  NameTable<StringStorage> named_;
};

}  // namespace talefold
