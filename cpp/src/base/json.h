// Boost.JSON with this project's errors.
#pragma once

#include <boost/json.hpp>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "talefold/error.h"

namespace talefold {

namespace json = boost::json;

// Parses one JSON document (UTF-8 checked, depth <= 32, no key twice in one object). On
// failure throws `code` with `what` ("graph file"), line, column and the reason; `hint`
// says what to do, in place of what is mostly wrong with such texts.
json::value ParseJson(std::string_view text, ErrorCode code, std::string_view what,
                      std::string_view hint = {});

// Why a text is no JSON document.
struct JsonProblem {
  std::optional<std::size_t> offset;  // bytes; unset = somewhere in the text
  std::string reason;
};

// As ParseJson, but a failure is nullopt and `problem`. For texts of models, where it
// is nothing out of the ordinary.
std::optional<json::value> TryParseJson(std::string_view text, JsonProblem& problem,
                                        std::size_t max_depth = 32);

// One line: a space after each comma and colon, keys in insertion order.
std::string OneLineJson(const json::value& value);

// Two-space indented text, object keys in insertion order, ending in a newline.
std::string PrettyJson(const json::value& value);

// A short form of `value` for messages: strings quoted, at most 60 code points.
std::string DescribeJson(const json::value& value);

// "integer", "number", "string", "boolean", "array", "object" or "null".
std::string_view JsonTypeName(const json::value& value);

// The element of `known` closest to `name` when close enough to be a slip of the pen,
// else empty.
std::string_view ClosestName(std::string_view name,
                             const std::vector<std::string_view>& known);

// "'a', 'b', 'c'", shortened when there are many.
std::string ListNames(const std::vector<std::string_view>& names);

}  // namespace talefold
