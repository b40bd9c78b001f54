// Graph files.
#include <algorithm>

#include "fuzz.h"
#include "talefold/talefold.hpp"

using namespace talefold;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = fuzz::AsText(data, size);
  const std::vector<GraphProblem> problems = ValidateGraphJson(text);
  const bool valid = std::ranges::all_of(problems, &GraphProblem::is_warning);
  auto graph = fuzz::Try([&] { return GraphDescription::FromJson(text); });
  fuzz::Require(!valid || graph, "a graph without errors can be read");
  if (!graph) return 0;

  const std::string written = graph->ToJson();
  fuzz::Require(GraphDescription::FromJson(written).ToJson() == written,
                "a graph is read as it was written");
  graph->ApplyStrings(graph->LocalizableStrings());
  fuzz::Require(graph->ToJson() == written, "its own texts do not change a graph");

  static Engine engine;
  static const bool loaded = [] {
    engine.LoadScriptedModel("model", {.replies = {{"Aye."}}});
    return true;
  }();
  static_cast<void>(loaded);
  fuzz::Try([&] {
    return engine.CreateAgent(*graph, {.default_model_name = "model"}).Send("Hi");
  });
  return 0;
}
