// Text of a Mustache template -> nodes.
#pragma once

#include <string>
#include <string_view>

#include "prompt/mustache_ast.h"

namespace talefold {

// Parses one template or partial; `what` ("template", "partial 'turn'") begins every
// message. Throws InvalidParamValue with line, column and what was expected. Linear in
// the length of the text; nodes are nested at most 32 deep.
MustacheNode ParseMustache(std::string_view text, const std::string& what,
                           bool with_partials);

}  // namespace talefold
