// String storages, embedding models and knowledge bases.
#include <utility>

#include "capi/border.h"
#include "capi/functions.h"
#include "capi/objects.h"
#include "capi/options.h"
#include "capi/process_end.h"
#include "capi/results.h"

namespace talefold::capi {

namespace {

std::int32_t AddStorage(talefold_engine engine, talefold_text name, talefold_text kind,
                        talefold_text entries) {
  return Call([&] {
    Engines().Get(engine)->engine.AddStorage(
        std::string(Read(name, "name")), ReadStorageKind(Read(kind, "kind")),
        ReadStorageEntries(Read(entries, "entries")));
  });
}

std::int32_t RemoveStorage(talefold_engine engine, talefold_text name) {
  return Call([&] {
    Engines().Get(engine)->engine.RemoveStorage(std::string(Read(name, "name")));
  });
}

std::int32_t LoadEmbeddingModel(talefold_engine engine, talefold_text name,
                                talefold_text options, talefold_task* task) {
  return Call([&] {
    talefold_task& out = Out(task, "task");
    const auto object = Engines().Get(engine);
    auto work = [&engine = object->engine, name = std::string(Read(name, "name")),
                 options = ReadEmbeddingModelOptions(Read(options, "options"))](
                    const std::function<bool(float)>& on_progress) mutable {
      options.on_progress = on_progress;
      engine.LoadEmbeddingModel(name, std::move(options));
      StopEnginesAtExit();
    };
    out = AddOwned<Task>(Tasks(), engine, object->loads.Start(engine, std::move(work)));
  });
}

std::int32_t UnloadEmbeddingModel(talefold_engine engine, talefold_text name) {
  return Call([&] {
    Engines().Get(engine)->engine.UnloadEmbeddingModel(std::string(Read(name, "name")));
  });
}

std::int32_t EmbeddingModels(talefold_engine engine, talefold_text* json) {
  return Call([&] {
    talefold_text& out = Out(json, "json");
    Return(out, EmbeddingModelsJson(Engines().Get(engine)->engine.EmbeddingModels()));
  });
}

std::int32_t Embed(talefold_engine engine, talefold_text model, talefold_text texts,
                   talefold_floats* rows) {
  return Call([&] {
    talefold_floats& out = Out(rows, "rows");
    Return(out, Engines().Get(engine)->engine.Embed(
                    std::string(Read(model, "model")),
                    ReadTexts(Read(texts, "texts"), "texts")));
  });
}

std::int32_t LoadKnowledge(talefold_engine engine, talefold_text name,
                           talefold_text source, talefold_task* task) {
  return Call([&] {
    talefold_task& out = Out(task, "task");
    const auto object = Engines().Get(engine);
    auto work = [&engine = object->engine, name = std::string(Read(name, "name")),
                 source = ReadKnowledgeSource(Read(source, "source"))](
                    const std::function<bool(float)>&) {
      engine.LoadKnowledge(name, source);
    };
    out = AddOwned<Task>(Tasks(), engine, object->loads.Start(engine, std::move(work)));
  });
}

std::int32_t UnloadKnowledge(talefold_engine engine, talefold_text name) {
  return Call([&] {
    Engines().Get(engine)->engine.UnloadKnowledge(std::string(Read(name, "name")));
  });
}

std::int32_t DescribeKnowledge(talefold_engine engine, talefold_text reference,
                               talefold_text* json) {
  return Call([&] {
    talefold_text& out = Out(json, "json");
    Return(out, KnowledgeJson(Engines().Get(engine)->engine.DescribeKnowledge(
                    std::string(Read(reference, "reference")))));
  });
}

std::int32_t SearchKnowledge(talefold_engine engine, talefold_text reference,
                             talefold_text search, talefold_text* json) {
  return Call([&] {
    talefold_text& out = Out(json, "json");
    const SearchQuery query = ReadSearchQuery(Read(search, "search"));
    Return(out, FoundJson(Engines().Get(engine)->engine.SearchKnowledge(
                    std::string(Read(reference, "reference")),
                    {.text = query.text,
                     .top_k = query.top_k,
                     .max_distance = query.max_distance,
                     .filter = query.filter})));
  });
}

}  // namespace

void AddContentFunctions(talefold_api& api) {
  api.engine_add_storage = AddStorage;
  api.engine_remove_storage = RemoveStorage;
  api.engine_load_embedding_model = LoadEmbeddingModel;
  api.engine_unload_embedding_model = UnloadEmbeddingModel;
  api.engine_embedding_models = EmbeddingModels;
  api.engine_embed = Embed;
  api.engine_load_knowledge = LoadKnowledge;
  api.engine_unload_knowledge = UnloadKnowledge;
  api.engine_describe_knowledge = DescribeKnowledge;
  api.engine_search_knowledge = SearchKnowledge;
}

}  // namespace talefold::capi
