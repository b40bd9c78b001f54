// The file formats of string storages.
#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "storage/string_storage.h"

namespace talefold {

// The kind that the ending of a file name says: ".txt" a List, ".json" a Map,
// ".mm.json" a Multimap; upper case too. nullopt for any other ending.
std::optional<StorageKind> StorageKindOf(std::string_view file_name);

// The text of a storage file, UTF-8, with or without a byte order mark; lines end in LF
// or CRLF.
//
// A List has one text a line, white space around it removed; blank lines and those that
// begin with # are skipped. A Map or Multimap is a JSON list of {"id", "text"}.
//
// `what` names the file in messages. Throws what StringStorage throws, and
// MalformedStorage with line, or path like "[3].text", for anything that is not so.
std::shared_ptr<const StringStorage> ParseStorage(StorageKind kind,
                                                  std::string_view content,
                                                  const std::string& what);

}  // namespace talefold
