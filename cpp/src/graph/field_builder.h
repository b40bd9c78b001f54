// Makes the rows of params tables from pointers to members:
//
//   Field("trigger_turns", &SummarizeParams::trigger_turns).Min(0).Ui(0, 50).Doc("...")
//
// Type, default, reader and writer follow from the member, so that a table repeats
// nothing the struct already says.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "graph/descriptor.h"

namespace talefold {

// Specialized for each struct and enum that is used as the type of a field.
template <typename Struct>
const StructDescriptor& StructDescriptorOf();
template <typename Enum>
const EnumDescriptor& EnumDescriptorOf();

template <typename Enum>
EnumDescriptor::Value Choice(Enum value, std::string name, std::string doc) {
  return {static_cast<int>(value), std::move(name), std::move(doc)};
}

// How a member of type T is described, read and written. The primary template is for
// described structs.
template <typename T>
struct FieldCodec {
  static void Describe(FieldDescriptor& field) {
    field.type = FieldType::Object;
    field.object = &StructDescriptorOf<T>();
  }
  static json::value Read(const T& value) {
    return WriteStruct(StructDescriptorOf<T>(), &value, true);
  }
  static void Write(T& value, const json::value& source) {
    if (source.is_null()) {
      value = T{};
      return;
    }
    for (const auto& [key, item] : source.get_object()) {
      StructDescriptorOf<T>().Find(key)->write(&value, item);
    }
  }
};

template <>
struct FieldCodec<bool> {
  static void Describe(FieldDescriptor& field) { field.type = FieldType::Bool; }
  static json::value Read(bool value) { return value; }
  static void Write(bool& value, const json::value& source) {
    value = source.get_bool();
  }
};

template <typename T>
  requires std::is_integral_v<T>
struct FieldCodec<T> {
  static_assert(sizeof(T) <= 4 || std::is_signed_v<T>, "would not fit in an int64");
  static void Describe(FieldDescriptor& field) {
    field.type = FieldType::Int;
    field.type_min = std::numeric_limits<T>::min();
    field.type_max = std::numeric_limits<T>::max();
  }
  static json::value Read(T value) { return static_cast<std::int64_t>(value); }
  static void Write(T& value, const json::value& source) {
    value = source.to_number<T>();
  }
};

template <>
struct FieldCodec<double> {
  static void Describe(FieldDescriptor& field) { field.type = FieldType::Float; }
  static json::value Read(double value) { return value; }
  static void Write(double& value, const json::value& source) {
    value = source.to_number<double>();
  }
};

template <>
struct FieldCodec<std::string> {
  static void Describe(FieldDescriptor& field) { field.type = FieldType::String; }
  static json::value Read(const std::string& value) { return json::value(value); }
  static void Write(std::string& value, const json::value& source) {
    value = source.get_string();
  }
};

template <typename T>
  requires std::is_enum_v<T>
struct FieldCodec<T> {
  static void Describe(FieldDescriptor& field) {
    field.type = FieldType::Enum;
    field.enumeration = &EnumDescriptorOf<T>();
  }
  // A value that is no enumerator becomes its number, which no check accepts.
  static json::value Read(T value) {
    for (const auto& choice : EnumDescriptorOf<T>().values) {
      if (choice.value == static_cast<int>(value)) return json::value(choice.name);
    }
    return static_cast<std::int64_t>(value);
  }
  static void Write(T& value, const json::value& source) {
    for (const auto& choice : EnumDescriptorOf<T>().values) {
      if (choice.name == source.get_string()) value = static_cast<T>(choice.value);
    }
  }
};

// A list: of strings or of described structs.
template <typename T>
struct FieldCodec<std::vector<T>> {
  static void Describe(FieldDescriptor& field) {
    FieldCodec<T>::Describe(field);
    field.type =
        field.type == FieldType::Object ? FieldType::ObjectList : FieldType::StringList;
  }
  static json::value Read(const std::vector<T>& value) {
    json::array items;
    for (const T& item : value) items.push_back(FieldCodec<T>::Read(item));
    return items;
  }
  static void Write(std::vector<T>& value, const json::value& source) {
    value.clear();
    for (const json::value& item : source.get_array()) {
      FieldCodec<T>::Write(value.emplace_back(), item);
    }
  }
};

// A sparse field.
template <typename T>
struct FieldCodec<std::optional<T>> {
  static void Describe(FieldDescriptor& field) {
    FieldCodec<T>::Describe(field);
    field.sparse = true;
  }
  static json::value Read(const std::optional<T>& value) {
    return value ? FieldCodec<T>::Read(*value) : json::value(nullptr);
  }
  static void Write(std::optional<T>& value, const json::value& source) {
    if (source.is_null()) {
      value.reset();
    } else {
      FieldCodec<T>::Write(value.emplace(), source);
    }
  }
};

class FieldBuilder {
 public:
  explicit FieldBuilder(FieldDescriptor field) : field_(std::move(field)) {}
  operator FieldDescriptor() const { return field_; }

  FieldBuilder& Min(double min) {
    field_.min = min;
    return *this;
  }
  FieldBuilder& Range(double min, double max) {
    field_.min = min;
    field_.max = max;
    return *this;
  }
  FieldBuilder& Ui(double min, double max) {
    field_.ui_min = min;
    field_.ui_max = max;
    return *this;
  }
  FieldBuilder& Structural() {
    field_.structural = true;
    return *this;
  }
  FieldBuilder& Localizable() {
    field_.localizable = true;
    return *this;
  }
  FieldBuilder& Multiline() {
    field_.multiline = true;
    return *this;
  }
  FieldBuilder& NonEmpty() {
    field_.non_empty = true;
    return *this;
  }
  FieldBuilder& Exit() {
    field_.is_exit = true;
    return Structural().Group("Exits");
  }
  FieldBuilder& CppName(std::string name) {
    field_.cpp_name = std::move(name);
    return *this;
  }
  FieldBuilder& Group(std::string group) {
    field_.group = std::move(group);
    return *this;
  }
  FieldBuilder& Doc(std::string doc) {
    field_.doc = std::move(doc);
    return *this;
  }

 private:
  FieldDescriptor field_;
};

template <typename Struct, typename Member>
FieldBuilder Field(std::string name, Member Struct::* member) {
  FieldDescriptor field;
  field.cpp_name = name;
  field.name = std::move(name);
  FieldCodec<Member>::Describe(field);
  field.read = [member](const void* params) {
    return FieldCodec<Member>::Read(static_cast<const Struct*>(params)->*member);
  };
  field.write = [member](void* params, const json::value& value) {
    FieldCodec<Member>::Write(static_cast<Struct*>(params)->*member, value);
  };
  const Struct defaults{};
  field.default_value = field.read(&defaults);
  return FieldBuilder(std::move(field));
}

}  // namespace talefold
