// Mustache templates without HTML escaping: variables, sections, inverted sections,
// partials, comments, set delimiters, dotted names, the implicit iterator, standalone
// lines (mustache(5) and the core modules of the public mustache/spec). Values are
// data: what a variable renders is never parsed.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>

#include "base/json.h"

namespace talefold {

struct MustacheAst;  // prompt/mustache_ast.h

// Templates by name, for {{>name}}.
using MustachePartials = std::map<std::string, std::string, std::less<>>;

// Immutable after parsing; any thread may render.
//
// {{x}}, {{{x}}} and {{&x}} are the same. A section is left out (and an inverted
// section shown) for a missing name, null, false, an empty list, and also for an empty
// string, so that {{#summary}}...{{/summary}} needs no second flag; the number 0 counts
// as a value. A name is looked up from the innermost context outwards; of a dotted name
// only the first part is, the rest inside what it found. A missing name or null renders
// as nothing, a whole number without exponent or fraction, a list or object as JSON.
//
// {{=<% %>=}} sets the delimiters up to the end of the text it stands in. {{>name}}
// inserts a partial, which sees the contexts of its place; alone on its line, every
// line of the partial is indented as the tag is.
class MustacheTemplate {
 public:
  // Throws InvalidParamValue naming line, column and what was expected: an unclosed tag
  // or section, a closing tag that does not match, a name that is none or longer than
  // 256 bytes, a partial, template inheritance (not supported), sections nested deeper
  // than 32, a text longer than 1 MiB.
  static MustacheTemplate Parse(std::string_view text);
  // The same, with partials; an unknown one renders as nothing. Each of them is parsed
  // here, used or not, and a message names the one it is about; 1 MiB is for all texts
  // together. Partials may insert each other and themselves.
  static MustacheTemplate Parse(std::string_view text,
                                const MustachePartials& partials);

  // Throws InvalidParamValue when template and values together exceed what
  // prompt/mustache_renderer.h allows; nothing else can fail.
  std::string Render(const json::value& context) const;

  // The body of each section `name` (not inverted), rendered once for `item` with
  // `context` as the enclosing context, one after the other: what one more item in a
  // list adds to the whole. Sections in partials are not looked at. Throws as Render.
  std::string RenderSectionItem(std::string_view name, const json::value& item,
                                const json::value& context) const;

  // Of the template itself, not of its partials.
  bool HasSection(std::string_view name) const;
  // A section `name` stands inside another of that name; partials are not looked at.
  bool NestsSection(std::string_view name) const;
  // First path components of every tag used, in partials too, "." left out.
  std::set<std::string> TagNames() const;

 private:
  explicit MustacheTemplate(std::shared_ptr<const MustacheAst> ast);

  std::shared_ptr<const MustacheAst> ast_;
};

}  // namespace talefold
