// Text -> the words a keyword search compares.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace talefold {

// Runs of letters and digits in folded case, in order. An apostrophe ends a word, so
// that the "dragon's" has the dragon. Scripts that are written without spaces (Chinese,
// Japanese, Thai, ...; Korean too, whose particles join its words) become overlapping
// pairs of characters, a single character itself. Accents that stand as code points of
// their own are not joined with their letters.
std::vector<std::string> SearchWords(std::string_view text);

}  // namespace talefold
