// A grammar that a reply must follow, as llama.cpp checks it.
#pragma once

#include <llama.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "inference/token.h"

namespace talefold {

// One reply, one thread. Tokens that write nothing (control tokens, <unk>) are allowed
// only where they end the reply: llama.cpp would take one for the text of its name.
class ReplyGrammar {
 public:
  // `node`: for messages. Throws InferenceFailed when llama.cpp cannot read `gbnf`.
  ReplyGrammar(const llama_vocab* vocab, std::string_view node, std::string_view gbnf);

  // Whether the reply may go on with `token`, or end when it is one that ends replies.
  bool Allows(Token token) const;
  // Removes the candidates that are not allowed. Takes a look at each: slow for a whole
  // vocabulary. Throws InferenceFailed when none is left.
  void KeepAllowed(std::vector<llama_token_data>& candidates) const;
  // The reply goes on with `token`. Throws InferenceFailed when it may not.
  void Accept(Token token);

 private:
  struct Deleter {
    void operator()(llama_sampler* sampler) const { llama_sampler_free(sampler); }
  };

  bool WritesText(Token token) const;

  const llama_vocab* vocab_;
  const std::string node_;
  const std::unique_ptr<llama_sampler, Deleter> grammar_;
};

}  // namespace talefold
