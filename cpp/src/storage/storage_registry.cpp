#include "storage/storage_registry.h"

#include <utility>

#include "base/json.h"
#include "storage/storage_format.h"
#include "talefold/error.h"

namespace talefold {
namespace {

std::string Quoted(std::string_view text) { return DescribeJson(json::value(text)); }

void CheckKind(StorageKind actual, StorageKind expected, const std::string& what) {
  if (actual == expected) return;
  throw Error(ErrorCode::StorageKindMismatch,
              what + " is a " + std::string(StorageKindName(actual)) + "; expected a " +
                  std::string(StorageKindName(expected)));
}

}  // namespace

StorageRegistry::StorageRegistry(StorageRoot root)
    : root_(std::move(root)), named_(root_, "storage") {}

void StorageRegistry::Add(std::string_view name,
                          std::shared_ptr<const StringStorage> storage) {
  named_.Add(name, std::move(storage));
}

bool StorageRegistry::Remove(std::string_view name) { return named_.Remove(name); }

std::shared_ptr<const StringStorage> StorageRegistry::Get(std::string_view reference,
                                                          StorageKind kind) const {
  const auto named = named_.Find(reference);
  if (!named) return Load(reference, kind);
  CheckKind(named->kind(), kind, "storage " + Quoted(reference));
  return named;
}

std::shared_ptr<const StringStorage> StorageRegistry::Load(std::string_view path,
                                                           StorageKind kind) const {
  const std::string content = root_.Read(path);
  const std::string what = "storage file " + Quoted(path);
  const auto actual = StorageKindOf(path);
  if (!actual) {
    throw Error(ErrorCode::StorageKindMismatch, what + " has an unknown ending",
                "name a list .txt, a map .json and a multimap .mm.json");
  }
  CheckKind(*actual, kind, what);
  return ParseStorage(kind, content, what);
}

}  // namespace talefold
