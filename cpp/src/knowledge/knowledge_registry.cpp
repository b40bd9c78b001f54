#include "knowledge/knowledge_registry.h"

#include <utility>

#include "base/error_place.h"
#include "base/json.h"
#include "talefold/error.h"

namespace talefold {
namespace {

constexpr std::string_view kLogCategory = "knowledge";

std::string Describe(std::string_view reference) {
  return "knowledge base " + DescribeJson(json::value(reference));
}

}  // namespace

KnowledgeRegistry::KnowledgeRegistry(StorageRoot root, FindEmbedder find_embedder,
                                     Logger& logger)
    : root_(std::move(root)),
      find_embedder_(std::move(find_embedder)),
      logger_(logger),
      named_(root_, "knowledge base") {}

void KnowledgeRegistry::Add(std::string_view name, const KnowledgeSource& source) {
  named_.CheckFree(name);
  named_.Add(name, Read(Describe(name), source));
}

bool KnowledgeRegistry::Remove(std::string_view name) { return named_.Remove(name); }

KnowledgeRegistry::Base KnowledgeRegistry::Get(std::string_view reference) {
  if (Base named = named_.Find(reference)) return named;
  return Read(Describe(reference), {.config_file = std::string(reference)});
}

KnowledgeRegistry::Base KnowledgeRegistry::Read(const std::string& what,
                                                const KnowledgeSource& source) {
  return AtPlace(what + ": ", [&] {
    if (!source.config.empty() && !source.config_file.empty()) {
      throw Error(ErrorCode::InvalidArgument,
                  "both config and config_file '" + source.config_file + "' are given",
                  "pass a config with its records, or the file of one");
    }
    if (!source.config.empty()) {
      return Build(what, ParseKnowledgeConfig(source.config, RecordsPlace::Beside),
                   source.config, source.records);
    }
    const std::string text = root_.Read(source.config_file);
    const KnowledgeConfig config = ParseKnowledgeConfig(text);
    return Build(what, config, text, root_.Read(config.records_file, kMaxRecordsBytes));
  });
}

KnowledgeRegistry::Base KnowledgeRegistry::Build(const std::string& what,
                                                 const KnowledgeConfig& config,
                                                 std::string_view config_text,
                                                 std::string_view records_text) {
  const auto embedder = Embedding(what, config.embedding_model);
  return cache_.Get(config, config_text, records_text, embedder);
}

// nullptr = by keywords, which the log says.
std::shared_ptr<Embedder> KnowledgeRegistry::Embedding(const std::string& what,
                                                       const std::string& model) {
  if (model.empty()) {
    logger_.Log(LogLevel::Info, kLogCategory,
                what + " names no embedding model: searched by keywords (BM25)");
    return nullptr;
  }
  auto embedder = find_embedder_(model);
  if (!embedder) {
    logger_.Log(LogLevel::Warning, kLogCategory,
                what + ": the embedding model " + DescribeJson(json::value(model)) +
                    " is not loaded: searched by keywords (BM25), which find only what "
                    "has the same words; load the embedding model first");
  }
  return embedder;
}

}  // namespace talefold
