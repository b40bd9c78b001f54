#include "knowledge/json_at.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace talefold {

void JsonAt::Fail(const std::string& what, std::string hint) const {
  throw Error(code_, path_ + ": " + what, std::move(hint));
}

void JsonAt::FailType(std::string_view expected) const {
  std::string what = DescribeJson(*value_);
  what.append(" is of type ").append(JsonTypeName(*value_));
  Fail(what.append("; ").append(expected).append(" is expected"));
}

void JsonAt::CheckKeys(std::initializer_list<std::string_view> known) const {
  const json::object* object = value_->if_object();
  if (object == nullptr) FailType("an object");
  for (const auto& member : *object) {
    if (std::ranges::find(known, std::string_view(member.key())) != known.end()) {
      continue;
    }
    std::string what = "the key " + DescribeJson(json::string(member.key()));
    what += " is not known; known are ";
    for (const std::string_view key : known) {
      what.append(key == *known.begin() ? "" : ", ").append(key);
    }
    const std::string_view closest = ClosestName(member.key(), std::vector(known));
    Fail(what, closest.empty() ? "" : "did you mean " + std::string(closest) + "?");
  }
}

bool JsonAt::Has(std::string_view key) const {
  return value_->get_object().contains(key);
}

JsonAt JsonAt::Member(std::string_view key) const {
  const json::object* object = value_->if_object();
  if (object == nullptr) FailType("an object");
  const json::value* member = object->if_contains(key);
  if (member == nullptr) Fail("the key \"" + std::string(key) + "\" is missing");
  return {*member, path_ + "." + std::string(key), code_};
}

std::size_t JsonAt::size() const {
  const json::array* array = value_->if_array();
  if (array == nullptr) FailType("an array");
  return array->size();
}

JsonAt JsonAt::operator[](std::size_t i) const {
  return {value_->get_array()[i], path_ + "[" + std::to_string(i) + "]", code_};
}

std::string JsonAt::String() const {
  const json::string* string = value_->if_string();
  if (string == nullptr) FailType("a string");
  return std::string(*string);
}

std::int64_t JsonAt::Integer() const {
  if (!value_->is_int64()) FailType("an integer");
  return value_->get_int64();
}

bool JsonAt::Bool() const {
  if (!value_->is_bool()) FailType("a boolean");
  return value_->get_bool();
}

}  // namespace talefold
