// Readers of formats that otherwise only a file or a node reaches: for the fuzz
// targets.
#include "base/json.h"
#include "bind.h"
#include "convert.h"
#include "prompt/mustache.h"
#include "storage/storage_format.h"

namespace talefold::python {

namespace {

std::vector<std::pair<std::string, std::string>> Entries(const Text& kind,
                                                         const py::bytes& content) {
  const auto storage = ParseStorage(StorageKindFromName(kind.utf8),
                                    std::string_view(content), "the content");
  std::vector<std::pair<std::string, std::string>> entries;
  for (std::size_t i = 0; i < storage->size(); ++i) {
    entries.emplace_back(storage->entry(i).id, storage->entry(i).text);
  }
  return entries;
}

std::string Render(const Text& text, const std::vector<std::pair<Text, Text>>& partials,
                   const Text& context) {
  MustachePartials texts;
  for (const auto& [name, partial] : partials) texts[name.utf8] = partial.utf8;
  return MustacheTemplate::Parse(text.utf8, texts)
      .Render(ParseJson(context.utf8, ErrorCode::InvalidArgument, "context"));
}

}  // namespace

void BindFormats(py::module_& module) {
  using py::arg;

  module.def("parse_storage", &Entries, arg("kind"), arg("content"));
  module.def("render_template", &Render, arg("template"), arg("partials"),
             arg("context"));
}

}  // namespace talefold::python
