// Options and arguments that come as JSON objects.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "graph/field_builder.h"
#include "talefold/engine.h"
#include "talefold/scene.h"

namespace talefold::capi {

// {default_model_name, enable_diagnostics}, of AgentOptions.
struct AgentSettings {
  std::string default_model_name = {};
  bool enable_diagnostics = false;
};

struct SearchQuery {
  std::string text = {};
  std::int32_t top_k = KnowledgeSearch{}.top_k;
  double max_distance = KnowledgeSearch{}.max_distance;
  std::string filter = {};
};

// Each throws InvalidArgument for what is no JSON, InvalidParamValue for unknown keys,
// wrong types and values out of range; empty text = all defaults. `what` names the
// text: "options".
EngineOptions ReadEngineOptions(std::string_view text);
AgentSettings ReadAgentSettings(std::string_view text);
// Without memory_graph and snapshot, which are arguments of their own.
SceneOptions ReadSceneOptions(std::string_view text);
MessageOptions ReadMessageOptions(std::string_view text);
// `settings` with those of the text, which is not empty.
SceneSettings ReadSceneSettings(std::string_view text, SceneSettings settings);
ScriptedModelOptions ReadScriptedModelOptions(std::string_view text);
LlamaModelOptions ReadLlamaModelOptions(std::string_view text);
EmbeddingModelOptions ReadEmbeddingModelOptions(std::string_view text);
KnowledgeSource ReadKnowledgeSource(std::string_view text);
SearchQuery ReadSearchQuery(std::string_view text);
// [{id, text}], or texts.
std::vector<StorageEntry> ReadStorageEntries(std::string_view text);
// "list", "map" or "multimap".
StorageKind ReadStorageKind(std::string_view name);
// "reinforcement" or "context_investigation".
MessageKind ReadNoteKind(std::string_view name);
// An array of strings; an object of strings.
std::vector<std::string> ReadTexts(std::string_view text, std::string_view what);
std::map<std::string, std::string> ReadTextMap(std::string_view text,
                                               std::string_view what);

}  // namespace talefold::capi
