#include "prompt/mustache.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <ranges>
#include <utility>
#include <vector>

#include "base/text.h"
#include "base/text_position.h"

namespace talefold {

struct MustacheNode {
  enum class Kind { Root, Text, Variable, Section, Inverted };

  Kind kind = Kind::Root;
  std::string text;               // of Text; else the name as written, dots included
  std::vector<std::string> path;  // the name split at its dots; empty for "."
  std::vector<MustacheNode> children;
};

namespace {

using Kind = MustacheNode::Kind;

constexpr std::size_t kMaxNesting = 32;
constexpr std::string_view kBlanks = " \t";

std::vector<std::string> SplitPath(std::string_view name) {
  std::vector<std::string> path;
  if (name == ".") return path;
  for (std::size_t begin = 0; begin <= name.size();) {
    const std::size_t dot = std::min(name.find('.', begin), name.size());
    path.emplace_back(name.substr(begin, dot - begin));
    begin = dot + 1;
  }
  return path;
}

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) { open_.emplace_back(); }

  MustacheNode Parse() {
    std::size_t pos = 0;
    for (std::size_t begin; (begin = text_.find("{{", pos)) != text_.npos;) {
      Tag tag = ReadTag(begin);
      if (tag.sigil != '&') DropStandaloneLine(tag);
      AddText(text_.substr(pos, tag.begin - pos));
      Apply(tag, begin);
      pos = tag.end;
    }
    AddText(text_.substr(pos));
    if (open_.size() > 1) {
      const std::string& name = open_.back().node.text;
      Fail(open_.back().position,
           "section \"" + name + "\" is never closed; expected {{/" + name + "}}");
    }
    return std::move(open_.back().node);
  }

 private:
  struct Tag {
    char sigil = '&';  // & variable, # section, ^ inverted, / close, ! comment
    std::string_view name;
    std::size_t begin = 0, end = 0;  // half-open, with what a standalone line drops
  };
  struct Open {
    MustacheNode node;
    std::size_t position = 0;  // of the opening tag
  };

  [[noreturn]] void Fail(std::size_t offset, const std::string& reason) const {
    throw Error(ErrorCode::InvalidParamValue,
                "template " + DescribePosition(text_, offset) + ": " + reason);
  }

  Tag ReadTag(std::size_t begin) const {
    const bool triple = text_.substr(begin).starts_with("{{{");
    const std::string_view close = triple ? "}}}" : "}}";
    std::size_t name_begin = begin + close.size();
    const std::size_t name_end = text_.find(close, name_begin);
    if (name_end == text_.npos) {
      Fail(begin, "unclosed tag; expected " + std::string(close));
    }
    Tag tag;
    tag.begin = begin;
    tag.end = name_end + close.size();
    if (!triple &&
        std::string_view("&#^/!>=<$").find(text_[name_begin]) != text_.npos) {
      tag.sigil = text_[name_begin++];
    }
    tag.name = TrimWhitespace(text_.substr(name_begin, name_end - name_begin));
    CheckTag(tag);
    return tag;
  }

  void CheckTag(const Tag& tag) const {
    switch (tag.sigil) {
      case '!':
        return;
      case '>':
        Fail(tag.begin, "partials ({{>name}}) are not supported");
      case '=':
        Fail(tag.begin, "changing the delimiters ({{=...=}}) is not supported");
      case '<':
      case '$':
        Fail(tag.begin, "template inheritance ({{<name}}, {{$name}}) is not supported");
      default:
        break;
    }
    if (tag.name.find("{{") != text_.npos) {
      Fail(tag.begin, "unclosed tag; expected }} before the next {{");
    }
    if (tag.name == ".") return;
    const std::string name(tag.name);
    if (name.find_first_of(" \t\n\v\f\r{}") != name.npos) {
      Fail(tag.begin, "\"" + name + "\" is not a name; expected one word in a tag");
    }
    for (const std::string& part : SplitPath(name)) {
      if (!part.empty()) continue;
      Fail(tag.begin, name.empty() ? "empty tag; expected a name"
                                   : "\"" + name +
                                         "\" has an empty part; expected a "
                                         "name on each side of a dot");
    }
  }

  // A tag that is alone on its line takes the whole line with it.
  void DropStandaloneLine(Tag& tag) const {
    std::size_t begin = tag.begin;
    while (begin > 0 && kBlanks.find(text_[begin - 1]) != kBlanks.npos) --begin;
    if (begin > 0 && text_[begin - 1] != '\n') return;
    std::size_t end = std::min(text_.find_first_not_of(kBlanks, tag.end), text_.size());
    const std::string_view rest = text_.substr(end);
    if (rest.starts_with("\r\n")) {
      end += 2;
    } else if (rest.starts_with('\n')) {
      end += 1;
    } else if (!rest.empty()) {
      return;
    }
    tag.begin = begin;
    tag.end = end;
  }

  void AddText(std::string_view text) {
    if (text.empty()) return;
    Add(MustacheNode{Kind::Text, std::string(text), {}, {}});
  }

  void Add(MustacheNode node) { open_.back().node.children.push_back(std::move(node)); }

  void Apply(const Tag& tag, std::size_t position) {
    switch (tag.sigil) {
      case '!':
        return;
      case '&':
        return Add(MakeNode(Kind::Variable, tag));
      case '/':
        return Close(tag, position);
      default:
        break;
    }
    if (open_.size() > kMaxNesting) {
      Fail(position,
           "sections are nested more than " + std::to_string(kMaxNesting) + " deep");
    }
    open_.push_back(
        {MakeNode(tag.sigil == '#' ? Kind::Section : Kind::Inverted, tag), position});
  }

  static MustacheNode MakeNode(Kind kind, const Tag& tag) {
    return {kind, std::string(tag.name), SplitPath(tag.name), {}};
  }

