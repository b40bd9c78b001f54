// Values of scenes.
#include "convert.h"
#include "scene/message_format.h"

namespace talefold::python {

using py::arg;

SceneFormat SceneFormatFromName(std::string_view name) {
  if (const auto format = ParseFormat(name)) return *format;
  throw Error(ErrorCode::InvalidArgument,
              "format: unknown format '" + std::string(name) +
                  "'; allowed: screenplay, chat, narrative, ai_aware");
}

py::object ToPython(const SceneSettings& settings) {
  return MakePython("talefold.scene", "SceneSettings", arg("intro") = settings.intro,
                    arg("intention") = settings.intention,
                    arg("writing_style") = settings.writing_style,
                    arg("format") = FormatName(settings.format));
}

py::object ToPython(const SceneMessage& message) {
  return MakePython(
      "talefold.scene", "SceneMessage", arg("id") = message.id,
      arg("kind") = KindName(message.kind), arg("text") = message.text,
      arg("speaker") = message.speaker, arg("source") = message.source,
      arg("meta") = message.meta, arg("hidden") = message.hidden,
      arg("present") = message.present, arg("duration") = message.duration,
      arg("versions") = message.versions, arg("based_on") = message.based_on);
}

py::object ToPython(const SceneEntry& entry) {
  return MakePython(
      "talefold.scene", "SceneEntry", arg("id") = entry.id, arg("layer") = entry.layer,
      arg("text") = entry.text, arg("first") = entry.first, arg("last") = entry.last,
      arg("ts") = entry.ts, arg("ts_start") = entry.ts_start,
      arg("ts_end") = entry.ts_end, arg("present") = entry.present,
      arg("is_static") = entry.is_static, arg("verbatim") = entry.verbatim,
      arg("out_of_sync") = entry.out_of_sync, arg("edited") = entry.edited);
}

py::object ToPython(const SceneLayerStats& statistics) {
  return MakePython("talefold.scene", "SceneLayerStats",
                    arg("layer") = statistics.layer,
                    arg("source_tokens") = statistics.source_tokens,
                    arg("source_count") = statistics.source_count,
                    arg("tokens") = statistics.tokens, arg("count") = statistics.count,
                    arg("reduction_percent") = statistics.reduction_percent);
}

py::object ToPython(const ShownText& text) {
  return MakePython("talefold.scene", "ShownText", arg("id") = text.id,
                    arg("text") = text.text, arg("tokens") = text.tokens);
}

py::object ToPython(const StorySection& section) {
  return MakePython("talefold.scene", "StorySection", arg("level") = section.level,
                    arg("texts") = py::cast(section.texts),
                    arg("tokens") = section.tokens, arg("budget") = section.budget,
                    arg("incomplete") = section.incomplete);
}

py::object ToPython(const StoryReview& review) {
  return MakePython("talefold.scene", "StoryReview",
                    arg("sections") = py::cast(review.sections),
                    arg("tokens") = review.tokens, arg("budget") = review.budget,
                    arg("text") = review.text);
}

py::object ToPython(const SceneSources& sources) {
  return MakePython("talefold.scene", "SceneSources",
                    arg("messages") = py::cast(sources.messages),
                    arg("entries") = py::cast(sources.entries));
}

}  // namespace talefold::python
