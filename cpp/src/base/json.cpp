#include "base/json.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <set>
#include <utility>

#include "base/text.h"
#include "base/text_position.h"

namespace talefold {
namespace {

constexpr std::size_t kMaxDescription = 60;  // code points

// Shortest text that parses to the same double, and to a double rather than an integer.
// JSON has no infinities or NaN; null is what other writers put there.
std::string FormatDouble(double number) {
  if (!std::isfinite(number)) return "null";
  char buffer[32];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, number).ptr;
  std::string text(buffer, end);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

// Boost's own serializer writes 0.8 as 8E-1 and knows no indentation.
class JsonWriter {
 public:
  explicit JsonWriter(bool pretty) : pretty_(pretty) {}

  void Write(const json::value& value) {
    if (const auto* object = value.if_object()) {
      WriteItems('{', '}', *object, [this](const json::key_value_pair& member) {
        text_ += json::serialize(member.key());
        text_ += ": ";
        Write(member.value());
      });
    } else if (const auto* array = value.if_array()) {
      WriteItems('[', ']', *array, [this](const json::value& item) { Write(item); });
    } else if (const auto* number = value.if_double()) {
      text_ += FormatDouble(*number);
    } else {
      text_ += json::serialize(value);
    }
  }

  std::string Take() { return std::move(text_); }

 private:
  template <typename Items, typename WriteItem>
  void WriteItems(char open, char close, const Items& items, WriteItem write_item) {
    text_ += open;
    ++depth_;
    bool first = true;
    for (const auto& item : items) {
      if (!first) text_ += pretty_ ? "," : ", ";
      first = false;
      BreakLine();
      write_item(item);
    }
    --depth_;
    if (!first) BreakLine();
    text_ += close;
  }

  void BreakLine() {
    if (!pretty_) return;
    text_ += '\n';
    text_.append(2 * depth_, ' ');
  }

  const bool pretty_;
  std::size_t depth_ = 0;
  std::string text_;
};

// The parser turns a number beyond the range of a double into an infinity, which no
// JSON text can hold.
bool HasInfinity(const json::value& value) {
  if (const auto* number = value.if_double()) return std::isinf(*number);
  if (const auto* array = value.if_array()) {
    return std::ranges::any_of(*array, HasInfinity);
  }
  const auto* object = value.if_object();
  return object != nullptr && std::ranges::any_of(*object, [](const auto& member) {
           return HasInfinity(member.value());
         });
}

// Insertions, deletions, replacements and swaps of neighbours that turn `a` into `b`.
std::size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before_last(b.size() + 1), last(b.size() + 1),
      row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::swap(before_last, last);
    std::swap(last, row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, replaced});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before_last[j - 2] + 1);
      }
    }
  }
  return row[b.size()];
}

// Offset just past the string literal that begins at `begin`.
std::size_t SkipString(std::string_view text, std::size_t begin) {
  std::size_t i = begin + 1;
  while (text[i] != '"') i += text[i] == '\\' ? 2 : 1;
  return i + 1;
}

// Offset of the first key that an object holds twice, which the parser settles in
// silence; nullopt when there is none. `text` is known to be JSON.
std::optional<std::size_t> FindRepeatedKey(std::string_view text) {
  struct Level {
    bool expects_key;
    std::set<std::string> keys;
  };
  std::vector<Level> levels;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '{' || c == '[') levels.push_back({c == '{', {}});
    if (c == '}' || c == ']') levels.pop_back();
    if (c == ',') levels.back().expects_key = !levels.back().keys.empty();
    if (c != '"') continue;
    const std::size_t end = SkipString(text, i);
    if (!levels.empty() && std::exchange(levels.back().expects_key, false)) {
      const json::value key = json::parse(text.substr(i, end - i));
      if (!levels.back().keys.emplace(key.get_string()).second) return i;
    }
    i = end - 1;
  }
  return std::nullopt;
}

}  // namespace

