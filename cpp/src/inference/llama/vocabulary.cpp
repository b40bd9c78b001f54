#include "inference/llama/vocabulary.h"

#include <algorithm>
#include <stdexcept>

#include "base/text.h"
#include "talefold/error.h"

namespace talefold {

namespace {

constexpr std::size_t kMaxRunBytes = 4096;
constexpr std::size_t kMaxPieceBytes = 8192;

constexpr std::string_view kWhitespace = " \t\n\v\f\r";

bool IsSpace(char c) { return kWhitespace.find(c) != kWhitespace.npos; }

// The end of the next piece of `text` from `begin` on: where the piece would be longer
// than kMaxPieceBytes, between two words, at the single space, where vocabularies split
// anyhow. Unless `only_words`, also inside a run, of white space or of anything else,
// that is longer than kMaxRunBytes.
std::size_t PieceEnd(std::string_view text, std::size_t begin, bool only_words) {
  std::size_t run_begin = begin;
  std::size_t word_begin = begin;
  for (std::size_t i = begin + 1; i < text.size(); ++i) {
    if (IsSpace(text[i]) != IsSpace(text[i - 1])) {
      if (text[i - 1] == ' ' && run_begin == i - 1) word_begin = run_begin;
      run_begin = i;
    }
    if (i - begin >= kMaxPieceBytes) {
      if (word_begin > begin) return word_begin;
      if (!only_words && run_begin > begin) return run_begin;
    }
    if (only_words || i - run_begin < kMaxRunBytes) continue;
    while ((static_cast<unsigned char>(text[i]) & 0xC0) == 0x80) --i;
    return i;
  }
  return text.size();
}

// A text whose token could pass for structure. White space and single characters have
// none: vocabularies have such tokens of their own ("\n" in Gemma's, "!" in
// DeepSeek's).
bool LooksStructural(std::string_view text, std::string_view template_text) {
  if (CountCodePoints(text) < 2 || TrimWhitespace(text).empty()) return false;
  return text.find_first_of("<[|") != text.npos ||
         template_text.find(text) != template_text.npos;
}

[[noreturn]] void ThrowNoToken() {
  throw Error(ErrorCode::InferenceFailed,
              "the model's vocabulary has no token for a character of the text",
              "use a model whose vocabulary has a token for each byte");
}

}  // namespace

Vocabulary::Vocabulary(const llama_model* model, std::string_view template_text,
                       const std::optional<ReasoningTags>& tags)
    : vocab_(llama_model_get_vocab(model)) {
  const std::int32_t count = llama_vocab_n_tokens(vocab_);
  for (Token id = 0; id < count; ++id) {
    const int attributes = llama_vocab_get_attr(vocab_, id);
    const bool control = (attributes & LLAMA_TOKEN_ATTR_CONTROL) != 0;
    const bool user_defined = (attributes & LLAMA_TOKEN_ATTR_USER_DEFINED) != 0;
    if (!control && !user_defined) continue;
    const std::string text = llama_vocab_get_text(vocab_, id);
    if (control && tags && (text == tags->open || text == tags->close)) {
      control_tags_.emplace(id, text);
    }
    if (text.empty() || !(control || LooksStructural(text, template_text))) continue;
    special_tokens_.push_back({text, id, (attributes & LLAMA_TOKEN_ATTR_LSTRIP) != 0,
                               (attributes & LLAMA_TOKEN_ATTR_RSTRIP) != 0});
    forgeable_.insert(id);
  }
  const std::vector<Token> letter = TokenizeRaw("x");
  adds_space_ = !letter.empty() && Piece(letter[0]).starts_with(' ');
}

std::optional<Token> Vocabulary::bos() const {
  if (!llama_vocab_get_add_bos(vocab_)) return std::nullopt;
  const Token bos = llama_vocab_bos(vocab_);
  if (bos == LLAMA_TOKEN_NULL) return std::nullopt;
  return bos;
}

std::vector<Token> Vocabulary::Tokenize(std::string_view text) const {
  std::vector<Token> ids;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = PieceEnd(text, begin, adds_space_);
    // A piece after the first begins with a space if llama.cpp adds one.
    const std::size_t skipped = adds_space_ && begin > 0 ? 1 : 0;
    AppendAsData(text.substr(begin + skipped, end - begin - skipped), ids, 0);
    begin = end;
  }
  return ids;
}

std::vector<Token> Vocabulary::TokenizeRaw(std::string_view text) const {
  const auto length = static_cast<std::int32_t>(text.size());
  std::vector<Token> ids(text.size() + 8);
  const auto tokenize = [&] {
    return llama_tokenize(vocab_, text.data(), length, ids.data(),
                          static_cast<std::int32_t>(ids.size()),
                          /*add_special=*/false, /*parse_special=*/false);
  };
  std::int32_t count = 0;
  try {
    count = tokenize();
    if (count < 0) {
      ids.resize(static_cast<std::size_t>(-count));
      count = tokenize();
    }
  } catch (const std::out_of_range&) {  // llama_tokenize lets it through
    ThrowNoToken();
  }
  if (count < 0) {
    throw Error(ErrorCode::InferenceFailed, "llama_tokenize failed on a text of " +
                                                std::to_string(text.size()) + " bytes");
  }
  ids.resize(static_cast<std::size_t>(count));
  if (std::ranges::find(ids, LLAMA_TOKEN_NULL) != ids.end()) ThrowNoToken();  // rwkv
  return ids;
}

// Splits each forgeable token's text in two, again and again, until none is left. A
// single code point cannot be split: such a token has no structure to forge.
void Vocabulary::AppendAsData(std::string_view text, std::vector<Token>& out,
                              int depth) const {
  constexpr int kMaxDepth = 8;
  const std::vector<Token> ids = TokenizeRaw(text);
  for (const Token id : ids) {
    if (!forgeable_.contains(id)) {
      out.push_back(id);
      continue;
    }
    const std::string token_text = llama_vocab_get_text(vocab_, id);
    const std::size_t length = CountCodePoints(token_text);
    if (length < 2 || depth == kMaxDepth) continue;  // dropped rather than forged
    const std::size_t half = CodePointOffset(token_text, length / 2);
    AppendAsData(std::string_view(token_text).substr(0, half), out, depth + 1);
    AppendAsData(std::string_view(token_text).substr(half), out, depth + 1);
  }
}

std::string Vocabulary::Piece(Token token) const {
  if (const auto tag = control_tags_.find(token); tag != control_tags_.end()) {
    return tag->second;
  }
  std::string piece(32, '\0');
  std::int32_t size = llama_token_to_piece(vocab_, token, piece.data(),
                                           static_cast<std::int32_t>(piece.size()),
                                           /*lstrip=*/0, /*special=*/false);
  if (size < 0) {
    piece.resize(static_cast<std::size_t>(-size));
    size = llama_token_to_piece(vocab_, token, piece.data(),
                                static_cast<std::int32_t>(piece.size()), 0, false);
  }
  piece.resize(static_cast<std::size_t>(std::max(size, 0)));
  return piece;
}

}  // namespace talefold
