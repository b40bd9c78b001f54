// Results that go out as JSON, with the names of the Python package.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/json.h"
#include "talefold/engine.h"
#include "talefold/scene_info.h"

namespace talefold::capi {

std::string ModelsJson(const std::vector<ModelInfo>& models);
std::string EmbeddingModelsJson(const std::vector<EmbeddingModelInfo>& models);
std::string StatsJson(const EngineStats& stats);
std::string RequestsJson(const std::vector<RecordedRequest>& requests);
std::string KnowledgeJson(const KnowledgeInfo& knowledge);
std::string FoundJson(const std::vector<FoundRecord>& records);
std::string ProblemsJson(const std::vector<GraphProblem>& problems);
std::string InteractionJson(const InteractionInfo& interaction);
std::string DialogJson(const std::vector<InteractionInfo>& dialog);
std::string SummaryJson(const std::optional<SummaryInfo>& summary);
std::string PinsJson(const std::vector<PinInfo>& pins);
std::string HistoryStatesJson(const std::vector<HistoryState>& states);
std::string TurnResultJson(const TurnResult& result);
std::string SceneMessagesJson(const std::vector<SceneMessage>& messages);
std::string SceneEntriesJson(const std::vector<SceneEntry>& entries);
std::string SceneSourcesJson(const SceneSources& sources);
std::string SceneStatisticsJson(const std::vector<SceneLayerStats>& statistics);
std::string StoryReviewJson(const StoryReview& review);
std::string SceneSettingsJson(const SceneSettings& settings);
std::string TextsJson(const std::vector<std::string>& texts);
std::string PairsJson(const std::vector<std::pair<std::string, std::string>>& pairs);
std::string TextMapJson(const std::map<std::string, std::string>& texts);

}  // namespace talefold::capi
