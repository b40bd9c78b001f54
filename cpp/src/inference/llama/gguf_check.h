// What a GGUF file says of itself, looked at before llama.cpp loads it.
#pragma once

#include <string>

namespace talefold {

enum class GgufUse { Text, Embedding };

// Reads the metadata alone. Throws ModelLoadFailed when the file is no model for this
// use, saying what it is, or is damaged such that llama.cpp would abort the process.
// What llama.cpp refuses with an error, unreadable files too, is left to it.
void CheckGguf(const std::string& path, GgufUse use);

}  // namespace talefold
