// What is known of the records beside their text: one typed column a field.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "knowledge/json_at.h"
#include "knowledge/knowledge_config.h"

namespace talefold {

using StringSet = std::vector<std::string>;  // ascending, each once

StringSet ReadStringSet(const json::value& array_of_strings);

// One value a row, empty where `present` is 0; which of the vectors it is follows from
// the field's type. Bools are 0 and 1.
struct MetadataColumn {
  std::variant<std::vector<std::int64_t>, std::vector<double>, std::vector<std::string>,
               std::vector<std::uint8_t>, std::vector<StringSet>>
      values;
  std::vector<std::uint8_t> present;

  template <typename T>
  const std::vector<T>& As() const {
    return std::get<std::vector<T>>(values);
  }
};

// Built once, then immutable: any thread.
class Metadata {
 public:
  explicit Metadata(std::vector<KnowledgeField> fields);

  // One more row. Fails as `at` does for keys that are no field and values of another
  // type; the row is then incomplete, and the table not to be used.
  void Append(const JsonAt& at);

  const std::vector<KnowledgeField>& fields() const { return fields_; }
  const MetadataColumn& column(std::size_t field) const { return columns_[field]; }
  std::size_t rows() const { return rows_; }
  // The value as JSON; null where an optional one is missing.
  json::value Value(std::size_t row, std::size_t field) const;
  // All of a row; an optional one that is missing is left out.
  json::object Object(std::size_t row) const;

 private:
  std::vector<KnowledgeField> fields_;
  std::vector<MetadataColumn> columns_;  // one a field
  std::size_t rows_ = 0;
};

}  // namespace talefold
