#include "knowledge/knowledge_config.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "base/name.h"

namespace talefold {
namespace {

constexpr std::int64_t kVersion = 1;
constexpr std::size_t kMaxFields = 64;
constexpr auto kTypes =
    std::to_array({MetadataType::Int, MetadataType::Float, MetadataType::String,
                   MetadataType::Bool, MetadataType::StringSet});

std::string ReadName(const JsonAt& at) {
  std::string name = at.String();
  if (!IsName(name)) {
    at.Fail(DescribeJson(at.value()) + " is no name: " + std::string(kNameRule));
  }
  return name;
}

MetadataType ReadType(const JsonAt& at) {
  const std::string name = at.String();
  const auto type = std::ranges::find(kTypes, name, FieldTypeName);
  if (type != kTypes.end()) return *type;
  at.Fail(DescribeJson(at.value()) +
          " is no type; allowed are int, float, string, bool and set<string>");
}

KnowledgeField ReadField(const JsonAt& at) {
  at.CheckKeys({"name", "type", "default", "optional", "filterable"});
  KnowledgeField field{ReadName(at.Member("name")), ReadType(at.Member("type")), {}};
  const bool optional = at.Has("optional") && at.Member("optional").Bool();
  if (optional == at.Has("default")) {
    at.Fail(optional ? "a field that is optional has no default"
                     : "a field has a default, or is optional",
            "give \"default\", or \"optional\": true");
  }
  if (!optional) {
    const JsonAt value = at.Member("default");
    CheckFieldValue(value, field.type);
    field.default_value = value.value();
  }
  field.filterable = at.Has("filterable") && at.Member("filterable").Bool();
  return field;
}

std::vector<KnowledgeField> ReadFields(const JsonAt& at) {
  std::vector<KnowledgeField> fields;
  const std::size_t count = at.size();
  if (count > kMaxFields) {
    at.Fail(std::to_string(count) + " fields; at most " + std::to_string(kMaxFields) +
            " are allowed");
  }
  for (std::size_t i = 0; i < count; ++i) {
    KnowledgeField field = ReadField(at[i]);
    if (std::ranges::find(fields, field.name, &KnowledgeField::name) != fields.end()) {
      at[i].Member("name").Fail("the name \"" + field.name + "\" occurs twice");
    }
    fields.push_back(std::move(field));
  }
  return fields;
}

void CheckVersion(const JsonAt& at) {
  const std::int64_t version = at.Integer();
  if (version == kVersion) return;
  const auto code = version > kVersion ? ErrorCode::EmbeddedStorageVersionTooNew
                                       : ErrorCode::MalformedEmbeddedStorage;
  at.WithCode(code).Fail("version " + std::to_string(version) +
                         " is not known; this library reads version " +
                         std::to_string(kVersion));
}

}  // namespace

std::string_view FieldTypeName(MetadataType type) {
  switch (type) {
    case MetadataType::Int:
      return "int";
    case MetadataType::Float:
      return "float";
    case MetadataType::String:
      return "string";
    case MetadataType::Bool:
      return "bool";
    case MetadataType::StringSet:
      break;
  }
  return "set<string>";
}

void CheckFieldValue(const JsonAt& at, MetadataType type) {
  const json::value& value = at.value();
  switch (type) {
    case MetadataType::Int:
      if (!value.is_int64()) at.FailType("an int");
      break;
    case MetadataType::Float:
      if (!value.is_number()) at.FailType("a number");
      break;
    case MetadataType::String:
      if (!value.is_string()) at.FailType("a string");
      break;
    case MetadataType::Bool:
      if (!value.is_bool()) at.FailType("a bool");
      break;
    case MetadataType::StringSet:
      if (!value.is_array()) at.FailType("an array of strings");
      for (std::size_t i = 0; i < at.size(); ++i) {
        if (!at[i].value().is_string()) at[i].FailType("a string");
      }
      break;
  }
}

KnowledgeConfig ParseKnowledgeConfig(std::string_view text, RecordsPlace records) {
  constexpr ErrorCode kCode = ErrorCode::MalformedEmbeddedStorage;
  const json::value document = ParseJson(text, kCode, "config");
  const JsonAt at(document, "config", kCode);
  if (!document.is_object()) at.FailType("an object");
  CheckVersion(at.Member("version"));
  if (records == RecordsPlace::File) {
    at.CheckKeys({"version", "embedding_model", "records_file", "fields"});
  } else {
    at.CheckKeys({"version", "embedding_model", "fields"});
  }
  KnowledgeConfig config;
  if (at.Has("embedding_model")) {
    config.embedding_model = at.Member("embedding_model").String();
  }
  if (records == RecordsPlace::File) {
    config.records_file = at.Member("records_file").String();
    if (config.records_file.empty()) at.Member("records_file").Fail("is empty");
  }
  if (at.Has("fields")) config.fields = ReadFields(at.Member("fields"));
  return config;
}

}  // namespace talefold
