// What the library knows of single Unicode characters, whatever the locale.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace talefold {

// Simple case folding (one code point to one): "A" and "a", "Ä" and "ä", "Σ", "σ" and
// "ς" give the same. The identity for what has no case.
char32_t FoldCase(char32_t c);

// The character that folds to `c`, the first where several do; `c` itself where none.
char32_t Uppercase(char32_t c);

// What the characters of [first, last] (inclusive) fold to that folding changes.
std::vector<char32_t> FoldedForms(char32_t first, char32_t last);

// Is what an upper case character folds to.
bool IsLowercase(char32_t c);

// Letters, marks, digits and joining punctuation (the underscore) of all scripts.
bool IsWordCharacter(char32_t c);

// White space and line ends, those of ECMAScript's \s.
bool IsWhitespace(char32_t c);

// The code points of UTF-8.
std::u32string DecodeUtf8(std::string_view text);

}  // namespace talefold
