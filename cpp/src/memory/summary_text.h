// The text of a summary, and of what is folded into one.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace talefold {

// What is stored of a model's output: surrounding white space removed; when the output
// was `cut` at its token limit, back to the end of its last full sentence, or whole
// when it has none. Empty = the model wrote nothing.
std::string FinishSummary(std::string_view output, bool cut);

// One past the last full sentence, its closing quotes included; 0 when there is none.
std::size_t LastSentenceEnd(std::string_view text);

// The first and last code points of `text`, `kept` in all, with a gap mark between; the
// whole text when that would be no shorter. Never shorter for a larger `kept`.
std::string HeadAndTail(std::string_view text, std::size_t kept);

}  // namespace talefold
