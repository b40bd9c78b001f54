// Conversions between values of the library and of Python. Every file of the module
// includes this header, so that all of them convert alike.
//
// Values of the library become the dataclasses of the Python package. Params, graphs
// and snapshots cross as JSON text.
#pragma once

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "gil.h"
#include "talefold/talefold.hpp"

namespace talefold::python {

// A str argument. TypeError for anything else; InvalidUtf8 for an unpaired surrogate.
struct Text {
  std::string utf8;
};

std::string Utf8(py::handle text);

// `class_name` of the Python module `module`, called with keyword arguments.
template <typename... Args>
py::object MakePython(const char* module, const char* class_name, Args&&... args) {
  return py::module_::import(module).attr(class_name)(std::forward<Args>(args)...);
}

// Throws InvalidArgument when `value` does not fit; `name` is the parameter.
std::int32_t Int32(std::int64_t value, const char* name);

// "map", "multimap"; anything else is a List.
StorageKind StorageKindFromName(std::string_view name);

// "screenplay", ...; throws InvalidArgument for another.
SceneFormat SceneFormatFromName(std::string_view name);

// Params of a node type from a JSON object; fields it lacks keep their default.
AnyNodeParams ParamsFromJson(std::string_view type, std::string_view node,
                             std::string_view text);
// `path` names the value in messages.
SamplingOverrides SamplingFromJson(std::string_view text, std::string_view path);

py::object ToPython(const EmbeddingModelInfo& model);
py::object ToPython(const EngineStats& stats);
py::object ToPython(const Error& error);
py::object ToPython(const Event& event);
py::object ToPython(const FoundRecord& record);
py::object ToPython(const GraphProblem& problem);
py::object ToPython(HistoryState state);
py::object ToPython(const InteractionInfo& interaction);
py::object ToPython(const KnowledgeInfo& knowledge);
py::object ToPython(const ModelInfo& model);
py::object ToPython(const SamplingOverrides& sampling);
py::object ToPython(const SceneEntry& entry);
py::object ToPython(const SceneLayerStats& statistics);
py::object ToPython(const SceneMessage& message);
py::object ToPython(const SceneSettings& settings);
py::object ToPython(const SceneSources& sources);
py::object ToPython(const ShownText& text);
py::object ToPython(const StorySection& section);
py::object ToPython(const StoryReview& review);
py::object ToPython(const RecordedRequest& request);
// An array.array of type "f".
py::object ToFloatArray(const std::vector<float>& values);
py::object ToPython(const SummaryInfo& summary);
py::object ToPython(const TurnResult& result);
py::object ToPython(TurnStatus status);

// Return values only.
template <typename T>
struct ReturnCaster {
  template <typename>
  using cast_op_type = const T&;
  static constexpr auto name = py::detail::const_name("object");
  static py::handle cast(const T& value, py::return_value_policy, py::handle) {
    return ToPython(value).release();
  }
};

}  // namespace talefold::python

namespace pybind11::detail {

template <>
struct type_caster<talefold::python::Text> {
  PYBIND11_TYPE_CASTER(talefold::python::Text, const_name("str"));
  bool load(handle source, bool) {
    value.utf8 = talefold::python::Utf8(source);
    return true;
  }
};

#define TALEFOLD_RETURN_CASTER(Type) \
  template <>                        \
  struct type_caster<talefold::Type> \
      : talefold::python::ReturnCaster<talefold::Type> {};
TALEFOLD_RETURN_CASTER(EmbeddingModelInfo)
TALEFOLD_RETURN_CASTER(EngineStats)
TALEFOLD_RETURN_CASTER(Error)
TALEFOLD_RETURN_CASTER(Event)
TALEFOLD_RETURN_CASTER(FoundRecord)
TALEFOLD_RETURN_CASTER(GraphProblem)
TALEFOLD_RETURN_CASTER(HistoryState)
TALEFOLD_RETURN_CASTER(InteractionInfo)
TALEFOLD_RETURN_CASTER(KnowledgeInfo)
TALEFOLD_RETURN_CASTER(ModelInfo)
TALEFOLD_RETURN_CASTER(SamplingOverrides)
TALEFOLD_RETURN_CASTER(SceneEntry)
TALEFOLD_RETURN_CASTER(SceneLayerStats)
TALEFOLD_RETURN_CASTER(ShownText)
TALEFOLD_RETURN_CASTER(StorySection)
TALEFOLD_RETURN_CASTER(StoryReview)
TALEFOLD_RETURN_CASTER(SceneMessage)
TALEFOLD_RETURN_CASTER(SceneSettings)
TALEFOLD_RETURN_CASTER(SceneSources)
TALEFOLD_RETURN_CASTER(RecordedRequest)
TALEFOLD_RETURN_CASTER(SummaryInfo)
TALEFOLD_RETURN_CASTER(TurnResult)
#undef TALEFOLD_RETURN_CASTER

}  // namespace pybind11::detail
