#include "prompt/mustache_renderer.h"

#include <charconv>
#include <cmath>
#include <ranges>
#include <utility>

namespace talefold {
namespace {

using Kind = MustacheNode::Kind;

// Far above what a prompt needs: about a second, and more text than any context holds.
constexpr std::size_t kMaxSteps = 10'000'000;
constexpr std::size_t kMaxOutputBytes = 16 << 20;
constexpr std::size_t kMaxDepth = 128;

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

const json::value* Member(const json::value* value, const std::string& name) {
  const json::object* object = value == nullptr ? nullptr : value->if_object();
  return object == nullptr ? nullptr : object->if_contains(name);
}

class Renderer {
 public:
  Renderer(const MustacheAst& ast, std::vector<const json::value*> contexts)
      : ast_(ast), contexts_(std::move(contexts)) {}

  std::string Render(const MustacheNode& node) {
    RenderChildren(node);
    return std::move(out_);
  }

 private:
  [[noreturn]] static void Fail(const std::string& reason) {
    throw Error(ErrorCode::InvalidParamValue, "template: rendering it " + reason,
                "look for sections that repeat each other and partials that insert "
                "themselves");
  }

  void Spend(std::size_t steps) {
    if (steps > steps_left_) {
      Fail("takes more than " + std::to_string(kMaxSteps) + " steps");
    }
    steps_left_ -= steps;
  }

  void Append(std::string_view text) {
    if (text.size() > kMaxOutputBytes - out_.size()) {
      Fail("gives more than " + std::to_string(kMaxOutputBytes) + " bytes");
    }
    out_ += text;
  }

  void RenderChildren(const MustacheNode& node) {
    if (depth_ == kMaxDepth) {
      Fail("nests sections and partials more than " + std::to_string(kMaxDepth) +
           " deep");
    }
    ++depth_;
    for (const MustacheNode& child : node.children) RenderNode(child);
    --depth_;
  }

  void RenderNode(const MustacheNode& node) {
    Spend(1);
    switch (node.kind) {
      case Kind::Text:
        return Append(node.text);
      case Kind::LineStart:
        return Append(indent_);
      case Kind::Partial:
        return RenderPartial(node);
      default:
        return RenderTag(node, Lookup(node.path));
    }
  }

  void RenderTag(const MustacheNode& node, const json::value* value) {
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
    Spend(1);
    contexts_.push_back(&context);
    RenderChildren(node);
    contexts_.pop_back();
  }

  // Inserting a partial means: its text, indented, stands in place of the tag. So the
  // indent of a partial inside a partial comes on top, and values are not indented.
  void RenderPartial(const MustacheNode& node) {
    const auto found = ast_.partials.find(node.text);
    if (found == ast_.partials.end()) return;
    std::string indent;
    if (node.indent) indent = indent_ + *node.indent;
    Spend(indent.size());
    std::swap(indent_, indent);
    RenderChildren(found->second);
    std::swap(indent_, indent);
  }

  void RenderValue(const json::value& value) {
    if (value.is_null()) return;
    if (const auto* text = value.if_string()) {
      Append({text->data(), text->size()});
    } else if (const auto* number = value.if_double()) {
      Append(FormatDouble(*number));
    } else {
      Append(json::serialize(value));
    }
  }

  // nullptr when there is no such value.
  const json::value* Lookup(const std::vector<std::string>& path) {
    if (path.empty()) return contexts_.back();
    const json::value* found = nullptr;
    for (const json::value* context : std::views::reverse(contexts_)) {
      Spend(1);
      found = Member(context, path.front());
      if (found != nullptr) break;
    }
    for (const std::string& part : path | std::views::drop(1)) {
      Spend(1);
      found = Member(found, part);
    }
    return found;
  }

  const MustacheAst& ast_;
  std::vector<const json::value*> contexts_;  // outermost first
  std::string indent_;                        // of every line of the present partial
  std::string out_;
  std::size_t steps_left_ = kMaxSteps;
  std::size_t depth_ = 0;  // of sections and partials around the present node
};

}  // namespace

std::string RenderMustache(const MustacheAst& ast, const MustacheNode& node,
                           std::vector<const json::value*> contexts) {
  return Renderer(ast, std::move(contexts)).Render(node);
}

}  // namespace talefold
