#include "prompt/letter_candidates.h"

#include <algorithm>
#include <ranges>
#include <string>
#include <utility>

#include "talefold/error.h"

namespace talefold {

namespace {

// The token that `text` is more than `before`; nothing unless it is exactly one.
void AddLastToken(const Model& model, const std::string& before,
                  const std::string& text, std::vector<Token>& tokens) {
  const std::vector<Token> begin = model.Tokenize(before);
  const std::vector<Token> all = model.Tokenize(text);
  if (all.size() != begin.size() + 1 ||
      !std::ranges::equal(begin, all | std::views::take(begin.size())))
    return;
  if (std::ranges::find(tokens, all.back()) == tokens.end()) {
    tokens.push_back(all.back());
  }
}

}  // namespace

// A vocabulary may put a space in front of every text: behind a line break it does not.
std::vector<Candidate> LetterCandidates(const Model& model, std::size_t count) {
  std::vector<Candidate> candidates;
  for (std::size_t i = 0; i < std::min(count, kMaxLetters); ++i) {
    Candidate candidate{std::string(1, static_cast<char>('A' + i)), {}};
    AddLastToken(model, "", candidate.text, candidate.tokens);
    AddLastToken(model, "", " " + candidate.text, candidate.tokens);
    AddLastToken(model, "\n", "\n" + candidate.text, candidate.tokens);
    if (candidate.tokens.empty()) {
      throw Error(
          ErrorCode::InferenceFailed,
          "the model's vocabulary has no token for the letter " + candidate.text,
          "use another model");
    }
    candidates.push_back(std::move(candidate));
  }
  return candidates;
}

}  // namespace talefold
