#include "dialog/components_json.h"

#include <array>
#include <cstdint>
#include <string>
#include <utility>

#include "base/text.h"

namespace talefold {

namespace {

constexpr std::string_view kSummary = "summary";
constexpr std::string_view kToolCalls = "tool_calls";
constexpr std::string_view kKnowledge = "knowledge";
constexpr std::string_view kInstructions = "instructions";
constexpr std::string_view kIntention = "intention";
constexpr std::array kKeys = {kSummary, kToolCalls, kKnowledge, kInstructions,
                              kIntention};

json::object WriteSummary(const SummaryComponent& summary) {
  json::object object;
  object["text"] = summary.text;
  object["node"] = summary.node;
  object["covered_through"] = summary.covered_through;
  if (summary.stale) object["stale"] = true;
  if (summary.edited) object["edited"] = true;
  if (summary.abridged) object["abridged"] = true;
  return object;
}

json::object WriteToolCall(const ToolCallComponent& call) {
  json::object object{{"id", call.id},
                      {"node", call.node},
                      {"tool_name", call.tool_name},
                      {"arguments", call.arguments},
                      {"format", call.format}};
  if (call.result) object["result"] = *call.result;
  return object;
}

json::object WriteKnowledge(const KnowledgeComponent& knowledge) {
  return {{"source", knowledge.source}, {"chunks", WriteChunks(knowledge.chunks)}};
}

json::object WriteInstruction(const InstructionComponent& instruction) {
  return {{"name", instruction.name}, {"text", instruction.text}};
}

template <typename Component>
void WriteList(std::string_view key, const std::vector<Component>& components,
               json::object (*write)(const Component&), json::object& object) {
  if (components.empty()) return;
  json::array list;
  for (const Component& component : components) list.push_back(write(component));
  object[key] = std::move(list);
}

SummaryComponent ReadSummary(const json::value& value, const std::string& path,
                             std::size_t carrier) {
  const SnapshotReader reader(value, path);
  reader.CheckKeys({"text", "node", "covered_through", "stale", "edited", "abridged"});
  SummaryComponent summary;
  summary.text = reader.Text("text");
  if (TrimWhitespace(summary.text).empty())
    FailSnapshot(reader.Path("text"), "is empty");
  summary.node = reader.Text("node");
  summary.covered_through = static_cast<std::size_t>(
      reader.Number("covered_through", static_cast<std::int64_t>(carrier)));
  summary.stale = reader.Flag("stale");
  summary.edited = reader.Flag("edited");
  summary.abridged = reader.Flag("abridged");
  return summary;
}

// A text that holds one JSON document.
std::string ReadJsonText(const SnapshotReader& reader, std::string_view key,
                         bool object_only) {
  std::string text = reader.Text(key);
  JsonProblem problem;
  const auto value = TryParseJson(text, problem);
  if (!value) FailSnapshot(reader.Path(key), "holds no JSON: " + problem.reason);
  if (object_only && !value->is_object()) {
    FailSnapshot(reader.Path(key), "expected the text of a JSON object");
  }
  return text;
}

ToolCallComponent ReadToolCall(const json::value& value, const std::string& path) {
  const SnapshotReader reader(value, path);
  reader.CheckKeys({"id", "node", "tool_name", "arguments", "format", "result"});
  ToolCallComponent call;
  call.id = reader.Text("id");
  call.node = reader.Text("node");
  call.tool_name = reader.Text("tool_name");
  call.arguments = ReadJsonText(reader, "arguments", /*object_only=*/true);
  call.format = reader.Text("format");
  if (reader.Find("result")) {
    call.result = ReadJsonText(reader, "result", /*object_only=*/false);
  }
  return call;
}

KnowledgeComponent ReadKnowledge(const json::value& value, const std::string& path) {
  const SnapshotReader reader(value, path);
  reader.CheckKeys({"source", "chunks"});
  KnowledgeComponent knowledge{.source = reader.Text("source")};
  const json::array& chunks = reader.List("chunks");
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    const SnapshotReader chunk(chunks[i],
                               reader.Path("chunks") + "[" + std::to_string(i) + "]");
    chunk.CheckKeys({"id", "text", "distance"});
    knowledge.chunks.push_back(
        {chunk.Text("id"), chunk.Text("text"), chunk.Real("distance")});
  }
  return knowledge;
}

InstructionComponent ReadInstruction(const json::value& value,
                                     const std::string& path) {
  const SnapshotReader reader(value, path);
  reader.CheckKeys({"name", "text"});
  return {reader.Text("name"), reader.Text("text")};
}

IntentionComponent ReadIntention(const json::value& value, const std::string& path) {
  const SnapshotReader reader(value, path);
  reader.CheckKeys({"intent", "node"});
  return {reader.Text("intent"), reader.Text("node")};
}

template <typename Component>
void ReadList(const SnapshotReader& reader, std::string_view key,
              Component (*read)(const json::value&, const std::string&),
              std::vector<Component>& components) {
  if (!reader.Find(key)) return;
  const json::array& list = reader.List(key);
  for (std::size_t i = 0; i < list.size(); ++i) {
    components.push_back(
        read(list[i], reader.Path(key) + "[" + std::to_string(i) + "]"));
  }
}

}  // namespace

std::span<const std::string_view> ComponentKeys() { return kKeys; }

json::array WriteChunks(const std::vector<KnowledgeChunk>& chunks) {
  json::array list;
  for (const KnowledgeChunk& chunk : chunks) {
    list.push_back(json::object{
        {"id", chunk.id}, {"text", chunk.text}, {"distance", chunk.distance}});
  }
  return list;
}

void WriteComponents(const Interaction& interaction, json::object& object) {
  if (interaction.summary) object[kSummary] = WriteSummary(*interaction.summary);
  WriteList(kToolCalls, interaction.tool_calls, WriteToolCall, object);
  WriteList(kKnowledge, interaction.knowledge, WriteKnowledge, object);
  WriteList(kInstructions, interaction.instructions, WriteInstruction, object);
  if (interaction.intention) {
    object[kIntention] = json::object{{"intent", interaction.intention->intent},
                                      {"node", interaction.intention->node}};
  }
}

void ReadComponents(const SnapshotReader& reader, std::size_t index,
                    Interaction& interaction) {
  if (const json::value* summary = reader.Find(kSummary)) {
    interaction.summary = ReadSummary(*summary, reader.Path(kSummary), index);
  }
  ReadList(reader, kToolCalls, ReadToolCall, interaction.tool_calls);
  ReadList(reader, kKnowledge, ReadKnowledge, interaction.knowledge);
  ReadList(reader, kInstructions, ReadInstruction, interaction.instructions);
  if (const json::value* intention = reader.Find(kIntention)) {
    interaction.intention = ReadIntention(*intention, reader.Path(kIntention));
  }
}

}  // namespace talefold
