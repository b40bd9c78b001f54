// What a parsed Mustache template is made of.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace talefold {

struct MustacheNode {
  enum class Kind { Root, Text, LineStart, Variable, Section, Inverted, Partial };

  Kind kind = Kind::Root;
  std::string text = {};  // of Text; else the name as written, dots included
  std::vector<std::string> path = {};  // the name split at its dots; empty for "."
  std::vector<MustacheNode> children = {};
  // Of a Partial that is alone on its line: the blanks before it, which go before every
  // line of what is inserted.
  std::optional<std::string> indent = {};
};

struct MustacheAst {
  MustacheNode root = {};
  std::map<std::string, MustacheNode, std::less<>> partials;  // by name
};

}  // namespace talefold
