#include "runtime/embedding_model_table.h"

#include <utility>

#include "graph/descriptor.h"
#include "talefold/error.h"

namespace talefold {
namespace {

[[noreturn]] void FailTaken(const std::string& name) {
  throw Error(ErrorCode::InvalidArgument,
              "an embedding model named '" + name + "' is loaded",
              "choose another name, or unload that model first");
}

}  // namespace

void EmbeddingModelTable::CheckFree(const std::string& name) const {
  if (name.empty()) {
    throw Error(ErrorCode::InvalidArgument, "an embedding model needs a name");
  }
  const std::lock_guard lock(mutex_);
  if (models_.contains(name)) FailTaken(name);
}

void EmbeddingModelTable::Add(const std::string& name,
                              std::shared_ptr<Embedder> model) {
  CheckFree(name);
  const std::lock_guard lock(mutex_);
  if (!models_.emplace(name, std::move(model)).second) FailTaken(name);
}

void EmbeddingModelTable::Remove(const std::string& name, std::string_view user) {
  std::unique_lock lock(mutex_);
  const auto found = models_.find(name);
  if (found == models_.end()) {
    lock.unlock();
    FailUnknown(name, user);
  }
  models_.erase(found);
}

std::shared_ptr<Embedder> EmbeddingModelTable::Get(const std::string& name,
                                                   std::string_view user) const {
  if (auto model = Find(name)) return model;
  FailUnknown(name, user);
}

std::shared_ptr<Embedder> EmbeddingModelTable::Find(const std::string& name) const {
  const std::lock_guard lock(mutex_);
  const auto found = models_.find(name);
  return found == models_.end() ? nullptr : found->second;
}

std::vector<EmbeddingModelInfo> EmbeddingModelTable::List() const {
  const std::lock_guard lock(mutex_);
  std::vector<EmbeddingModelInfo> list;
  for (const auto& [name, model] : models_) {
    list.push_back({name, static_cast<std::int32_t>(model->dimensions())});
  }
  return list;
}

void EmbeddingModelTable::Clear() {
  const std::lock_guard lock(mutex_);
  models_.clear();
}

void EmbeddingModelTable::FailUnknown(const std::string& name,
                                      std::string_view user) const {
  const std::lock_guard lock(mutex_);
  std::vector<std::string_view> names;
  for (const auto& each : models_) names.push_back(each.first);
  throw Error(ErrorCode::ModelNotFound,
              std::string(user) + ": no embedding model named '" + name +
                  "'; loaded: " + (names.empty() ? "none" : ListNames(names)),
              "load the embedding model first");
}

}  // namespace talefold