std::optional<json::value> TryParseJson(std::string_view text, JsonProblem& problem,
                                        std::size_t max_depth) {
  json::parse_options options;
  options.max_depth = max_depth;
  options.numbers =
      json::number_precision::precise;  // what we write reads back the same
  json::parser parser({}, options);
  boost::system::error_code error;
  const std::size_t consumed = parser.write(text, error);
  if (error) {
    problem = {consumed, error.message()};
    return std::nullopt;
  }
  json::value value = parser.release();
  if (HasInfinity(value)) {
    problem = {std::nullopt, "a number is outside the range of a double"};
    return std::nullopt;
  }
  if (const auto repeated = FindRepeatedKey(text)) {
    problem = {repeated, "a key occurs twice in one object"};
    return std::nullopt;
  }
  return value;
}

namespace {

// What is mostly wrong with a text that is no JSON; empty when it may be anything.
std::string HintFor(std::string_view text) {
  if (TrimWhitespace(text).empty()) return "pass the text of a JSON document";
  if (text.starts_with("\xEF\xBB\xBF")) return "leave out the byte order mark";
  const char first = TrimLeadingWhitespace(text).front();
  if (first != '{' && first != '[') {
    return "pass the text of a JSON document, not the name of a file";
  }
  return "names and texts stand in \"; a \\ in them, as of a path, is written \\\\; no "
         "comma stands before a closing bracket";
}

}  // namespace

json::value ParseJson(std::string_view text, ErrorCode code, std::string_view what,
                      std::string_view hint) {
  JsonProblem problem;
  if (auto value = TryParseJson(text, problem)) return std::move(*value);
  std::string message = std::string(what) + ": ";
  if (problem.offset) message += DescribePosition(text, *problem.offset) + ": ";
  throw Error(code, message + problem.reason,
              hint.empty() ? HintFor(text) : std::string(hint));
}

std::string OneLineJson(const json::value& value) {
  JsonWriter writer(false);
  writer.Write(value);
  return writer.Take();
}

std::string PrettyJson(const json::value& value) {
  JsonWriter writer(true);
  writer.Write(value);
  return writer.Take() + "\n";
}

std::string DescribeJson(const json::value& value) {
  std::string text = OneLineJson(value);
  if (CountCodePoints(text) <= kMaxDescription) return text;
  const std::string_view end = value.is_string() ? "...\"" : "...";
  text.resize(CodePointOffset(text, kMaxDescription - end.size()));
  return text.append(end);
}

std::string_view JsonTypeName(const json::value& value) {
  switch (value.kind()) {
    case json::kind::null:
      return "null";
    case json::kind::bool_:
      return "boolean";
    case json::kind::int64:
    case json::kind::uint64:
      return "integer";
    case json::kind::double_:
      return "number";
    case json::kind::string:
      return "string";
    case json::kind::array:
      return "array";
    case json::kind::object:
      break;
  }
  return "object";
}

std::string_view ClosestName(std::string_view name,
                             const std::vector<std::string_view>& known) {
  constexpr std::size_t kLongestSlip = 64;  // bytes; the comparison is quadratic
  if (name.size() > kLongestSlip) return {};
  std::size_t limit = std::max<std::size_t>(1, name.size() / 3);
  std::string_view closest;
  for (const std::string_view candidate : known) {
    const std::size_t shorter = std::min(name.size(), candidate.size());
    if (std::max(name.size(), candidate.size()) - shorter > limit) continue;
    const std::size_t distance = EditDistance(name, candidate);
    if (distance > limit || (distance == limit && !closest.empty())) continue;
    closest = candidate;
    limit = distance;
  }
  return closest;
}

std::string ListNames(const std::vector<std::string_view>& names) {
  constexpr std::size_t kMaxListed = 32;
  std::string list;
  for (std::size_t i = 0; i < std::min(names.size(), kMaxListed); ++i) {
    if (i > 0) list += ", ";
    list.append("'").append(names[i]).append("'");
  }
  if (names.size() > kMaxListed) {
    list += " and " + std::to_string(names.size() - kMaxListed) + " more";
  }
  return list;
}

}  // namespace talefold
