// A knowledge base with fields of every type, for the targets.
#pragma once

#include "knowledge/knowledge_base.h"

namespace talefold::fuzz {

constexpr std::string_view kConfig = R"({"version": 1, "fields": [
  {"name": "year", "type": "int", "optional": true, "filterable": true},
  {"name": "weight", "type": "float", "default": 2, "filterable": true},
  {"name": "place", "type": "string", "default": "inn", "filterable": true},
  {"name": "secret", "type": "bool", "optional": true, "filterable": true},
  {"name": "tags", "type": "set<string>", "optional": true, "filterable": true},
  {"name": "hidden", "type": "int", "default": 0}]})";

constexpr std::string_view kRecords = R"([
  {"id": "bare", "text": "the dragon"},
  {"id": "full", "text": "the mill", "metadata": {"year": 1201, "weight": 1.5,
   "place": "mill", "secret": true, "tags": ["old", "dark"], "hidden": 3}},
  {"id": "big", "text": "the key", "metadata": {"year": 9007199254740993,
   "weight": -1e300, "place": "", "secret": false, "tags": []}}])";

inline KnowledgeConfig ExampleConfig() {
  return ParseKnowledgeConfig(kConfig, RecordsPlace::Beside);
}

}  // namespace talefold::fuzz