  void Close(const Tag& tag, std::size_t position) {
    const std::string& expected = open_.back().node.text;
    if (open_.size() == 1) {
      Fail(position, "{{/" + std::string(tag.name) + "}} closes no open section");
    }
    if (tag.name != expected) {
      Fail(position, "{{/" + std::string(tag.name) + "}} does not match the section " +
                         "opened at " + DescribePosition(text_, open_.back().position) +
                         "; expected {{/" + expected + "}}");
    }
    MustacheNode node = std::move(open_.back().node);
    open_.pop_back();
    Add(std::move(node));
  }

  const std::string_view text_;
  std::vector<Open> open_;  // the root, then the sections not yet closed
};

bool IsShown(const json::value* value) {
  if (value == nullptr || value->is_null()) return false;
  if (const bool* flag = value->if_bool()) return *flag;
  if (const auto* text = value->if_string()) return !text->empty();
  if (const auto* list = value->if_array()) return !list->empty();
  return true;
}

std::string FormatDouble(double number) {
  char buffer[512];  // a whole number has up to 309 digits
  char* const limit = buffer + sizeof buffer;
  const bool whole = std::isfinite(number) && number == std::trunc(number);
  const auto end = whole
                       ? std::to_chars(buffer, limit, number, std::chars_format::fixed)
                       : std::to_chars(buffer, limit, number);
  return {buffer, end.ptr};
}

// Depth is bounded by the parser.
class Renderer {
 public:
  explicit Renderer(std::vector<const json::value*> stack) : stack_(std::move(stack)) {}

  std::string Render(const MustacheNode& node) {
    RenderChildren(node);
    return std::move(out_);
  }

 private:
  void RenderChildren(const MustacheNode& node) {
    for (const MustacheNode& child : node.children) RenderNode(child);
  }

  void RenderNode(const MustacheNode& node) {
    if (node.kind == Kind::Text) {
      out_ += node.text;
      return;
    }
    const json::value* value = Lookup(node.path);
    if (node.kind == Kind::Variable) {
      if (value != nullptr) RenderValue(*value);
    } else if (node.kind == Kind::Inverted) {
      if (!IsShown(value)) RenderChildren(node);
    } else if (IsShown(value)) {
      RenderSection(node, *value);
    }
  }

  void RenderSection(const MustacheNode& node, const json::value& value) {
    if (const auto* list = value.if_array()) {
      for (const json::value& item : *list) RenderWith(node, item);
    } else {
      RenderWith(node, value);
    }
  }

  void RenderWith(const MustacheNode& node, const json::value& context) {
    stack_.push_back(&context);
    RenderChildren(node);
    stack_.pop_back();
  }

  void RenderValue(const json::value& value) {
    if (value.is_null()) return;
    if (const auto* text = value.if_string()) {
      out_.append(text->data(), text->size());
    } else if (const auto* number = value.if_double()) {
      out_ += FormatDouble(*number);
    } else {
      out_ += json::serialize(value);
    }
  }

  // nullptr when there is no such value.
  const json::value* Lookup(const std::vector<std::string>& path) const {
    if (path.empty()) return stack_.back();
    const json::value* found = nullptr;
    for (const json::value* context : std::views::reverse(stack_)) {
      found = Member(context, path.front());
      if (found != nullptr) break;
    }
    for (const std::string& part : path | std::views::drop(1)) {
      found = Member(found, part);
    }
    return found;
  }

  static const json::value* Member(const json::value* value, const std::string& name) {
    const json::object* object = value == nullptr ? nullptr : value->if_object();
    return object == nullptr ? nullptr : object->if_contains(name);
  }

  std::vector<const json::value*> stack_;  // outermost first
  std::string out_;
};

// The outermost sections called `name` below `node`.
void CollectSections(const MustacheNode& node, std::string_view name,
                     std::vector<const MustacheNode*>& sections) {
  for (const MustacheNode& child : node.children) {
    if (child.kind == Kind::Section && child.text == name) {
      sections.push_back(&child);
    } else {
      CollectSections(child, name, sections);
    }
  }
}

std::vector<const MustacheNode*> Sections(const MustacheNode& node,
                                          std::string_view name) {
  std::vector<const MustacheNode*> sections;
  CollectSections(node, name, sections);
  return sections;
}

void CollectNames(const MustacheNode& node, std::set<std::string>& names) {
  if (!node.path.empty()) names.insert(node.path.front());
  for (const MustacheNode& child : node.children) CollectNames(child, names);
}

}  // namespace

MustacheTemplate::MustacheTemplate(std::shared_ptr<const MustacheNode> root)
    : root_(std::move(root)) {}

MustacheTemplate MustacheTemplate::Parse(std::string_view text) {
  return MustacheTemplate(std::make_shared<const MustacheNode>(Parser(text).Parse()));
}

std::string MustacheTemplate::Render(const json::value& context) const {
  return Renderer({&context}).Render(*root_);
}

std::string MustacheTemplate::RenderSectionItem(std::string_view name,
                                                const json::value& item,
                                                const json::value& context) const {
  std::string text;
  for (const MustacheNode* section : Sections(*root_, name)) {
    text += Renderer({&context, &item}).Render(*section);
  }
  return text;
}

bool MustacheTemplate::HasSection(std::string_view name) const {
  return !Sections(*root_, name).empty();
}

bool MustacheTemplate::NestsSection(std::string_view name) const {
  return std::ranges::any_of(Sections(*root_, name), [name](const auto* section) {
    return !Sections(*section, name).empty();
  });
}

std::set<std::string> MustacheTemplate::TagNames() const {
  std::set<std::string> names;
  CollectNames(*root_, names);
  return names;
}

}  // namespace talefold
