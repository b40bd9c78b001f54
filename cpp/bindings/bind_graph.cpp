#include "bind.h"
#include "convert.h"

namespace talefold::python {

void BindGraph(py::module_& module) {
  py::class_<GraphDescription>(module, "GraphDescription")
      .def_static(
          "from_json",
          [](const Text& text) { return GraphDescription::FromJson(text.utf8); },
          py::arg("text"), NoGil())
      .def("to_json", &GraphDescription::ToJson, NoGil())
      .def("localizable_strings", &GraphDescription::LocalizableStrings, NoGil())
      .def(
          "apply_strings",
          [](GraphDescription& graph,
             const std::vector<std::pair<Text, Text>>& strings) {
            std::map<std::string, std::string> utf8;
            for (const auto& [key, value] : strings) utf8.emplace(key.utf8, value.utf8);
            graph.ApplyStrings(utf8);
          },
          py::arg("strings"), NoGil());

  module.def(
      "validate_graph_json",
      [](const Text& text) { return ValidateGraphJson(text.utf8); }, py::arg("text"),
      NoGil());
  module.def("descriptors_json", &DescriptorsJson, NoGil());
}

}  // namespace talefold::python
