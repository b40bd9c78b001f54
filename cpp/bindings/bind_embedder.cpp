#include <memory>

#include "bind.h"
#include "convert.h"
#include "inference/llama/llama_embedder.h"

namespace talefold::python {

namespace {

// An embedding model, and the sink of what llama.cpp logs.
class EmbeddingModel {
 public:
  explicit EmbeddingModel(std::string path)
      : logger_({}), embedder_({.path = std::move(path)}, logger_) {}

  std::size_t dimensions() const { return embedder_.dimensions(); }

  // Rows one after the other.
  std::vector<float> Embed(const std::vector<Text>& texts) {
    std::vector<std::string> utf8;
    for (const Text& text : texts) utf8.push_back(text.utf8);
    ReleaseGil no_gil;
    return embedder_.Embed(utf8);
  }

 private:
  Logger logger_;
  LlamaEmbedder embedder_;
};

std::unique_ptr<EmbeddingModel> Load(Text path) {
  ReleaseGil no_gil;
  return std::make_unique<EmbeddingModel>(std::move(path.utf8));
}

}  // namespace

void BindEmbedder(py::module_& module) {
  using py::arg;

  py::class_<EmbeddingModel>(module, "EmbeddingModel")
      .def(py::init(&Load), arg("path"))
      .def("dimensions", &EmbeddingModel::dimensions)
      .def(
          "embed",
          [](EmbeddingModel& model, const std::vector<Text>& texts) {
            return ToFloatArray(model.Embed(texts));
          },
          arg("texts"));
}

}  // namespace talefold::python
