// Random texts of a GBNF grammar: what a model could write that is held to it.
#pragma once

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <map>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace talefold {

// Knows literals, sets, references, groups, '|', '?', '+', '*' and "{m,n}", one rule a
// line. Throws std::runtime_error for anything else, and for a rule that is missing.
class GbnfWalker {
 public:
  GbnfWalker(std::string_view grammar, unsigned seed) : random_(seed) {
    while (!grammar.empty()) {
      const std::size_t end = grammar.find('\n');
      ParseRule(grammar.substr(0, end));
      grammar.remove_prefix(end == grammar.npos ? grammar.size() : end + 1);
    }
  }

  std::string Walk() {
    std::string text;
    WalkRule("root", text);
    return text;
  }

 private:
  struct Item;
  using Alternatives = std::vector<std::vector<Item>>;
  struct Item {
    enum class Kind { Literal, Set, Rule, Group } kind;
    std::string text;  // literal, characters of the set, or name
    Alternatives group;
    int min = 1, max = 1;
  };

  void ParseRule(std::string_view line) {
    const std::size_t mark = line.find(" ::= ");
    if (mark == line.npos) throw std::runtime_error("no rule: " + std::string(line));
    rest_ = line.substr(mark + 5);
    const std::string name(line.substr(0, mark));
    if (!rules_.emplace(name, ParseAlternatives()).second || !rest_.empty()) {
      throw std::runtime_error("bad rule: " + std::string(line));
    }
  }

  Alternatives ParseAlternatives() {
    Alternatives alternatives(1);
    for (SkipSpaces(); !rest_.empty() && rest_[0] != ')'; SkipSpaces()) {
      if (rest_[0] == '|') {
        rest_.remove_prefix(1);
        alternatives.emplace_back();
      } else {
        alternatives.back().push_back(ParseItem());
      }
    }
    return alternatives;
  }

  Item ParseItem() {
    Item item{};
    if (rest_[0] == '"') {
      rest_.remove_prefix(1);
      item.kind = Item::Kind::Literal;
      while (rest_.at(0) != '"') item.text += TakeChar();
      rest_.remove_prefix(1);
    } else if (rest_[0] == '[') {
      item.kind = Item::Kind::Set;
      item.text = TakeSet();
    } else if (rest_[0] == '(') {
      rest_.remove_prefix(1);
      item.kind = Item::Kind::Group;
      item.group = ParseAlternatives();
      if (rest_.empty()) throw std::runtime_error("an open group");
      rest_.remove_prefix(1);
    } else {
      item.kind = Item::Kind::Rule;
      while (!rest_.empty() &&
             (std::isalnum(static_cast<unsigned char>(rest_[0])) || rest_[0] == '-')) {
        item.text += rest_[0];
        rest_.remove_prefix(1);
      }
      if (item.text.empty()) throw std::runtime_error("at: " + std::string(rest_));
    }
    TakeCount(item);
    return item;
  }

  void TakeCount(Item& item) {
    if (rest_.empty()) return;
    if (rest_[0] == '?') item.min = 0;
    if (rest_[0] == '*') std::tie(item.min, item.max) = std::pair(0, kMany);
    if (rest_[0] == '+') item.max = kMany;
    if (rest_[0] == '{') {
      const std::size_t comma = rest_.find(','), end = rest_.find('}');
      item.min = std::stoi(std::string(rest_.substr(1, comma - 1)));
      item.max = std::stoi(std::string(rest_.substr(comma + 1, end - comma - 1)));
      rest_.remove_prefix(end + 1);
    } else if (std::string_view("?*+").find(rest_[0]) != std::string_view::npos) {
      rest_.remove_prefix(1);
    }
  }

  // Characters as far as U+007F, and one beyond for a set that excludes.
  std::string TakeSet() {
    rest_.remove_prefix(1);
    const bool excludes = rest_.at(0) == '^';
    if (excludes) rest_.remove_prefix(1);
    bool in_set[128] = {};
    while (rest_.at(0) != ']') {
      const char first = TakeChar();
      char last = first;
      if (rest_.at(0) == '-') {
        rest_.remove_prefix(1);
        last = TakeChar();
      }
      for (int c = first; c <= last; ++c) in_set[c] = true;
    }
    rest_.remove_prefix(1);
    std::string characters;
    for (int c = 0; c < 128; ++c) {
      if (in_set[c] != excludes) characters += static_cast<char>(c);
    }
    if (excludes) characters += '\xFF';  // stands for the one beyond
    return characters;
  }

  char TakeChar() {
    char c = rest_.at(0);
    rest_.remove_prefix(1);
    if (c != '\\') return c;
    c = rest_.at(0);
    rest_.remove_prefix(1);
    if (c == 'n') return '\n';
    if (c != 'x') return c;
    const auto code = std::stoi(std::string(rest_.substr(0, 2)), nullptr, 16);
    rest_.remove_prefix(2);
    return static_cast<char>(code);
  }

  void SkipSpaces() {
    while (rest_.starts_with(' ')) rest_.remove_prefix(1);
  }

  void WalkRule(const std::string& name, std::string& text) {
    const auto rule = rules_.find(name);
    if (rule == rules_.end()) throw std::runtime_error("no rule " + name);
    WalkOneOf(rule->second, text);
  }

  void WalkOneOf(const Alternatives& alternatives, std::string& text) {
    for (const Item& item : alternatives[Below(alternatives.size())]) {
      const auto spread = static_cast<std::size_t>(item.max - item.min) + 1;
      // Few or as many as there may be.
      std::size_t count = static_cast<std::size_t>(item.min) +
                          (Below(50) == 0 ? spread - 1 : Below(std::min(spread, kFew)));
      for (; count > 0; --count) WalkItem(item, text);
    }
  }

  void WalkItem(const Item& item, std::string& text) {
    switch (item.kind) {
      case Item::Kind::Literal:
        text += item.text;
        break;
      case Item::Kind::Set: {
        const char c = item.text.at(Below(item.text.size()));
        text += c == '\xFF' ? std::string("\xE9\xBE\x8D") : std::string(1, c);
        break;
      }
      case Item::Kind::Rule:
        WalkRule(item.text, text);
        break;
      case Item::Kind::Group:
        WalkOneOf(item.group, text);
        break;
    }
  }

  std::size_t Below(std::size_t count) { return random_() % count; }

  static constexpr int kMany = 40;
  static constexpr std::size_t kFew = 6;
  std::map<std::string, Alternatives> rules_;
  std::string_view rest_;
  std::mt19937 random_;
};

}  // namespace talefold
