// Content of games in an engine: string storages, embedding models, knowledge bases.
#include <cmath>
#include <limits>
#include <utility>

#include "base/error_place.h"
#include "base/json.h"
#include "base/text.h"
#include "runtime/engine_impl.h"

#ifdef TALEFOLD_WITH_LLAMA
#include "inference/llama/llama_embedder.h"
#endif

namespace talefold {
namespace {

constexpr std::int32_t kMaxTopK = 1000;
constexpr double kMaxDistance = 2;  // of cosines

std::shared_ptr<const StringStorage> MakeStorage(const std::string& name,
                                                 StorageKind kind,
                                                 std::vector<StorageEntry> entries) {
  const std::string what = "storage " + DescribeJson(json::value(name));
  if (kind == StorageKind::Map) return StringStorage::Map(std::move(entries), what);
  if (kind == StorageKind::Multimap) {
    return StringStorage::Multimap(std::move(entries), what);
  }
  std::vector<std::string> texts;
  for (StorageEntry& entry : entries) texts.push_back(std::move(entry.text));
  return StringStorage::List(std::move(texts), what);
}

std::shared_ptr<Embedder> MakeEmbedder(const EmbeddingModelOptions& options,
                                       [[maybe_unused]] Logger& logger) {
#ifdef TALEFOLD_WITH_LLAMA
  return std::make_shared<LlamaEmbedder>(options, logger);
#else
  throw Error(ErrorCode::ModelLoadFailed,
              "'" + options.path + "': this build of Talefold is without llama.cpp",
              "build with the CMake option TALEFOLD_LLAMA=ON");
#endif
}

void CheckSearch(const KnowledgeSearch& search, std::int64_t max_bytes) {
  CheckText(search.text, "the text to look for", max_bytes);
  if (search.top_k < 1 || search.top_k > kMaxTopK) {
    throw Error(ErrorCode::InvalidArgument, "top_k: " + std::to_string(search.top_k) +
                                                " is out of range; allowed 1 to 1000");
  }
  if (!(search.max_distance >= 0 && search.max_distance <= kMaxDistance)) {
    throw Error(ErrorCode::InvalidArgument,
                "max_distance: " + std::to_string(search.max_distance) +
                    " is out of range; allowed 0 to 2, 0 = any");
  }
}

FoundRecord Found(const KnowledgeBase& base, const KnowledgeHit& hit) {
  const KnowledgeRecord& record = base.records()[hit.record];
  return {record.id, record.text, hit.distance,
          OneLineJson(base.metadata().Object(hit.record))};
}

[[noreturn]] void FailUnknown(const char* kind, const std::string& name) {
  throw Error(
      ErrorCode::InvalidArgument,
      std::string("there is no ") + kind + " named " + DescribeJson(json::value(name)));
}

}  // namespace

std::shared_ptr<const StringStorage> Engine::Impl::FindStorage(
    std::string_view user, std::string_view reference, StorageKind kind) const {
  CheckOpen();
  return AtPlace(user, [&] { return storages_.Get(reference, kind); });
}

std::shared_ptr<const KnowledgeBase> Engine::Impl::FindKnowledge(
    std::string_view user, std::string_view reference) {
  CheckOpen();
  return AtPlace(user, [&] { return knowledge_.Get(reference); });
}

void Engine::AddStorage(const std::string& name, StorageKind kind,
                        std::vector<StorageEntry> entries) {
  impl_->CheckOpen();
  impl_->storages().Add(name, MakeStorage(name, kind, std::move(entries)));
}

void Engine::RemoveStorage(const std::string& name) {
  impl_->CheckOpen();
  if (!impl_->storages().Remove(name)) FailUnknown("storage", name);
}

void Engine::LoadEmbeddingModel(const std::string& name,
                                EmbeddingModelOptions options) {
  impl_->CheckOpen();
  impl_->embedding_models().CheckFree(name);
  auto model = MakeEmbedder(options, impl_->logger());
  impl_->CheckOpen();
  impl_->embedding_models().Add(name, std::move(model));
}

void Engine::UnloadEmbeddingModel(const std::string& name) {
  impl_->CheckOpen();
  impl_->embedding_models().Remove(name, "unload_embedding_model");
}

std::vector<EmbeddingModelInfo> Engine::EmbeddingModels() const {
  impl_->CheckOpen();
  return impl_->embedding_models().List();
}

std::vector<float> Engine::Embed(const std::string& model,
                                 const std::vector<std::string>& texts) const {
  impl_->CheckOpen();
  for (const std::string& text : texts) {
    CheckText(text, "a text to embed", impl_->options().max_message_bytes);
  }
  return impl_->embedding_models().Get(model, "embed")->Embed(texts);
}

void Engine::LoadKnowledge(const std::string& name, const KnowledgeSource& source) {
  impl_->CheckOpen();
  impl_->knowledge().Add(name, source);
}

void Engine::UnloadKnowledge(const std::string& name) {
  impl_->CheckOpen();
  if (!impl_->knowledge().Remove(name)) FailUnknown("knowledge base", name);
}

KnowledgeInfo Engine::DescribeKnowledge(const std::string& reference) const {
  const auto base = impl_->FindKnowledge("", reference);
  KnowledgeInfo info{std::string(base->search_method()), base->config().embedding_model,
                     static_cast<std::int64_t>(base->records().size())};
  for (const KnowledgeField& field : base->config().fields) {
    info.fields.push_back(field.name);
  }
  return info;
}

std::vector<FoundRecord> Engine::SearchKnowledge(const std::string& reference,
                                                 const KnowledgeSearch& search) const {
  impl_->CheckOpen();
  CheckSearch(search, impl_->options().max_message_bytes);
  const auto base = impl_->FindKnowledge("", reference);
  std::optional<Filter> filter;
  if (!search.filter.empty()) {
    filter = Filter::Parse(search.filter, base->config().fields);
  }
  std::vector<FoundRecord> found;
  for (const KnowledgeHit& hit :
       base->Search({.text = search.text,
                     .top_k = static_cast<std::size_t>(search.top_k),
                     .max_distance = search.max_distance,
                     .filter = filter ? &*filter : nullptr})) {
    found.push_back(Found(*base, hit));
  }
  return found;
}

}  // namespace talefold
