// Params as JSON values: checking, reading and writing, driven by the tables.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include "base/text.h"
#include "graph/descriptor.h"

namespace talefold {

namespace {

std::string NumberText(double number) {
  char text[32];  // std::to_chars and not printf: the locale must not matter
  return std::string(text, std::to_chars(text, text + sizeof text, number).ptr);
}

std::string ExpectedType(const FieldDescriptor& field) {
  std::string expected;
  switch (field.type) {
    case FieldType::Bool:
      expected = "boolean";
      break;
    case FieldType::Int:
      expected = "integer";
      break;
    case FieldType::Float:
      expected = "number";
      break;
    case FieldType::String:
    case FieldType::Enum:
      expected = "string";
      break;
    case FieldType::StringList:
      expected = "array of strings";
      break;
    case FieldType::Object:
      expected = "object";
      break;
    case FieldType::ObjectList:
      expected = "array of objects";
      break;
  }
  return field.sparse ? expected + " or null" : expected;
}

// A number that compares with the bounds of a table. Integers past 2^53 round, which no
// bound is near enough to notice.
double AsDouble(const json::value& value) {
  if (value.is_int64()) return static_cast<double>(value.get_int64());
  if (value.is_uint64()) return static_cast<double>(value.get_uint64());
  return value.get_double();
}

bool FitsType(const FieldDescriptor& field, const json::value& value) {
  if (field.type != FieldType::Int) return true;
  if (value.is_uint64()) {
    return std::cmp_less_equal(value.get_uint64(), field.type_max);
  }
  return value.get_int64() >= field.type_min && value.get_int64() <= field.type_max;
}

// "0 to 512", "16 or more". With `whole_type`, what the integer type holds is a bound
// too.
std::string AllowedRange(const FieldDescriptor& field, bool whole_type) {
  const auto bound = [&](const std::optional<double>& set, std::int64_t type_bound) {
    if (set) return NumberText(*set);
    return whole_type ? std::to_string(type_bound) : std::string();
  };
  const std::string min = bound(field.min, field.type_min);
  const std::string max = bound(field.max, field.type_max);
  if (max.empty()) return min + " or more";
  return min.empty() ? max + " or less" : min + " to " + max;
}

std::string DescribeNumber(const json::value& value) {
  if (value.is_double()) return NumberText(value.get_double());
  return DescribeJson(value);
}

std::vector<std::string_view> FieldNames(const StructDescriptor& descriptor) {
  std::vector<std::string_view> names;
  for (const FieldDescriptor& field : descriptor.fields) names.push_back(field.name);
  return names;
}

std::string Join(std::string_view path, std::string_view name) {
  return path.empty() ? std::string(name) : std::string(path) + "." + std::string(name);
}

// Checks JSON values against rows; each problem is added under the path of its value.
class ValueChecker {
 public:
  ValueChecker(std::string_view node, std::vector<GraphProblem>& problems)
      : node_(node), problems_(problems) {}

  // True when nothing was found.
  bool Check(const FieldDescriptor& field, const json::value& value,
             const std::string& path) {
    const std::size_t before = problems_.size();
    CheckValue(field, value, path);
    return problems_.size() == before;
  }

  // Keys and values of an object; `complete` when it is all there will be, so that a
  // field without a usable default must be in it.
  void CheckObject(const StructDescriptor& descriptor, const json::value& value,
                   const std::string& path, bool complete) {
    for (const auto& [key, item] : value.get_object()) {
      const FieldDescriptor* field = descriptor.Find(key);
      if (field) {
        Check(*field, item, Join(path, key));
      } else {
        AddUnknownKey(descriptor, key, path);
      }
    }
    if (complete) CheckComplete(descriptor, value.get_object(), path);
  }

  // Every field without a usable default is in `object`.
  void CheckComplete(const StructDescriptor& descriptor, const json::object& object,
                     const std::string& path) {
    for (const FieldDescriptor& field : descriptor.fields) {
      if (field.non_empty && field.type == FieldType::String && !field.sparse &&
          !object.contains(field.name)) {
        Add(Join(path, field.name), "is missing");
      }
    }
  }

  void AddUnknownKey(const StructDescriptor& descriptor, std::string_view key,
                     const std::string& path) {
    const std::vector<std::string_view> names = FieldNames(descriptor);
    Add(Join(path, key), "there is no such field; allowed: " + ListNames(names),
        DidYouMean(key, names));
  }

