#include "runtime/interaction_info.h"

#include <utility>

namespace talefold {

namespace {

SummaryInfo ToInfo(const SummaryComponent& summary, std::int64_t carrier) {
  return {summary.text,
          summary.node,
          static_cast<std::int64_t>(summary.covered_through),
          carrier,
          summary.stale,
          summary.edited,
          summary.abridged};
}

AttachedKnowledge ToInfo(const KnowledgeComponent& knowledge) {
  AttachedKnowledge info{.source = knowledge.source};
  for (const KnowledgeChunk& chunk : knowledge.chunks) {
    info.chunks.push_back({chunk.id, chunk.text, chunk.distance});
  }
  return info;
}

}  // namespace

InteractionInfo ToInfo(const Interaction& interaction, std::size_t index) {
  InteractionInfo info;
  info.index = static_cast<std::int64_t>(index);
  info.id = interaction.id;
  info.user = interaction.user;
  info.assistant = interaction.assistant;
  info.status = StatusName(interaction.status);
  if (interaction.summary) info.summary = ToInfo(*interaction.summary, info.index);
  for (const ToolCallComponent& call : interaction.tool_calls) {
    info.tool_calls.push_back(
        {call.id, call.node, call.tool_name, call.arguments, call.result});
  }
  for (const KnowledgeComponent& knowledge : interaction.knowledge) {
    info.knowledge.push_back(ToInfo(knowledge));
  }
  for (const InstructionComponent& instruction : interaction.instructions) {
    info.instructions.push_back({instruction.name, instruction.text});
  }
  if (interaction.intention) info.intent = interaction.intention->intent;
  return info;
}

}  // namespace talefold
