#include "knowledge/metadata.h"

#include <algorithm>
#include <type_traits>
#include <utility>

namespace talefold {
namespace {

MetadataColumn EmptyColumn(MetadataType type) {
  switch (type) {
    case MetadataType::Int:
      return {std::vector<std::int64_t>(), {}};
    case MetadataType::Float:
      return {std::vector<double>(), {}};
    case MetadataType::String:
      return {std::vector<std::string>(), {}};
    case MetadataType::Bool:
      return {std::vector<std::uint8_t>(), {}};
    case MetadataType::StringSet:
      break;
  }
  return {std::vector<StringSet>(), {}};
}

template <typename T>
T ReadValue(const json::value& value) {
  if constexpr (std::is_same_v<T, std::int64_t>) return value.get_int64();
  if constexpr (std::is_same_v<T, double>) return value.to_number<double>();
  if constexpr (std::is_same_v<T, std::string>) return std::string(value.get_string());
  if constexpr (std::is_same_v<T, std::uint8_t>) return value.get_bool() ? 1 : 0;
  if constexpr (std::is_same_v<T, StringSet>) return ReadStringSet(value);
}

// `value` is of the column's type; nullptr = missing.
void AppendValue(MetadataColumn& column, const json::value* value) {
  column.present.push_back(value != nullptr ? 1 : 0);
  std::visit(
      [&](auto& values) {
        using T = typename std::remove_reference_t<decltype(values)>::value_type;
        values.push_back(value == nullptr ? T() : ReadValue<T>(*value));
      },
      column.values);
}

}  // namespace

StringSet ReadStringSet(const json::value& array_of_strings) {
  StringSet set;
  for (const json::value& item : array_of_strings.get_array()) {
    set.emplace_back(item.get_string());
  }
  std::ranges::sort(set);
  set.erase(std::unique(set.begin(), set.end()), set.end());
  return set;
}

Metadata::Metadata(std::vector<KnowledgeField> fields) : fields_(std::move(fields)) {
  for (const KnowledgeField& field : fields_) {
    columns_.push_back(EmptyColumn(field.type));
  }
}

void Metadata::Append(const JsonAt& at) {
  const json::object* object = at.value().if_object();
  if (object == nullptr) at.FailType("an object");
  std::size_t known = 0;
  for (std::size_t i = 0; i < fields_.size(); ++i) {
    const KnowledgeField& field = fields_[i];
    const json::value* value = object->if_contains(field.name);
    if (value != nullptr) {
      CheckFieldValue(at.Member(field.name), field.type);
      ++known;
    } else if (field.default_value) {
      value = &*field.default_value;
    }
    AppendValue(columns_[i], value);
  }
  ++rows_;
  if (known == object->size()) return;
  for (const auto& member : *object) {
    const std::string_view key = member.key();
    if (std::ranges::find(fields_, key, &KnowledgeField::name) != fields_.end())
      continue;
    at.Fail("the config has no field " + DescribeJson(json::string(key)),
            "add the field to the config, or remove it here");
  }
}

json::value Metadata::Value(std::size_t row, std::size_t field) const {
  const MetadataColumn& column = columns_[field];
  if (column.present[row] == 0) return nullptr;
  if (fields_[field].type == MetadataType::Bool) {
    return column.As<std::uint8_t>()[row] != 0;
  }
  return std::visit([&](const auto& values) { return json::value_from(values[row]); },
                    column.values);
}

json::object Metadata::Object(std::size_t row) const {
  json::object object;
  for (std::size_t field = 0; field < fields_.size(); ++field) {
    if (columns_[field].present[row] == 0) continue;
    object[fields_[field].name] = Value(row, field);
  }
  return object;
}

}  // namespace talefold
