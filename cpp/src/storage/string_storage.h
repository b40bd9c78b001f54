// Lists and tables of texts that belong to a game's content: canned lines, patterns,
// instructions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "talefold/storage.h"

namespace talefold {

// "list", "map" or "multimap".
std::string_view StorageKindName(StorageKind kind);

// Immutable, therefore shared by shared_ptr and used from any thread. Entries have the
// order in which they were given.
class StringStorage {
 public:
  static constexpr std::size_t kMaxEntryBytes = 64 << 10;  // of one text or id
  static constexpr std::size_t kMaxEntries = 1'000'000;

  // `what` names the source in messages: "file 'lines.txt'", "storage 'greetings'".
  // Throws MalformedStorage (an empty id, invalid UTF-8, a NUL character),
  // StorageTooLarge (over kMaxEntries, an entry over kMaxEntryBytes) or
  // DuplicateStorageId (in a Map); messages name the entry as "[3].text".
  static std::shared_ptr<const StringStorage> List(std::vector<std::string> texts,
                                                   const std::string& what);
  static std::shared_ptr<const StringStorage> Map(std::vector<StorageEntry> entries,
                                                  const std::string& what);
  static std::shared_ptr<const StringStorage> Multimap(
      std::vector<StorageEntry> entries, const std::string& what);

  StorageKind kind() const { return kind_; }
  std::size_t size() const { return entries_.size(); }
  const StorageEntry& entry(std::size_t index) const { return entries_[index]; }

  // Throws StorageTooLarge, for a reader that wants to stop early.
  static void CheckCount(std::size_t entries, const std::string& what);

  // Indices of the entries with this id, ascending; empty when there is none, at most
  // one in a Map. O(log n).
  std::span<const std::uint32_t> Find(std::string_view id) const;

 private:
  StringStorage(StorageKind kind, std::vector<StorageEntry> entries,
                const std::string& what);

  void CheckEntries(const std::string& what) const;
  void SortIds(const std::string& what);

  StorageKind kind_;
  std::vector<StorageEntry> entries_;
  std::vector<std::uint32_t> by_id_;  // entries of a Map or Multimap, sorted by id
};

}  // namespace talefold
