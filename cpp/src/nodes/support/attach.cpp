#include "nodes/support/attach.h"

#include <algorithm>
#include <utility>

#include "base/name.h"
#include "dialog/components_json.h"
#include "graph/descriptor.h"
#include "nodes/support/diagnostics.h"

namespace talefold {

namespace {

// Replaces the component with the same key, or adds one.
template <typename Component>
void Put(std::vector<Component>& components, std::string Component::* key,
         Component component) {
  const auto same = std::ranges::find(components, component.*key, key);
  if (same != components.end()) {
    *same = std::move(component);
  } else {
    components.push_back(std::move(component));
  }
}

}  // namespace

void AttachInstruction(TurnContext& turn, const std::string& name,
                       const std::string& text) {
  Put(turn.current.instructions, &InstructionComponent::name, {name, text});
  if (!turn.diagnostics) return;
  json::object& report = Section(*turn.diagnostics, "instruction");
  report["name"] = name;
  report["text"] = text;
}

void AttachKnowledge(TurnContext& turn, KnowledgeComponent knowledge) {
  if (turn.diagnostics) {
    json::object& report = Section(*turn.diagnostics, "knowledge");
    report["source"] = knowledge.source;
    report["chunks"] = WriteChunks(knowledge.chunks);
  }
  Put(turn.current.knowledge, &KnowledgeComponent::source, std::move(knowledge));
}

void AttachIntention(TurnContext& turn, const std::string& node,
                     const std::string& intent) {
  turn.current.intention = IntentionComponent{intent, node};
  if (turn.diagnostics) Section(*turn.diagnostics, "intention")["intent"] = intent;
}

void CheckOptionalName(const std::string& node, std::string_view field,
                       const std::string& value, std::vector<GraphProblem>& problems) {
  if (value.empty() || IsName(value)) return;
  problems.push_back(ParamProblem(node, field,
                                  DescribeJson(json::string(value)) +
                                      " is no name; allowed: empty, or " +
                                      std::string(kNameRule)));
}

}  // namespace talefold
