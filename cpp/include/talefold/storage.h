// String storages: lists and tables of texts that nodes refer to by name.
#pragma once

#include <string>

namespace talefold {

// List: texts in order, without ids. Map: each text has an id of its own. Multimap:
// texts may share an id.
enum class StorageKind { List, Map, Multimap };

struct StorageEntry {
  std::string id = {};    // empty in a List
  std::string text = {};  // UTF-8
};

}  // namespace talefold
