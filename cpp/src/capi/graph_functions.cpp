// Graphs as JSON texts.
#include "base/json.h"
#include "capi/border.h"
#include "capi/functions.h"
#include "capi/options.h"
#include "capi/results.h"
#include "talefold/graph.h"

namespace talefold::capi {

namespace {

std::int32_t Validate(talefold_text graph, talefold_text* problems) {
  return Call([&] {
    talefold_text& out = Out(problems, "problems");
    Return(out, ProblemsJson(ValidateGraphJson(Read(graph, "graph"))));
  });
}

std::int32_t Format(talefold_text graph, talefold_text* formatted) {
  return Call([&] {
    talefold_text& out = Out(formatted, "formatted");
    Return(out, GraphDescription::FromJson(Read(graph, "graph")).ToJson());
  });
}

std::int32_t LocalizableStrings(talefold_text graph, talefold_text* strings) {
  return Call([&] {
    talefold_text& out = Out(strings, "strings");
    const auto read = GraphDescription::FromJson(Read(graph, "graph"));
    Return(out, TextMapJson(read.LocalizableStrings()));
  });
}

std::int32_t ApplyStrings(talefold_text graph, talefold_text strings,
                          talefold_text* changed) {
  return Call([&] {
    talefold_text& out = Out(changed, "changed");
    auto read = GraphDescription::FromJson(Read(graph, "graph"));
    read.ApplyStrings(ReadTextMap(Read(strings, "strings"), "strings"));
    Return(out, read.ToJson());
  });
}

}  // namespace

void AddGraphFunctions(talefold_api& api) {
  api.graph_validate = Validate;
  api.graph_format = Format;
  api.graph_localizable_strings = LocalizableStrings;
  api.graph_apply_strings = ApplyStrings;
}

}  // namespace talefold::capi
