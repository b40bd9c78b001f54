#include "capi/options.h"

#include <map>
#include <utility>

#include "base/json.h"
#include "graph/params/history_fields.h"
#include "scene/message.h"

namespace talefold {

using capi::AgentSettings;
using capi::SearchQuery;

template <>
const EnumDescriptor& EnumDescriptorOf<ScriptedReply::Outcome>() {
  using Outcome = ScriptedReply::Outcome;
  static const EnumDescriptor descriptor{
      "Outcome",
      "What happens after the text of a scripted reply.",
      {Choice(Outcome::Finish, "finish", ""), Choice(Outcome::Fail, "fail", ""),
       Choice(Outcome::Stall, "stall", ""),
       Choice(Outcome::OutOfContext, "out_of_context", "")}};
  return descriptor;
}

template <>
const StructDescriptor& StructDescriptorOf<ScriptedReply>() {
  using R = ScriptedReply;
  static const StructDescriptor descriptor{
      "ScriptedReply",
      "",
      {Field("text", &R::text), Field("outcome", &R::outcome),
       Field("echo", &R::echo)}};
  return descriptor;
}

namespace {

// Keys are names there, so that no table describes it: read by ReadNodeReplies, it
// stands here for the message that lists the fields there are.
FieldDescriptor NodeReplies() {
  FieldDescriptor field;
  field.name = "node_replies";
  field.read = [](const void*) { return json::value(nullptr); };
  field.write = [](void*, const json::value&) {};
  return field;
}

}  // namespace

template <>
const StructDescriptor& StructDescriptorOf<ScriptedModelOptions>() {
  using S = ScriptedModelOptions;
  static const StructDescriptor descriptor{
      "ScriptedModelOptions",
      "",
      {Field("replies", &S::replies), NodeReplies(), Field("tokenizer", &S::tokenizer),
       Field("trained_context_size", &S::trained_context_size),
       Field("token_delay_us", &S::token_delay_us),
       Field("keep_reasoning", &S::keep_reasoning),
       Field("record_requests", &S::record_requests),
       Field("default_sampling", &S::default_sampling)}};
  return descriptor;
}

template <>
const StructDescriptor& StructDescriptorOf<EngineOptions>() {
  using E = EngineOptions;
  static const StructDescriptor descriptor{
      "EngineOptions",
      "",
      {Field("worker_threads", &E::worker_threads),
       Field("max_message_bytes", &E::max_message_bytes),
       Field("max_steps_per_turn", &E::max_steps_per_turn),
       Field("kv_cache_bytes", &E::kv_cache_bytes),
       Field("slots_per_pool", &E::slots_per_pool),
       Field("deterministic", &E::deterministic), Field("prewarm", &E::prewarm),
       Field("storage_root", &E::storage_root)}};
  return descriptor;
}

template <>
const StructDescriptor& StructDescriptorOf<AgentSettings>() {
  using A = AgentSettings;
  static const StructDescriptor descriptor{
      "AgentOptions",
      "",
      {Field("default_model_name", &A::default_model_name),
       Field("enable_diagnostics", &A::enable_diagnostics)}};
  return descriptor;
}

template <>
const StructDescriptor& StructDescriptorOf<SceneSettings>() {
  using S = SceneSettings;
  static const StructDescriptor descriptor{
      "SceneSettings",
      "",
      {Field("intro", &S::intro), Field("intention", &S::intention),
       Field("writing_style", &S::writing_style), Field("format", &S::format)}};
  return descriptor;
}

template <>
const StructDescriptor& StructDescriptorOf<SceneOptions>() {
  using S = SceneOptions;
  static const StructDescriptor descriptor{
      "SceneOptions",
      "",
      {Field("default_model_name", &S::default_model_name),
       Field("run_inline", &S::run_inline),
       Field("enable_diagnostics", &S::enable_diagnostics),
       Field("settings", &S::settings)}};
  return descriptor;
}

template <>
const StructDescriptor& StructDescriptorOf<MessageOptions>() {
  using M = MessageOptions;
  static const StructDescriptor descriptor{
      "MessageOptions",
      "",
      {Field("source", &M::source), Field("meta", &M::meta),
       Field("hidden", &M::hidden)}};
  return descriptor;
}

template <>
const StructDescriptor& StructDescriptorOf<LlamaModelOptions>() {
  using L = LlamaModelOptions;
  static const StructDescriptor descriptor{
      "LlamaModelOptions",
      "",
      {Field("path", &L::path), Field("n_gpu_layers", &L::n_gpu_layers),
       Field("default_context_size", &L::default_context_size),
       Field("chat_template", &L::chat_template),
       Field("default_sampling", &L::default_sampling),
       Field("keep_reasoning", &L::keep_reasoning),
       Field("record_requests", &L::record_requests)}};
  return descriptor;
}

template <>
const StructDescriptor& StructDescriptorOf<EmbeddingModelOptions>() {
  using M = EmbeddingModelOptions;
  static const StructDescriptor descriptor{
      "EmbeddingModelOptions",
      "",
      {Field("path", &M::path), Field("n_gpu_layers", &M::n_gpu_layers)}};
  return descriptor;
}

template <>
const StructDescriptor& StructDescriptorOf<KnowledgeSource>() {
  using K = KnowledgeSource;
  static const StructDescriptor descriptor{
      "KnowledgeSource",
      "",
      {Field("config_file", &K::config_file), Field("config", &K::config),
       Field("records", &K::records)}};
  return descriptor;
}

template <>
const StructDescriptor& StructDescriptorOf<SearchQuery>() {
  using Q = SearchQuery;
  static const StructDescriptor descriptor{
      "KnowledgeSearch",
      "",
      {Field("text", &Q::text), Field("top_k", &Q::top_k),
       Field("max_distance", &Q::max_distance), Field("filter", &Q::filter)}};
  return descriptor;
}

template <>
const StructDescriptor& StructDescriptorOf<StorageEntry>() {
  using S = StorageEntry;
  static const StructDescriptor descriptor{
      "StorageEntry", "", {Field("id", &S::id), Field("text", &S::text)}};
  return descriptor;
}

namespace capi {

namespace {

// What a member is an array of, under a key that ReadStruct knows.
struct ReplyList {
  std::vector<ScriptedReply> replies = {};
};
struct EntryList {
  std::vector<StorageEntry> entries = {};
};
struct TextList {
  std::vector<std::string> texts = {};
};

}  // namespace

}  // namespace capi

template <>
const StructDescriptor& StructDescriptorOf<capi::ReplyList>() {
  static const StructDescriptor descriptor{
      "ReplyList", "", {Field("replies", &capi::ReplyList::replies)}};
  return descriptor;
}

template <>
const StructDescriptor& StructDescriptorOf<capi::EntryList>() {
  static const StructDescriptor descriptor{
      "EntryList", "", {Field("entries", &capi::EntryList::entries)}};
  return descriptor;
}

template <>
const StructDescriptor& StructDescriptorOf<capi::TextList>() {
  static const StructDescriptor descriptor{
      "TextList", "", {Field("texts", &capi::TextList::texts)}};
  return descriptor;
}

namespace capi {

namespace {

json::value Parse(std::string_view text, std::string_view what) {
  return ParseJson(text, ErrorCode::InvalidArgument, what);
}

// `read`, with the fields that `value` has.
template <typename T>
T ReadAs(const json::value& value, std::string_view path, T read = {}) {
  std::vector<GraphProblem> problems;
  ReadStruct(StructDescriptorOf<T>(), value, "", path, &read, problems);
  ThrowIfInvalid(problems);
  return read;
}

template <typename T>
T ReadOptions(std::string_view text, std::string_view what = "options") {
  return text.empty() ? T{} : ReadAs<T>(Parse(text, what), what);
}

void RequirePath(const std::string& path) {
  if (!path.empty()) return;
  throw Error(ErrorCode::InvalidArgument, "options.path is missing or empty",
              "pass the path of a GGUF file: {\"path\": \"model.gguf\"}");
}

// A text among `items` is short for an object of which it is the text.
json::value WithTextsAsObjects(json::value items, const std::string& path) {
  if (!items.is_array()) {
    throw Error(ErrorCode::InvalidParamValue,
                path + ": found " + DescribeFound(items) +
                    "; expected array of texts or objects");
  }
  for (json::value& item : items.get_array()) {
    if (item.is_string()) item = json::object{{"text", item}};
  }
  return items;
}

void ReadNodeReplies(const json::value& nodes, ScriptedModelOptions& options) {
  if (!nodes.is_object()) {
    throw Error(
        ErrorCode::InvalidParamValue,
        "options.node_replies: found " + DescribeFound(nodes) + "; expected object");
  }
  for (const auto& [node, replies] : nodes.get_object()) {
    const std::string path = "options.node_replies." + std::string(node);
    const json::value list =
        json::object{{"replies", WithTextsAsObjects(replies, path)}};
    options.node_replies[std::string(node)] = ReadAs<ReplyList>(list, path).replies;
  }
}

}  // namespace

EngineOptions ReadEngineOptions(std::string_view text) {
  return ReadOptions<EngineOptions>(text);
}

AgentSettings ReadAgentSettings(std::string_view text) {
  return ReadOptions<AgentSettings>(text);
}

SceneOptions ReadSceneOptions(std::string_view text) {
  return ReadOptions<SceneOptions>(text);
}

MessageOptions ReadMessageOptions(std::string_view text) {
  return ReadOptions<MessageOptions>(text);
}

SceneSettings ReadSceneSettings(std::string_view text, SceneSettings settings) {
  return ReadAs<SceneSettings>(Parse(text, "settings"), "settings",
                               std::move(settings));
}

ScriptedModelOptions ReadScriptedModelOptions(std::string_view text) {
  if (text.empty()) return {};
  json::value value = Parse(text, "options");
  json::value node_replies = json::object();
  if (json::object* options = value.if_object()) {
    if (const json::value* given = options->if_contains("node_replies")) {
      node_replies = *given;
      options->erase("node_replies");
    }
    if (json::value* replies = options->if_contains("replies")) {
      *replies = WithTextsAsObjects(std::move(*replies), "options.replies");
    }
  }
  auto options = ReadAs<ScriptedModelOptions>(value, "options");
  ReadNodeReplies(node_replies, options);
  return options;
}

LlamaModelOptions ReadLlamaModelOptions(std::string_view text) {
  auto options = ReadOptions<LlamaModelOptions>(text);
  RequirePath(options.path);
  return options;
}

EmbeddingModelOptions ReadEmbeddingModelOptions(std::string_view text) {
  auto options = ReadOptions<EmbeddingModelOptions>(text);
  RequirePath(options.path);
  return options;
}

KnowledgeSource ReadKnowledgeSource(std::string_view text) {
  return ReadOptions<KnowledgeSource>(text, "source");
}

SearchQuery ReadSearchQuery(std::string_view text) {
  return ReadOptions<SearchQuery>(text, "search");
}

std::vector<StorageEntry> ReadStorageEntries(std::string_view text) {
  json::value entries = WithTextsAsObjects(Parse(text, "entries"), "entries");
  return ReadAs<EntryList>(json::object{{"entries", std::move(entries)}}, "").entries;
}

StorageKind ReadStorageKind(std::string_view name) {
  if (name == "list") return StorageKind::List;
  if (name == "map") return StorageKind::Map;
  if (name == "multimap") return StorageKind::Multimap;
  throw Error(ErrorCode::InvalidArgument, "kind of a storage is " +
                                              DescribeJson(json::value(name)) +
                                              "; allowed: 'list', 'map', 'multimap'");
}

MessageKind ReadNoteKind(std::string_view name) {
  for (const MessageKind kind :
       {MessageKind::Reinforcement, MessageKind::ContextInvestigation}) {
    if (name == KindName(kind)) return kind;
  }
  throw Error(ErrorCode::InvalidArgument,
              "kind of a note is " + DescribeJson(json::value(name)) +
                  "; allowed: 'reinforcement', 'context_investigation'");
}

std::vector<std::string> ReadTexts(std::string_view text, std::string_view what) {
  return ReadAs<TextList>(json::object{{"texts", Parse(text, what)}}, "").texts;
}

std::map<std::string, std::string> ReadTextMap(std::string_view text,
                                               std::string_view what) {
  const json::value value = Parse(text, what);
  if (!value.is_object()) {
    throw Error(
        ErrorCode::InvalidArgument,
        std::string(what) + ": found " + DescribeFound(value) + "; expected object");
  }
  std::map<std::string, std::string> texts;
  for (const auto& [key, item] : value.get_object()) {
    if (!item.is_string()) {
      throw Error(ErrorCode::InvalidArgument,
                  std::string(what) + ", key '" + std::string(key) + "': found " +
                      DescribeFound(item) + "; expected string");
    }
    texts.emplace(key, item.get_string());
  }
  return texts;
}

}  // namespace capi

}  // namespace talefold
