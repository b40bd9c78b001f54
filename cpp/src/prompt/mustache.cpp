#include "prompt/mustache.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "prompt/mustache_ast.h"
#include "prompt/mustache_parser.h"
#include "prompt/mustache_renderer.h"

namespace talefold {
namespace {

using Kind = MustacheNode::Kind;

constexpr std::size_t kMaxBytes = 1 << 20;  // of a template and its partials together

void CheckSize(std::string_view text, const MustachePartials& partials) {
  std::size_t bytes = text.size();
  for (const auto& [name, partial] : partials) bytes += partial.size();
  if (bytes <= kMaxBytes) return;
  throw Error(ErrorCode::InvalidParamValue,
              "template: with its partials it is " + std::to_string(bytes) +
                  " bytes long; at most " + std::to_string(kMaxBytes) + " are allowed");
}

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

MustacheTemplate::MustacheTemplate(std::shared_ptr<const MustacheAst> ast)
    : ast_(std::move(ast)) {}

MustacheTemplate MustacheTemplate::Parse(std::string_view text) {
  CheckSize(text, {});
  auto ast = std::make_shared<MustacheAst>();
  ast->root = ParseMustache(text, "template", false);
  return MustacheTemplate(std::move(ast));
}

MustacheTemplate MustacheTemplate::Parse(std::string_view text,
                                         const MustachePartials& partials) {
  CheckSize(text, partials);
  auto ast = std::make_shared<MustacheAst>();
  ast->root = ParseMustache(text, "template", true);
  for (const auto& [name, partial] : partials) {
    ast->partials.emplace(name, ParseMustache(partial, "partial '" + name + "'", true));
  }
  return MustacheTemplate(std::move(ast));
}

std::string MustacheTemplate::Render(const json::value& context) const {
  return RenderMustache(*ast_, ast_->root, {&context});
}

std::string MustacheTemplate::RenderSectionItem(std::string_view name,
                                                const json::value& item,
                                                const json::value& context) const {
  std::string text;
  for (const MustacheNode* section : Sections(ast_->root, name)) {
    text += RenderMustache(*ast_, *section, {&context, &item});
  }
  return text;
}

bool MustacheTemplate::HasSection(std::string_view name) const {
  return !Sections(ast_->root, name).empty();
}

bool MustacheTemplate::NestsSection(std::string_view name) const {
  return std::ranges::any_of(Sections(ast_->root, name), [name](const auto* section) {
    return !Sections(*section, name).empty();
  });
}

std::set<std::string> MustacheTemplate::TagNames() const {
  std::set<std::string> names;
  CollectNames(ast_->root, names);
  for (const auto& [name, partial] : ast_->partials) CollectNames(partial, names);
  return names;
}

}  // namespace talefold
