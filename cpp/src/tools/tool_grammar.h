// Tool schemas -> a GBNF grammar that leaves a model no way but a valid call.
#pragma once

#include <cstdint>
#include <string>

#include "tools/tool_format.h"
#include "tools/tool_set.h"

namespace talefold {

struct ToolGrammarOptions {
  // A reply may also be prose: text that the format's parser takes for no call.
  bool allow_prose = false;
  std::int32_t max_calls = 4;           // in one reply; >= 1
  std::int32_t max_string_chars = 512;  // of a string argument; 1 to 2000
};

// The text that llama_sampler_init_grammar takes, with the start symbol "root". Every
// text of the grammar is a reply that ParseToolCalls reads without a problem: calls of
// known tools, arguments in the order of the schema, all the required ones, any of the
// others, each of its type or out of its enum. White space is at most one character in
// a place, an integer has at most 15 digits and a number as many and 6 decimals.
std::string ToolGrammar(const ToolSet& tools, const ToolFormat& format,
                        const ToolGrammarOptions& options = {});

}  // namespace talefold
