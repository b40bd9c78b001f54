// Mustache templates without HTML escaping: variables, sections, inverted sections,
// comments, dotted names, the implicit iterator, standalone lines (mustache(5) and the
// public mustache/spec). Values are data: what a variable renders is never parsed.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <string_view>

#include "base/json.h"

namespace talefold {

struct MustacheNode;  // private to mustache.cpp

// Immutable after parsing; any thread may render.
//
// {{x}}, {{{x}}} and {{&x}} are the same. A section is left out (and an inverted
// section shown) for a missing name, null, false, an empty list, and also for an empty
// string, so that {{#summary}}...{{/summary}} needs no second flag; the number 0 counts
// as a value. A name is looked up from the innermost context outwards; of a dotted name
// only the first part is, the rest inside what it found. A missing name or null renders
// as nothing, a whole number without exponent or fraction, a list or object as JSON.
class MustacheTemplate {
 public:
  // Throws InvalidParamValue naming line, column and what was expected: an unclosed tag
  // or section, a closing tag that does not match, a name that is none, a partial, a
  // delimiter change or template inheritance (not supported), nesting deeper than 32.
  static MustacheTemplate Parse(std::string_view text);

  std::string Render(const json::value& context) const;

  // The body of each section `name` (not inverted), rendered once for `item` with
  // `context` as the enclosing context, one after the other: what one more item in a
  // list adds to the whole.
  std::string RenderSectionItem(std::string_view name, const json::value& item,
                                const json::value& context) const;

  bool HasSection(std::string_view name) const;
  // A section `name` stands inside another of that name.
  bool NestsSection(std::string_view name) const;
  // First path components of every tag used, "." left out.
  std::set<std::string> TagNames() const;

 private:
  explicit MustacheTemplate(std::shared_ptr<const MustacheNode> root);

  std::shared_ptr<const MustacheNode> root_;
};

}  // namespace talefold
