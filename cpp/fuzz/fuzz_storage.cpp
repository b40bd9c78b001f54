// Files of string storages and of knowledge bases: every input is read as each of them.
#include <algorithm>
#include <set>

#include "base/json.h"
#include "base/text.h"
#include "fuzz.h"
#include "knowledge_example.h"
#include "storage/storage_format.h"

using namespace talefold;

namespace {

// The content of a file with the same entries.
std::string Written(const StringStorage& storage) {
  if (storage.kind() == StorageKind::List) {
    std::string lines = "\n";  // what comes first could pass for a byte order mark
    for (std::size_t i = 0; i < storage.size(); ++i) {
      lines += storage.entry(i).text + "\n";
    }
    return lines;
  }
  json::array list;
  for (std::size_t i = 0; i < storage.size(); ++i) {
    list.push_back(
        json::object{{"id", storage.entry(i).id}, {"text", storage.entry(i).text}});
  }
  return json::serialize(list);
}

void CheckStorage(const StringStorage& storage) {
  std::set<std::string> ids;
  for (std::size_t i = 0; i < storage.size(); ++i) {
    const StorageEntry& entry = storage.entry(i);
    fuzz::Require(FindBadText(entry.id + entry.text) == std::string::npos,
                  "texts are UTF-8");
    const bool is_new = ids.insert(entry.id).second;
    if (storage.kind() == StorageKind::List) continue;
    fuzz::Require(is_new || storage.kind() == StorageKind::Multimap,
                  "ids of a map are unique");
    const auto found = storage.Find(entry.id);
    fuzz::Require(std::ranges::find(found, i) != found.end(), "an entry is found");
  }
  const auto again = ParseStorage(storage.kind(), Written(storage), "written");
  bool same = again->size() == storage.size();
  for (std::size_t i = 0; same && i < storage.size(); ++i) {
    same = again->entry(i).id == storage.entry(i).id &&
           again->entry(i).text == storage.entry(i).text;
  }
  fuzz::Require(same, "a storage is read as it was written");
}

void CheckKnowledge(const KnowledgeBase& base) {
  std::set<std::string> ids;
  for (std::size_t i = 0; i < base.records().size(); ++i) {
    fuzz::Require(ids.insert(base.records()[i].id).second, "ids are unique");
    base.metadata().Object(i);
  }
  for (const KnowledgeHit& hit : base.Search({.text = "the dragon", .top_k = 1000})) {
    fuzz::Require(
        hit.record < base.records().size() && hit.distance >= 0 && hit.distance <= 2,
        "a hit is a record, at a distance");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using enum StorageKind;
  const std::string_view content = fuzz::AsText(data, size);
  for (const StorageKind kind : {List, Map, Multimap}) {
    const auto storage =
        fuzz::Try([&] { return ParseStorage(kind, content, "the input"); });
    if (storage) CheckStorage(**storage);
  }
  const auto as_records = fuzz::Try([&] {
    CheckKnowledge({fuzz::ExampleConfig(), content, nullptr});
    return true;
  });
  const auto as_config = fuzz::Try([&] {
    CheckKnowledge({ParseKnowledgeConfig(content, RecordsPlace::Beside),
                    R"([{"id": "dragon", "text": "the dragon"}])", nullptr});
    return true;
  });
  fuzz::Require(!as_records || !as_config, "records are no config");
  return 0;
}
