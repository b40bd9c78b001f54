#include "tools/tool_call_check.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/json.h"
#include "base/text_position.h"

namespace talefold {
namespace {

std::string Quoted(std::string_view text) { return DescribeJson(json::string(text)); }

// "a, b, c", at most 20 of them.
template <typename Items>
std::string Names(const Items& items) {
  constexpr std::size_t kShown = 20;
  std::string names;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i == kShown) return names + ", ...";
    names += (i > 0 ? ", " : "") + items[i].name;
  }
  return names.empty() ? "none" : names;
}

std::string Values(const std::vector<json::value>& values) {
  constexpr std::size_t kShown = 20;
  std::string text;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i == kShown) return text + ", ...";
    text += (i > 0 ? ", " : "") + DescribeJson(values[i]);
  }
  return text;
}

// 3 and 3.0 are the same number.
bool SameValue(const json::value& a, const json::value& b) {
  if (!a.is_number() || !b.is_number()) return a == b;
  return a == b || a.to_number<double>() == b.to_number<double>();
}

// One call under examination: a check throws the problem it finds.
class Examination {
 public:
  Examination(std::string_view reply, std::size_t offset, std::size_t index)
      : reply_(reply), offset_(offset), index_(index) {}

  ToolCall Run(std::string_view raw, const ToolFormat& format, const ToolSet& tools) {
    JsonProblem problem;
    const auto parsed = TryParseJson(raw, problem);
    if (!parsed) {
      offset_ += problem.offset.value_or(0);
      Fail(ToolCallProblemKind::Malformed,
           DescribePosition(reply_, offset_) + ": " + problem.reason);
    }
    const json::object& call = parsed->get_object();  // `raw` begins with '{'
    CheckKeys(call, format);
    const ToolSchema& tool = FindTool(call, format, tools);
    tool_ = tool.name;
    const json::object arguments = Arguments(call, format);
    for (const auto& [name, value] : arguments) {
      CheckArgument(tool, std::string_view(name), value);
    }
    for (const ToolParameterSchema& parameter : tool.parameters) {
      if (!parameter.required || arguments.contains(parameter.name)) continue;
      Fail(ToolCallProblemKind::MissingArgument,
           "the required argument \"" + parameter.name + "\" is missing");
    }
    return {tool.name, OneLineJson(arguments), std::string(raw)};
  }

 private:
  [[noreturn]] void Fail(ToolCallProblemKind kind, const std::string& what) const {
    std::string place = "tool call " + std::to_string(index_ + 1);
    if (!tool_.empty()) place += " (" + tool_ + ")";
    throw ToolCallProblem{kind, offset_, place + ": " + what};
  }

  void CheckKeys(const json::object& call, const ToolFormat& format) const {
    // What models add, to no effect.
    constexpr std::string_view kHarmless[] = {"id", "type"};
    for (const auto& member : call) {
      const std::string_view key = member.key();
      if (key == format.name_key || key == format.arguments_key) continue;
      if (std::ranges::find(kHarmless, key) != std::end(kHarmless)) continue;
      Fail(ToolCallProblemKind::Malformed,
           "a call has the keys \"" + std::string(format.name_key) + "\" and \"" +
               std::string(format.arguments_key) + "\", not " + Quoted(key));
    }
  }

  const ToolSchema& FindTool(const json::object& call, const ToolFormat& format,
                             const ToolSet& tools) const {
    const json::value* name = call.if_contains(format.name_key);
    if (name == nullptr || !name->is_string()) {
      Fail(ToolCallProblemKind::Malformed, "the key \"" + std::string(format.name_key) +
                                               "\" with the tool's name is missing, or "
                                               "no string");
    }
    if (const ToolSchema* tool = tools.Find(name->get_string())) return *tool;
    Fail(ToolCallProblemKind::UnknownTool, "there is no tool " + DescribeJson(*name) +
                                               "; known are " + Names(tools.all()));
  }

  json::object Arguments(const json::object& call, const ToolFormat& format) const {
    const json::value* arguments = call.if_contains(format.arguments_key);
    if (arguments == nullptr) return {};
    if (const json::object* object = arguments->if_object()) return *object;
    Fail(ToolCallProblemKind::Malformed,
         "\"" + std::string(format.arguments_key) + "\" is of type " +
             std::string(JsonTypeName(*arguments)) + "; an object is expected");
  }

  void CheckArgument(const ToolSchema& tool, std::string_view name,
                     const json::value& value) const {
    const auto found =
        std::ranges::find(tool.parameters, name, &ToolParameterSchema::name);
    if (found == tool.parameters.end()) {
      Fail(ToolCallProblemKind::UnknownArgument, "there is no argument " +
                                                     Quoted(name) + "; known are " +
                                                     Names(tool.parameters));
    }
    const std::string what =
        "argument \"" + found->name + "\" is " + DescribeJson(value);
    if (!HasType(value, found->type)) {
      Fail(ToolCallProblemKind::WrongType,
           what + ", of type " + std::string(JsonTypeName(value)) + "; type " +
               std::string(ToolParameterTypeName(found->type)) + " is expected");
    }
    if (found->allowed.empty()) return;
    const auto same = [&](const json::value& one) { return SameValue(one, value); };
    if (std::ranges::any_of(found->allowed, same)) return;
    Fail(ToolCallProblemKind::NotInEnum,
         what + "; allowed are " + Values(found->allowed));
  }

  std::string_view reply_;
  std::size_t offset_;
  const std::size_t index_;
  std::string tool_;
};

}  // namespace

std::variant<ToolCall, ToolCallProblem> CheckToolCall(
    std::string_view reply, std::size_t offset, std::string_view raw, std::size_t index,
    const ToolFormat& format, const ToolSet& tools) {
  try {
    return Examination(reply, offset, index).Run(raw, format, tools);
  } catch (ToolCallProblem& problem) {
    return std::move(problem);
  }
}

}  // namespace talefold
