#include "capi/results.h"

#include "graph/field_builder.h"
#include "graph/params/nested_params.h"
#include "scene/message.h"
#include "scene/message_format.h"

namespace talefold {

template <>
const StructDescriptor& StructDescriptorOf<ModelInfo>() {
  using M = ModelInfo;
  static const StructDescriptor descriptor{
      "ModelInfo",
      "",
      {Field("name", &M::name), Field("kind", &M::kind),
       Field("trained_context_size", &M::trained_context_size)}};
  return descriptor;
}

template <>
const StructDescriptor& StructDescriptorOf<EmbeddingModelInfo>() {
  using M = EmbeddingModelInfo;
  static const StructDescriptor descriptor{
      "EmbeddingModelInfo",
      "",
      {Field("name", &M::name), Field("dimensions", &M::dimensions)}};
  return descriptor;
}

template <>
const StructDescriptor& StructDescriptorOf<KvPoolStats>() {
  using P = KvPoolStats;
  static const StructDescriptor descriptor{
      "KvPoolStats",
      "",
      {Field("model", &P::model), Field("context_size", &P::context_size),
       Field("slots", &P::slots), Field("live_states", &P::live_states),
       Field("running", &P::running), Field("bytes", &P::bytes)}};
  return descriptor;
}

template <>
const StructDescriptor& StructDescriptorOf<EngineStats>() {
  using S = EngineStats;
  static const StructDescriptor descriptor{
      "EngineStats",
      "",
      {Field("kv_cache_bytes", &S::kv_cache_bytes),
       Field("kv_used_bytes", &S::kv_used_bytes),
       Field("kv_peak_bytes", &S::kv_peak_bytes),
       Field("pools", &S::pools),
       Field("parked_states", &S::parked_states),
       Field("parked_bytes", &S::parked_bytes),
       Field("running_requests", &S::running_requests),
       Field("waiting_requests", &S::waiting_requests),
       Field("requests", &S::requests),
       Field("failed_requests", &S::failed_requests),
       Field("reused_tokens", &S::reused_tokens),
       Field("shared_tokens", &S::shared_tokens),
       Field("prefill_tokens", &S::prefill_tokens),
       Field("generated_tokens", &S::generated_tokens),
       Field("background_prefill_tokens", &S::background_prefill_tokens),
       Field("background_generated_tokens", &S::background_generated_tokens),
       Field("decode_calls", &S::decode_calls),
       Field("scheduled_folds", &S::scheduled_folds),
       Field("committed_folds", &S::committed_folds),
       Field("cancelled_folds", &S::cancelled_folds),
       Field("failed_folds", &S::failed_folds),
       Field("overdue_folds", &S::overdue_folds),
       Field("parks", &S::parks),
       Field("restores", &S::restores),
       Field("dropped_states", &S::dropped_states),
       Field("moves", &S::moves),
       Field("repaired_states", &S::repaired_states)}};
  return descriptor;
}

template <>
const StructDescriptor& StructDescriptorOf<KnowledgeInfo>() {
  using K = KnowledgeInfo;
  static const StructDescriptor descriptor{
      "KnowledgeInfo",
      "",
      {Field("search_method", &K::search_method),
       Field("embedding_model", &K::embedding_model), Field("records", &K::records),
       Field("fields", &K::fields)}};
  return descriptor;
}

template <>
const StructDescriptor& StructDescriptorOf<SummaryInfo>() {
  using S = SummaryInfo;
  static const StructDescriptor descriptor{
      "Summary",
      "",
      {Field("text", &S::text), Field("node", &S::node),
       Field("covered_through", &S::covered_through), Field("carrier", &S::carrier),
       Field("stale", &S::stale), Field("edited", &S::edited),
       Field("abridged", &S::abridged)}};
  return descriptor;
}

template <>
const StructDescriptor& StructDescriptorOf<ToolCallInfo>() {
  using C = ToolCallInfo;
  static const StructDescriptor descriptor{
      "ToolCall",
      "",
      {Field("id", &C::id), Field("node", &C::node), Field("tool_name", &C::tool_name),
       Field("arguments", &C::arguments), Field("result", &C::result)}};
  return descriptor;
}

template <>
const StructDescriptor& StructDescriptorOf<AttachedKnowledge::Chunk>() {
  using C = AttachedKnowledge::Chunk;
  static const StructDescriptor descriptor{
      "KnowledgeChunk",
      "",
      {Field("id", &C::id), Field("text", &C::text), Field("distance", &C::distance)}};
  return descriptor;
}

template <>
const StructDescriptor& StructDescriptorOf<AttachedKnowledge>() {
  using K = AttachedKnowledge;
  static const StructDescriptor descriptor{
      "Knowledge", "", {Field("source", &K::source), Field("chunks", &K::chunks)}};
  return descriptor;
}

template <>
const StructDescriptor& StructDescriptorOf<InstructionInfo>() {
  using I = InstructionInfo;
  static const StructDescriptor descriptor{
      "Instruction", "", {Field("name", &I::name), Field("text", &I::text)}};
  return descriptor;
}

template <>
const StructDescriptor& StructDescriptorOf<PinInfo>() {
  using P = PinInfo;
  static const StructDescriptor descriptor{
      "Pin", "", {Field("key", &P::key), Field("text", &P::text)}};
  return descriptor;
}

template <>
const StructDescriptor& StructDescriptorOf<InteractionInfo>() {
  using I = InteractionInfo;
  static const StructDescriptor descriptor{
      "Interaction",
      "",
      {Field("index", &I::index), Field("id", &I::id), Field("user", &I::user),
       Field("assistant", &I::assistant), Field("status", &I::status),
       Field("summary", &I::summary), Field("tool_calls", &I::tool_calls),
       Field("knowledge", &I::knowledge), Field("instructions", &I::instructions),
       Field("intent", &I::intent)}};
  return descriptor;
}

namespace capi {

namespace {

// All fields of a described struct.
template <typename T>
json::value ToJson(const T& value) {
  return WriteStruct(StructDescriptorOf<T>(), &value, true);
}

template <typename Items, typename ToJson>
json::array Array(const Items& items, ToJson to_json) {
  json::array list;
  for (const auto& item : items) list.push_back(to_json(item));
  return list;
}

template <typename Items, typename ToJson>
std::string List(const Items& items, ToJson to_json) {
  return json::serialize(Array(items, to_json));
}

template <typename T>
std::string DescribedList(const std::vector<T>& items) {
  return List(items, [](const T& item) { return ToJson(item); });
}

// JSON that the library wrote, or null for none.
json::value Embedded(const std::string& text) {
  if (text.empty()) return nullptr;
  return ParseJson(text, ErrorCode::InternalError, "own JSON");
}

json::value RequestJson(const RecordedRequest& request) {
  json::array messages;
  for (const auto& [role, text] : request.messages) {
    messages.push_back(json::array{role, text});
  }
  return json::object{{"node", request.node},
                      {"messages", std::move(messages)},
                      {"prompt_tokens", json::value_from(request.prompt_tokens)},
                      {"cached_tokens", json::value_from(request.cached_tokens)},
                      {"next_logits", json::value_from(request.next_logits)},
                      {"max_tokens", request.max_tokens},
                      {"seed", request.seed},
                      {"sampling", WriteStruct(StructDescriptorOf<SamplingOverrides>(),
                                               &request.sampling, false)},
                      {"grammar", request.grammar}};
}

json::value ErrorJson(const std::optional<Error>& error) {
  if (!error) return nullptr;
  return json::object{{"code", static_cast<int>(error->code())},
                      {"message", error->message()},
                      {"hint", error->hint()}};
}

json::value PresentJson(const std::optional<std::vector<std::string>>& present) {
  return present ? json::value_from(*present) : json::value(nullptr);
}

json::value MessageJson(const SceneMessage& message) {
  return json::object{{"id", message.id},
                      {"kind", KindName(message.kind)},
                      {"text", message.text},
                      {"speaker", message.speaker},
                      {"source", message.source},
                      {"meta", message.meta},
                      {"hidden", message.hidden},
                      {"present", PresentJson(message.present)},
                      {"duration", message.duration},
                      {"versions", json::value_from(message.versions)},
                      {"based_on", message.based_on}};
}

json::value EntryJson(const SceneEntry& entry) {
  return json::object{{"id", entry.id},
                      {"layer", entry.layer},
                      {"text", entry.text},
                      {"first", entry.first},
                      {"last", entry.last},
                      {"ts", entry.ts},
                      {"ts_start", entry.ts_start},
                      {"ts_end", entry.ts_end},
                      {"present", PresentJson(entry.present)},
                      {"is_static", entry.is_static},
                      {"verbatim", entry.verbatim},
                      {"out_of_sync", entry.out_of_sync},
                      {"edited", entry.edited}};
}

json::value LayerStatsJson(const SceneLayerStats& layer) {
  return json::object{{"layer", layer.layer},
                      {"source_tokens", layer.source_tokens},
                      {"source_count", layer.source_count},
                      {"tokens", layer.tokens},
                      {"count", layer.count},
                      {"reduction_percent", layer.reduction_percent}};
}

json::value ShownTextJson(const ShownText& text) {
  return json::object{{"id", text.id}, {"text", text.text}, {"tokens", text.tokens}};
}

json::value StorySectionJson(const StorySection& section) {
  json::object object{{"level", section.level},
                      {"texts", Array(section.texts, ShownTextJson)},
                      {"tokens", section.tokens},
                      {"budget", nullptr},
                      {"incomplete", section.incomplete}};
  if (section.budget) object["budget"] = *section.budget;
  return object;
}

std::string_view NameOf(HistoryState state) {
  switch (state) {
    case HistoryState::Folded:
      return "folded";
    case HistoryState::Trimmed:
      return "trimmed";
    case HistoryState::Replayed:
      break;
  }
  return "replayed";
}

std::string_view NameOf(TurnStatus status) {
  switch (status) {
    case TurnStatus::Success:
      return "success";
    case TurnStatus::Cancelled:
      return "cancelled";
    case TurnStatus::Error:
      break;
  }
  return "error";
}

}  // namespace

std::string ModelsJson(const std::vector<ModelInfo>& models) {
  return DescribedList(models);
}

std::string EmbeddingModelsJson(const std::vector<EmbeddingModelInfo>& models) {
  return DescribedList(models);
}

std::string StatsJson(const EngineStats& stats) {
  return json::serialize(ToJson(stats));
}

std::string RequestsJson(const std::vector<RecordedRequest>& requests) {
  return List(requests, RequestJson);
}

std::string KnowledgeJson(const KnowledgeInfo& knowledge) {
  return json::serialize(ToJson(knowledge));
}

std::string FoundJson(const std::vector<FoundRecord>& records) {
  return List(records, [](const FoundRecord& record) {
    return json::object{{"id", record.id},
                        {"text", record.text},
                        {"distance", record.distance},
                        {"metadata", Embedded(record.metadata)}};
  });
}

std::string ProblemsJson(const std::vector<GraphProblem>& problems) {
  return List(problems, [](const GraphProblem& problem) {
    return json::object{{"code", static_cast<int>(problem.code)},
                        {"is_warning", problem.is_warning},
                        {"node", problem.node},
                        {"field", problem.field},
                        {"message", problem.message},
                        {"hint", problem.hint}};
  });
}

std::string InteractionJson(const InteractionInfo& interaction) {
  return json::serialize(ToJson(interaction));
}

std::string DialogJson(const std::vector<InteractionInfo>& dialog) {
  return DescribedList(dialog);
}

std::string SummaryJson(const std::optional<SummaryInfo>& summary) {
  return json::serialize(summary ? ToJson(*summary) : json::value(nullptr));
}

std::string PinsJson(const std::vector<PinInfo>& pins) { return DescribedList(pins); }

std::string HistoryStatesJson(const std::vector<HistoryState>& states) {
  return List(states, [](HistoryState state) { return json::value(NameOf(state)); });
}

std::string TurnResultJson(const TurnResult& result) {
  return json::serialize(json::object{{"text", result.text},
                                      {"status", NameOf(result.status)},
                                      {"tokens_generated", result.tokens_generated},
                                      {"error", ErrorJson(result.error)},
                                      {"debug_info", Embedded(result.debug_info)}});
}

std::string SceneMessagesJson(const std::vector<SceneMessage>& messages) {
  return List(messages, MessageJson);
}

std::string SceneEntriesJson(const std::vector<SceneEntry>& entries) {
  return List(entries, EntryJson);
}

std::string SceneSourcesJson(const SceneSources& sources) {
  return json::serialize(
      json::object{{"messages", Array(sources.messages, MessageJson)},
                   {"entries", Array(sources.entries, EntryJson)}});
}

std::string SceneStatisticsJson(const std::vector<SceneLayerStats>& statistics) {
  return List(statistics, LayerStatsJson);
}

std::string StoryReviewJson(const StoryReview& review) {
  return json::serialize(
      json::object{{"tokens", review.tokens},
                   {"budget", review.budget},
                   {"text", review.text},
                   {"sections", Array(review.sections, StorySectionJson)}});
}

std::string SceneSettingsJson(const SceneSettings& settings) {
  return json::serialize(json::object{{"intro", settings.intro},
                                      {"intention", settings.intention},
                                      {"writing_style", settings.writing_style},
                                      {"format", FormatName(settings.format)}});
}

std::string TextsJson(const std::vector<std::string>& texts) {
  return List(texts, [](const std::string& text) { return json::value(text); });
}

std::string PairsJson(const std::vector<std::pair<std::string, std::string>>& pairs) {
  json::object object;
  for (const auto& [key, value] : pairs) object[key] = value;
  return json::serialize(object);
}

std::string TextMapJson(const std::map<std::string, std::string>& texts) {
  json::object object;
  for (const auto& [key, text] : texts) object[key] = text;
  return json::serialize(object);
}

}  // namespace capi

}  // namespace talefold
