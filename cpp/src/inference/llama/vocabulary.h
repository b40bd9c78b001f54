// A GGUF vocabulary: text to tokens as data, tokens to text.
#pragma once

#include <llama.h>

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "inference/model.h"

namespace talefold {

// Immutable after construction; any thread. Does not own the llama_model.
class Vocabulary {
 public:
  // `template_text`: the chat template rendered with harmless contents; special tokens
  // in it are those a player could forge a role with. `tags`: text of a reply, even
  // where they are control tokens.
  Vocabulary(const llama_model* model, std::string_view template_text,
             const std::optional<ReasoningTags>& tags = {});

  // Those that data must not become.
  const std::vector<SpecialToken>& special_tokens() const { return special_tokens_; }
  // Set when the vocabulary wants a prompt to start with it.
  std::optional<Token> bos() const;
  bool EndsReply(Token token) const { return llama_vocab_is_eog(vocab_, token); }

  // Valid UTF-8 as data. No CONTROL token, and no USER_DEFINED token that could pass
  // for structure (two characters or more, not white space, and it occurs in the chat
  // template or has '<', '[' or '|' in it): in place of such a token stand the tokens
  // of its text split in two. Long text is tokenized in pieces: the regular expressions
  // of some vocabularies need stack for each character they match (324 bytes seen, and
  // a crash at 26,000 letters or spaces), and USER_DEFINED tokens take a time that
  // grows with the square of their number (11 s for 65,536).
  std::vector<Token> Tokenize(std::string_view text) const;

  // The bytes of a token; empty for control tokens that are no reasoning tags. May end
  // inside a code point.
  std::string Piece(Token token) const;

  const llama_vocab* raw() const { return vocab_; }

 private:
  std::vector<Token> TokenizeRaw(std::string_view text) const;
  void AppendAsData(std::string_view text, std::vector<Token>& out, int depth) const;

  const llama_vocab* vocab_;
  std::vector<SpecialToken> special_tokens_;
  std::set<Token> forgeable_;                  // their ids
  std::map<Token, std::string> control_tags_;  // of reasoning
  bool adds_space_ = false;  // llama_tokenize puts one in front of a text
};

}  // namespace talefold
