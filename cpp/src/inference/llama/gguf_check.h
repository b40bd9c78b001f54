// What a GGUF file says of itself, looked at before llama.cpp loads it.
#pragma once

#include <string>

namespace talefold {

// Reads the metadata alone. Throws ModelLoadFailed when the file is no model that
// writes text. A file that cannot be read is left to llama.cpp, which says what is
// wrong with it.
void CheckGguf(const std::string& path);

}  // namespace talefold
