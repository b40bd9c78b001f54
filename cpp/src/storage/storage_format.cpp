#include "storage/storage_format.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/json.h"
#include "base/text.h"
#include "base/text_position.h"
#include "talefold/error.h"

namespace talefold {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

bool EndsInAnyCase(std::string_view name, std::string_view ending) {
  if (name.size() < ending.size()) return false;
  return std::ranges::equal(name.substr(name.size() - ending.size()), ending, {},
                            [](char c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; });
}

[[noreturn]] void Fail(const std::string& place, const std::string& reason) {
  throw Error(ErrorCode::MalformedStorage, place + " " + reason);
}

void CheckContent(std::string_view content, const std::string& what) {
  const std::size_t bad = FindBadText(content);
  if (bad == content.npos) return;
  const bool nul = content[bad] == '\0';
  throw Error(ErrorCode::MalformedStorage,
              what + ": " + DescribePosition(content, bad) +
                  (nul ? ": a NUL character" : ": not valid UTF-8"),
              "save the file as UTF-8");
}

std::shared_ptr<const StringStorage> ParseList(std::string_view content,
                                               const std::string& what) {
  std::vector<std::string> texts;
  std::size_t number = 1;
  for (std::size_t begin = 0; begin < content.size(); ++number) {
    const std::size_t end = std::min(content.find('\n', begin), content.size());
    const std::string_view text = TrimWhitespace(content.substr(begin, end - begin));
    begin = end + 1;
    if (text.empty() || text.starts_with('#')) continue;
    if (text.size() > StringStorage::kMaxEntryBytes) {
      throw Error(ErrorCode::StorageTooLarge,
                  what + ": line " + std::to_string(number) + " is " +
                      std::to_string(text.size()) + " bytes long; at most " +
                      std::to_string(StringStorage::kMaxEntryBytes) + " are allowed");
    }
    texts.emplace_back(text);
    StringStorage::CheckCount(texts.size(), what);
  }
  return StringStorage::List(std::move(texts), what);
}

std::string TakeString(json::object& object, std::string_view key,
                       const std::string& place) {
  json::value* const value = object.if_contains(key);
  if (value == nullptr) Fail(place, "has no \"" + std::string(key) + "\"");
  if (!value->is_string()) {
    Fail(place + "." + std::string(key),
         "is " + DescribeJson(*value) + "; expected a string");
  }
  const json::string& text = value->get_string();
  return {text.data(), text.size()};
}

StorageEntry ReadEntry(json::value& value, const std::string& place) {
  json::object* const object = value.if_object();
  if (object == nullptr) {
    Fail(place, "is " + DescribeJson(value) + "; expected {\"id\", \"text\"}");
  }
  StorageEntry entry{TakeString(*object, "id", place),
                     TakeString(*object, "text", place)};
  for (const auto& member : *object) {
    if (member.key() == "id" || member.key() == "text") continue;
    Fail(place, "has the unknown key " + DescribeJson(json::value(member.key())) +
                    "; expected \"id\" and \"text\"");
  }
  return entry;
}

std::vector<StorageEntry> ReadEntries(std::string_view content,
                                      const std::string& what) {
  json::value document = ParseJson(content, ErrorCode::MalformedStorage, what);
  json::array* const items = document.if_array();
  if (items == nullptr) {
    Fail(what + ":", "the top level is of type " + std::string(JsonTypeName(document)) +
                         "; expected a list of {\"id\", \"text\"}");
  }
  std::vector<StorageEntry> entries;
  entries.reserve(items->size());
  for (json::value& item : *items) {
    entries.push_back(
        ReadEntry(item, what + ": [" + std::to_string(entries.size()) + "]"));
  }
  return entries;
}

}  // namespace

std::optional<StorageKind> StorageKindOf(std::string_view file_name) {
  if (EndsInAnyCase(file_name, ".txt")) return StorageKind::List;
  if (EndsInAnyCase(file_name, ".mm.json")) return StorageKind::Multimap;
  if (EndsInAnyCase(file_name, ".json")) return StorageKind::Map;
  return std::nullopt;
}

std::shared_ptr<const StringStorage> ParseStorage(StorageKind kind,
                                                  std::string_view content,
                                                  const std::string& what) {
  if (content.starts_with(kByteOrderMark)) {
    content.remove_prefix(kByteOrderMark.size());
  }
  CheckContent(content, what);
  switch (kind) {
    case StorageKind::List:
      return ParseList(content, what);
    case StorageKind::Map:
      return StringStorage::Map(ReadEntries(content, what), what);
    case StorageKind::Multimap:
      break;
  }
  return StringStorage::Multimap(ReadEntries(content, what), what);
}

}  // namespace talefold