  void AddWrongType(const json::value& value, std::string_view expected,
                    const std::string& path) {
    Add(path, "found " + DescribeFound(value) + "; expected " + std::string(expected));
  }

 private:
  void Add(const std::string& path, const std::string& what, std::string hint = {}) {
    problems_.push_back(ParamProblem(node_, path, what, std::move(hint)));
  }

  void CheckValue(const FieldDescriptor& field, const json::value& value,
                  const std::string& path) {
    if (value.is_null() && (field.sparse || field.type == FieldType::Object)) return;
    if (!HasType(field, value)) {
      AddWrongType(value, ExpectedType(field), path);
      return;
    }
    switch (field.type) {
      case FieldType::Bool:
        break;
      case FieldType::Int:
      case FieldType::Float:
        CheckNumber(field, value, path);
        break;
      case FieldType::String:
        CheckString(field, value, path);
        break;
      case FieldType::Enum:
        CheckChoice(*field.enumeration, value, path);
        break;
      case FieldType::Object:
        CheckObject(*field.object, value, path, false);
        break;
      case FieldType::StringList:
      case FieldType::ObjectList:
        CheckItems(field, value.get_array(), path);
        break;
    }
  }

  static bool HasType(const FieldDescriptor& field, const json::value& value) {
    switch (field.type) {
      case FieldType::Bool:
        return value.is_bool();
      case FieldType::Int:
        return value.is_int64() || value.is_uint64();
      case FieldType::Float:
        return value.is_number();
      case FieldType::String:
      case FieldType::Enum:
        return value.is_string();
      case FieldType::Object:
        return value.is_object();
      case FieldType::StringList:
      case FieldType::ObjectList:
        break;
    }
    return value.is_array();
  }

  void CheckNumber(const FieldDescriptor& field, const json::value& value,
                   const std::string& path) {
    const double number = AsDouble(value);
    if (!std::isfinite(number)) {
      Add(path, NumberText(number) + " is not a finite number");
      return;
    }
    const bool fits = FitsType(field, value);
    const bool in_range =
        (!field.min || number >= *field.min) && (!field.max || number <= *field.max);
    if (fits && in_range) return;
    Add(path, DescribeNumber(value) + " is out of range; allowed " +
                  AllowedRange(field, !fits));
  }

  void CheckString(const FieldDescriptor& field, const json::value& value,
                   const std::string& path) {
    const json::string& text = value.get_string();
    if (field.non_empty && text.empty()) {
      Add(path, "\"\" is not allowed; it must not be empty");
      return;
    }
    try {  // texts built in C++ may be anything
      CheckText(text, "text", std::numeric_limits<std::int64_t>::max());
    } catch (const Error& error) {
      Add(path, error.message(), error.hint());
    }
  }

  void CheckChoice(const EnumDescriptor& enumeration, const json::value& value,
                   const std::string& path) {
    std::vector<std::string_view> names;
    for (const auto& choice : enumeration.values) names.push_back(choice.name);
    const std::string_view name = value.get_string();
    if (std::find(names.begin(), names.end(), name) != names.end()) return;
    Add(path, DescribeJson(value) + " is not a choice; allowed: " + ListNames(names),
        DidYouMean(name, names));
  }

  void CheckItems(const FieldDescriptor& field, const json::array& items,
                  const std::string& path) {
    for (std::size_t i = 0; i < items.size(); ++i) {
      const std::string item_path = path + "[" + std::to_string(i) + "]";
      if (field.type == FieldType::StringList) {
        CheckListString(field, items[i], item_path);
      } else if (items[i].is_object()) {
        CheckObject(*field.object, items[i], item_path, true);
      } else {
        AddWrongType(items[i], "object", item_path);
      }
    }
  }

  void CheckListString(const FieldDescriptor& field, const json::value& item,
                       const std::string& path) {
    if (item.is_string()) {
      CheckString(field, item, path);
    } else {
      AddWrongType(item, "string", path);
    }
  }

