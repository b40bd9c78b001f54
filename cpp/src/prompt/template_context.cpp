#include "prompt/template_context.h"

#include <array>
#include <utility>

#include "base/text.h"
#include "dialog/components_json.h"

namespace talefold {

namespace {

constexpr std::array<std::string_view, 12> kTags = {
    "user_message", "instructions", "instruction_", "knowledge",
    "knowledge_",   "slot_",        "name",         "text",
    "has_chunks",   "chunks",       "id",           "distance"};

json::object KnowledgeObject(const KnowledgeComponent& knowledge) {
  return {{"name", knowledge.source},
          {"has_chunks", !knowledge.chunks.empty()},
          {"chunks", WriteChunks(knowledge.chunks)}};
}

void AddInstructions(const Interaction& current, json::object& context) {
  json::array instructions;
  for (const InstructionComponent& instruction : current.instructions) {
    instructions.push_back(
        json::object{{"name", instruction.name}, {"text", instruction.text}});
    context["instruction_" + instruction.name] = instruction.text;
  }
  context["instructions"] = std::move(instructions);
}

void AddKnowledge(const Interaction& current, json::object& context) {
  json::array blocks;
  for (const KnowledgeComponent& knowledge : current.knowledge) {
    json::object block = KnowledgeObject(knowledge);
    context["knowledge_" + knowledge.source] = block;
    blocks.push_back(std::move(block));
  }
  context["knowledge"] = std::move(blocks);
}

}  // namespace

json::object TemplateContext(const Interaction& current, const Slots& slots,
                             const TemplateParts& parts) {
  json::object context{{"user_message", current.user}};
  if (parts.instructions) AddInstructions(current, context);
  if (parts.knowledge) AddKnowledge(current, context);
  for (const auto& [name, text] : slots) context["slot_" + name] = text;
  return context;
}

std::string RenderFrame(const MustacheTemplate* frame, const Interaction& current,
                        const Slots& slots, const TemplateParts& parts) {
  if (!frame) return {};
  std::string rendered = frame->Render(TemplateContext(current, slots, parts));
  if (TrimWhitespace(rendered).empty()) rendered.clear();
  return rendered;
}

std::span<const std::string_view> TemplateTags() { return kTags; }

}  // namespace talefold
