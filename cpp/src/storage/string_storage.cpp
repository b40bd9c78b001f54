#include "storage/string_storage.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/json.h"
#include "base/text.h"
#include "talefold/error.h"

namespace talefold {
namespace {

void CheckEntryText(std::string_view text, const std::string& place) {
  if (text.size() > StringStorage::kMaxEntryBytes) {
    throw Error(ErrorCode::StorageTooLarge,
                place + " is " + std::to_string(text.size()) + " bytes long; at most " +
                    std::to_string(StringStorage::kMaxEntryBytes) + " are allowed");
  }
  const std::size_t bad = FindBadText(text);
  if (bad == text.npos) return;
  throw Error(ErrorCode::MalformedStorage,
              place +
                  (text[bad] == '\0' ? " has a NUL character" : " is not valid UTF-8") +
                  " at byte offset " + std::to_string(bad));
}

}  // namespace

std::string_view StorageKindName(StorageKind kind) {
  switch (kind) {
    case StorageKind::List:
      return "list";
    case StorageKind::Map:
      return "map";
    case StorageKind::Multimap:
      break;
  }
  return "multimap";
}

std::shared_ptr<const StringStorage> StringStorage::List(std::vector<std::string> texts,
                                                         const std::string& what) {
  std::vector<StorageEntry> entries;
  entries.reserve(texts.size());
  for (std::string& text : texts) entries.push_back({{}, std::move(text)});
  return std::shared_ptr<const StringStorage>(
      new StringStorage(StorageKind::List, std::move(entries), what));
}

std::shared_ptr<const StringStorage> StringStorage::Map(
    std::vector<StorageEntry> entries, const std::string& what) {
  return std::shared_ptr<const StringStorage>(
      new StringStorage(StorageKind::Map, std::move(entries), what));
}

std::shared_ptr<const StringStorage> StringStorage::Multimap(
    std::vector<StorageEntry> entries, const std::string& what) {
  return std::shared_ptr<const StringStorage>(
      new StringStorage(StorageKind::Multimap, std::move(entries), what));
}

StringStorage::StringStorage(StorageKind kind, std::vector<StorageEntry> entries,
                             const std::string& what)
    : kind_(kind), entries_(std::move(entries)) {
  CheckCount(entries_.size(), what);
  CheckEntries(what);
  if (kind_ != StorageKind::List) SortIds(what);
}

void StringStorage::CheckCount(std::size_t entries, const std::string& what) {
  if (entries <= kMaxEntries) return;
  throw Error(ErrorCode::StorageTooLarge,
              what + ": more than " + std::to_string(kMaxEntries) + " entries");
}

void StringStorage::CheckEntries(const std::string& what) const {
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const std::string place = what + ": [" + std::to_string(i) + "]";
    CheckEntryText(entries_[i].text, place + ".text");
    if (kind_ == StorageKind::List) continue;
    CheckEntryText(entries_[i].id, place + ".id");
    if (entries_[i].id.empty()) {
      throw Error(ErrorCode::MalformedStorage, place + ".id is empty");
    }
  }
}

void StringStorage::SortIds(const std::string& what) {
  by_id_.resize(entries_.size());
  std::iota(by_id_.begin(), by_id_.end(), std::uint32_t{0});
  const auto id = [this](std::uint32_t index) -> const std::string& {
    return entries_[index].id;
  };
  std::ranges::stable_sort(by_id_, {}, id);
  if (kind_ == StorageKind::Multimap) return;
  const auto twice = std::ranges::adjacent_find(by_id_, {}, id);
  if (twice == by_id_.end()) return;
  throw Error(ErrorCode::DuplicateStorageId,
              what + ": [" + std::to_string(twice[1]) + "].id is " +
                  DescribeJson(json::value(id(*twice))) + " as [" +
                  std::to_string(*twice) + "].id is; the ids of a map are unique",
              "rename one, or make it a multimap");
}

std::span<const std::uint32_t> StringStorage::Find(std::string_view id) const {
  const auto found = std::ranges::equal_range(
      by_id_, id, {},
      [this](std::uint32_t index) { return std::string_view(entries_[index].id); });
  return {found.begin(), found.end()};
}

}  // namespace talefold
