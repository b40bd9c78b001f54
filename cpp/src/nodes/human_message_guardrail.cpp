// HumanMessageGuardrail: whether the player's text has a forbidden pattern.

#include <utility>

#include "base/error_place.h"
#include "base/field_prefix.h"
#include "guardrail/pattern_matcher.h"
#include "nodes/support/diagnostics.h"
#include "nodes/support/text_source.h"

namespace talefold {

namespace {

constexpr std::string_view kTriggered = "triggered";
constexpr std::string_view kNotTriggered = "not_triggered";

PatternMatcher Patterns(const std::string& node,
                        const HumanMessageGuardrailParams& params,
                        const NodeEnvironment& environment) {
  const auto list =
      LinesOf(node, params.string_storage, params.inline_strings, environment);
  std::vector<std::string> patterns;
  for (std::size_t i = 0; i < list->size(); ++i) {
    patterns.push_back(list->entry(i).text);
  }
  const char* field =
      params.string_storage.empty() ? "inline_strings" : "string_storage";
  return AtPlace(FieldPrefix(node, field),
                 [&] { return PatternMatcher(std::move(patterns)); });
}

class HumanMessageGuardrailNode final : public Node {
 public:
  HumanMessageGuardrailNode(std::string name, const HumanMessageGuardrailParams& params,
                            const NodeEnvironment& environment)
      : Node(std::move(name)), patterns_(Patterns(this->name(), params, environment)) {}

  void SetParams(const AnyNodeParams&) override {}  // all of them are structural

  std::string_view skipped_exit() const override { return kNotTriggered; }

  std::string_view Execute(TurnContext& turn) override {
    const PatternVerdict verdict = patterns_.Search(turn.current.user);
    if (!verdict.why_given_up.empty()) {
      turn.logger.Log(LogLevel::Warning, "guardrail",
                      "node '" + name() + "': pattern [" +
                          std::to_string(verdict.index) +
                          "] counts as found: " + verdict.why_given_up);
    }
    if (turn.diagnostics) Report(verdict, *turn.diagnostics);
    return verdict.triggered ? kTriggered : kNotTriggered;
  }

 private:
  static void Report(const PatternVerdict& verdict, json::object& diagnostics) {
    if (!verdict.triggered) return;
    json::object& report = Section(diagnostics, "guardrail");
    report["index"] = verdict.index;
    report["pattern"] = verdict.pattern;
    if (!verdict.why_given_up.empty()) report["given_up"] = verdict.why_given_up;
  }

  PatternMatcher patterns_;
};

}  // namespace

std::unique_ptr<Node> MakeHumanMessageGuardrail(
    std::string name, const HumanMessageGuardrailParams& params,
    const NodeEnvironment& environment) {
  return std::make_unique<HumanMessageGuardrailNode>(std::move(name), params,
                                                     environment);
}

void CheckHumanMessageGuardrail(const std::string& name,
                                const HumanMessageGuardrailParams& params,
                                std::vector<GraphProblem>& problems) {
  CheckTextSource(name, params.string_storage, "inline_strings",
                  params.inline_strings.size(), problems);
}

}  // namespace talefold
