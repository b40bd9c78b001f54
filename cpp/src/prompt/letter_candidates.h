// The letters a model may answer a multiple-choice question with.
#pragma once

#include <cstddef>
#include <vector>

#include "inference/model.h"

namespace talefold {

inline constexpr std::size_t kMaxLetters = 26;

// "A", "B", "C", ...: `count` of them, at most kMaxLetters, each with its spellings as
// one token of the model. Throws InferenceFailed when a letter has none.
std::vector<Candidate> LetterCandidates(const Model& model, std::size_t count);

}  // namespace talefold