  std::string_view node_;
  std::vector<GraphProblem>& problems_;
};

// Writes the fields of `object` that pass their check into `target`.
void ReadFields(const StructDescriptor& descriptor, const json::value& object,
                std::string_view node, std::string_view path, void* target,
                std::vector<GraphProblem>& problems) {
  ValueChecker checker(node, problems);
  if (!object.is_object()) {
    checker.AddWrongType(object, "object", std::string(path));
    return;
  }
  for (const auto& [key, value] : object.get_object()) {
    const FieldDescriptor* field = descriptor.Find(key);
    if (!field) {
      checker.AddUnknownKey(descriptor, key, std::string(path));
    } else if (checker.Check(*field, value, Join(path, key))) {
      field->write(target, value);
    }
  }
}

void CheckTogether(const AnyNodeParams& params, std::string_view node,
                   std::vector<GraphProblem>& problems) {
  const NodeDescriptor& descriptor = DescriptorOf(params);
  if (descriptor.check) descriptor.check(params, node, problems);
}

// Leaves out of `value` what equals the default, inside objects too.
json::value WithoutDefaults(const FieldDescriptor& field, const json::value& value);

json::object WithoutDefaults(const StructDescriptor& descriptor,
                             const json::object& object) {
  json::object changed;
  for (const FieldDescriptor& field : descriptor.fields) {
    const json::value& value = object.at(field.name);
    if (value != field.default_value) {
      changed[field.name] = WithoutDefaults(field, value);
    }
  }
  return changed;
}

json::value WithoutDefaults(const FieldDescriptor& field, const json::value& value) {
  if (value.is_null()) return value;
  if (field.type == FieldType::Object) {
    return WithoutDefaults(*field.object, value.get_object());
  }
  if (field.type != FieldType::ObjectList) return value;
  json::array items;
  for (const json::value& item : value.get_array()) {
    items.push_back(WithoutDefaults(*field.object, item.get_object()));
  }
  return items;
}

}  // namespace

void ReadValidParams(const json::value& object, std::string_view node,
                     AnyNodeParams& params, std::vector<GraphProblem>& problems) {
  const std::size_t before = problems.size();
  ReadFields(DescriptorOf(params).params, object, node, "", ParamsPointer(params),
             problems);
  if (problems.size() == before) CheckTogether(params, node, problems);
}

void CheckComplete(const json::object& object, std::string_view node,
                   const NodeDescriptor& descriptor,
                   std::vector<GraphProblem>& problems) {
  ValueChecker(node, problems).CheckComplete(descriptor.params, object, "");
}

void ReadParams(const json::value& object, std::string_view node, AnyNodeParams& params,
                std::vector<GraphProblem>& problems) {
  const std::size_t before = problems.size();
  AnyNodeParams changed = params;
  ReadValidParams(object, node, changed, problems);
  if (problems.size() == before) params = std::move(changed);
}

void ReadStruct(const StructDescriptor& descriptor, const json::value& object,
                std::string_view node, std::string_view path, void* value,
                std::vector<GraphProblem>& problems) {
  const std::size_t before = problems.size();
  ValueChecker checker(node, problems);
  if (!object.is_object()) {
    checker.AddWrongType(object, "object", std::string(path));
    return;
  }
  checker.CheckObject(descriptor, object, std::string(path), false);
  if (problems.size() > before) return;
  ReadFields(descriptor, object, node, path, value, problems);
}

json::object WriteStruct(const StructDescriptor& descriptor, const void* value,
                         bool with_defaults) {
  json::object object;
  for (const FieldDescriptor& field : descriptor.fields) {
    object[field.name] = field.read(value);
  }
  return with_defaults ? object : WithoutDefaults(descriptor, object);
}

json::object WriteParams(const AnyNodeParams& params, bool with_defaults) {
  return WriteStruct(DescriptorOf(params).params, ParamsPointer(params), with_defaults);
}

void ValidateStruct(const StructDescriptor& descriptor, const void* value,
                    std::string_view node, std::string_view path,
                    std::vector<GraphProblem>& problems) {
  ValueChecker(node, problems)
      .CheckObject(descriptor, WriteStruct(descriptor, value, true), std::string(path),
                   true);
}

void ValidateParams(const AnyNodeParams& params, std::string_view node,
                    std::vector<GraphProblem>& problems) {
  const std::size_t before = problems.size();
  ValidateStruct(DescriptorOf(params).params, ParamsPointer(params), node, "",
                 problems);
  if (problems.size() == before) CheckTogether(params, node, problems);
}

}  // namespace talefold
