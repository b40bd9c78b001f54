#include "storage/storage_registry.h"

#include <limits>
#include <utility>

#include "base/json.h"
#include "base/text.h"
#include "storage/storage_format.h"
#include "talefold/error.h"

namespace talefold {
namespace {

std::string Quoted(std::string_view text) { return DescribeJson(json::value(text)); }

[[noreturn]] void FailConflict(std::string_view name) {
  throw Error(ErrorCode::StorageNameConflict,
              "the storage name " + Quoted(name) +
                  " is also the path of a file under the storage root",
              "rename the storage, or the file");
}

void CheckKind(StorageKind actual, StorageKind expected, const std::string& what) {
  if (actual == expected) return;
  throw Error(ErrorCode::StorageKindMismatch,
              what + " is a " + std::string(StorageKindName(actual)) + "; expected a " +
                  std::string(StorageKindName(expected)));
}

}  // namespace

StorageRegistry::StorageRegistry(StorageRoot root) : root_(std::move(root)) {}

void StorageRegistry::Add(std::string_view name,
                          std::shared_ptr<const StringStorage> storage) {
  CheckText(name, "a storage name", std::numeric_limits<std::int64_t>::max());
  if (name.empty()) throw Error(ErrorCode::InvalidArgument, "a storage name is empty");
  if (root_.HasFile(name)) FailConflict(name);
  const std::lock_guard lock(mutex_);
  if (!named_.try_emplace(std::string(name), std::move(storage)).second) {
    throw Error(ErrorCode::InvalidArgument,
                "there is already a storage named " + Quoted(name),
                "remove it first, or choose another name");
  }
}

bool StorageRegistry::Remove(std::string_view name) {
  const std::lock_guard lock(mutex_);
  const auto found = named_.find(name);
  if (found == named_.end()) return false;
  named_.erase(found);
  return true;
}

std::shared_ptr<const StringStorage> StorageRegistry::Get(std::string_view reference,
                                                          StorageKind kind) const {
  const auto named = FindNamed(reference);
  if (!named) return Load(reference, kind);
  if (root_.HasFile(reference)) FailConflict(reference);  // it came after the name
  CheckKind(named->kind(), kind, "storage " + Quoted(reference));
  return named;
}

std::shared_ptr<const StringStorage> StorageRegistry::FindNamed(
    std::string_view name) const {
  const std::lock_guard lock(mutex_);
  const auto found = named_.find(name);
  return found == named_.end() ? nullptr : found->second;
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
