// Upper and lower case made the same, without a locale.
#pragma once

namespace talefold {

// Simple case folding, one code point to one, of the scripts in use: Latin, Greek,
// Cyrillic, Armenian, Georgian, and letters in full width or in circles. Anything else
// stays as it is.
char32_t FoldCase(char32_t code_point);

}  // namespace talefold
