// Nodes of a Mustache template + values -> text.
#pragma once

#include <string>
#include <vector>

#include "base/json.h"
#include "prompt/mustache_ast.h"

namespace talefold {

// The children of `node`, a node of `ast`. `contexts` are the values in which names are
// looked up, outermost first, at least one. Time, stack and result are bounded whatever
// template and values are: throws InvalidParamValue for more than 10 million steps (a
// node shown or a value looked into), 16 MiB of text, or sections and partials nested
// more than 128 deep.
std::string RenderMustache(const MustacheAst& ast, const MustacheNode& node,
                           std::vector<const json::value*> contexts);

}  // namespace talefold
