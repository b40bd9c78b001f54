// The config file of an embedded storage.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "knowledge/json_at.h"

namespace talefold {

enum class MetadataType { Int, Float, String, Bool, StringSet };

// "int", "float", "string", "bool" or "set<string>".
std::string_view FieldTypeName(MetadataType type);

// A field of every record's metadata.
struct KnowledgeField {
  std::string name;  // 1 to 64 letters, digits, '_', '-'
  MetadataType type;
  // What a record without it has; unset = the field is optional, and may be missing.
  std::optional<json::value> default_value;
  bool filterable = false;  // filters may ask for it
};

// {"version": 1, "embedding_model": "minilm", "records_file": "lore.records.json",
//  "fields": [{"name": "place", "type": "string", "default": "", "filterable": true},
//             {"name": "year", "type": "int", "optional": true}]}
struct KnowledgeConfig {
  std::string embedding_model;  // name of a loaded one; empty or left out = none
  std::string records_file;     // path, as the config's own; empty = records beside it
  std::vector<KnowledgeField> fields;  // at most 64; may be left out
};

enum class RecordsPlace {
  File,   // named by the config
  Beside  // handed over with it: it names none
};

// Throws MalformedEmbeddedStorage with the JSON path ("config.fields[1].type"), or
// EmbeddedStorageVersionTooNew.
KnowledgeConfig ParseKnowledgeConfig(std::string_view text,
                                     RecordsPlace records = RecordsPlace::File);

// `at` has a value of `type`; fails with the type that is expected otherwise. An
// integer is also a float.
void CheckFieldValue(const JsonAt& at, MetadataType type);

}  // namespace talefold
