#include <pybind11/numpy.h>

#include <tuple>

#include "bind.h"
#include "convert.h"
#include "knowledge/vector_index.h"

namespace talefold::python {

namespace {

using EntryArgument = std::pair<Text, Text>;  // id, text

void AddStorage(Engine& engine, const Text& name, const Text& kind,
                const std::vector<EntryArgument>& entries) {
  std::vector<StorageEntry> list;
  for (const auto& [id, text] : entries) list.push_back({id.utf8, text.utf8});
  engine.AddStorage(name.utf8, StorageKindFromName(kind.utf8), std::move(list));
}

void LoadEmbeddingModel(Engine& engine, const Text& name, Text path,
                        std::int64_t n_gpu_layers, py::function on_progress) {
  EmbeddingModelOptions options;
  options.path = std::move(path.utf8);
  options.n_gpu_layers = Int32(n_gpu_layers, "n_gpu_layers");
  options.on_progress = Callback(std::move(on_progress));
  ReleaseGil no_gil;
  engine.LoadEmbeddingModel(name.utf8, std::move(options));
}

std::vector<float> Embed(const Engine& engine, const Text& model,
                         const std::vector<Text>& texts) {
  std::vector<std::string> utf8;
  for (const Text& text : texts) utf8.push_back(text.utf8);
  ReleaseGil no_gil;
  return engine.Embed(model.utf8, utf8);
}

void LoadKnowledge(Engine& engine, const Text& name, Text config_file, Text config,
                   Text records) {
  engine.LoadKnowledge(name.utf8, {std::move(config_file.utf8), std::move(config.utf8),
                                   std::move(records.utf8)});
}

std::vector<FoundRecord> SearchKnowledge(const Engine& engine, const Text& reference,
                                         const Text& text, std::int64_t top_k,
                                         double max_distance, const Text& filter) {
  return engine.SearchKnowledge(reference.utf8, {.text = text.utf8,
                                                 .top_k = Int32(top_k, "top_k"),
                                                 .max_distance = max_distance,
                                                 .filter = filter.utf8});
}

// A matrix or a vector of C-contiguous floats, as numpy has them.
using Floats = py::array_t<float, py::array::c_style>;

std::span<const float> AllOf(const Floats& floats) {
  return {floats.data(), static_cast<std::size_t>(floats.size())};
}

std::unique_ptr<VectorIndex> MakeVectorIndex(const Floats& rows,
                                             std::size_t dimensions) {
  return std::make_unique<VectorIndex>(AllOf(rows), dimensions);
}

std::vector<std::pair<std::size_t, float>> SearchVectors(const VectorIndex& index,
                                                         const Floats& query,
                                                         std::size_t top_k) {
  const std::span<const float> numbers = AllOf(query);
  ReleaseGil no_gil;
  std::vector<std::pair<std::size_t, float>> found;
  for (const Neighbor& each : index.Search(numbers, {.top_k = top_k})) {
    found.emplace_back(each.record, each.distance);
  }
  return found;
}

}  // namespace

void BindContent(py::module_& module) {
  using py::arg;

  py::class_<Engine, std::unique_ptr<Engine, DeleteEngine>>(module.attr("Engine"))
      .def("add_storage", &AddStorage, arg("name"), arg("kind"), arg("entries"),
           NoGil())
      .def(
          "remove_storage",
          [](Engine& engine, const Text& name) { engine.RemoveStorage(name.utf8); },
          arg("name"), NoGil())
      .def("load_embedding_model", &LoadEmbeddingModel, arg("name"), arg("path"),
           arg("n_gpu_layers"), arg("on_progress"))
      .def(
          "unload_embedding_model",
          [](Engine& engine, const Text& name) {
            engine.UnloadEmbeddingModel(name.utf8);
          },
          arg("name"), NoGil())
      .def("embedding_models", &Engine::EmbeddingModels, NoGil())
      .def(
          "embed",
          [](const Engine& engine, const Text& model, const std::vector<Text>& texts) {
            return ToFloatArray(Embed(engine, model, texts));
          },
          arg("model"), arg("texts"))
      .def("load_knowledge", &LoadKnowledge, arg("name"), arg("config_file"),
           arg("config"), arg("records"), NoGil())
      .def(
          "unload_knowledge",
          [](Engine& engine, const Text& name) { engine.UnloadKnowledge(name.utf8); },
          arg("name"), NoGil())
      .def(
          "describe_knowledge",
          [](const Engine& engine, const Text& reference) {
            return engine.DescribeKnowledge(reference.utf8);
          },
          arg("reference"), NoGil())
      .def("search_knowledge", &SearchKnowledge, arg("reference"), arg("text"),
           arg("top_k"), arg("max_distance"), arg("filter"), NoGil());

  // For the benchmark, which brings vectors of its own.
  py::class_<VectorIndex>(module, "VectorIndex")
      .def(py::init(&MakeVectorIndex), arg("rows"), arg("dimensions"))
      .def("search", &SearchVectors, arg("query"), arg("top_k"));
}

}  // namespace talefold::python
