#include "inference/llama/reply_grammar.h"

#include <cmath>
#include <exception>

#include "talefold/error.h"

namespace talefold {

namespace {

llama_sampler* ReadGrammar(const llama_vocab* vocab, const std::string& gbnf) {
  try {
    return llama_sampler_init_grammar(vocab, gbnf.c_str(), "root");
  } catch (const std::exception&) {
    return nullptr;
  }
}

}  // namespace

ReplyGrammar::ReplyGrammar(const llama_vocab* vocab, std::string_view node,
                           std::string_view gbnf)
    : vocab_(vocab), node_(node), grammar_(ReadGrammar(vocab, std::string(gbnf))) {
  if (grammar_) return;
  throw Error(ErrorCode::InferenceFailed,
              "node '" + node_ + "': llama.cpp cannot read the grammar of the reply, " +
                  std::to_string(gbnf.size()) + " bytes of GBNF",
              "what is wrong stands on stderr; the start rule must be \"root\"");
}

bool ReplyGrammar::WritesText(Token token) const {
  constexpr int kSilent = LLAMA_TOKEN_ATTR_CONTROL | LLAMA_TOKEN_ATTR_UNKNOWN;
  return (llama_vocab_get_attr(vocab_, token) & kSilent) == 0;
}

bool ReplyGrammar::Allows(Token token) const {
  if (!WritesText(token) && !llama_vocab_is_eog(vocab_, token)) return false;
  llama_token_data candidate = {token, 0.0F, 0.0F};
  llama_token_data_array one = {&candidate, 1, /*selected=*/-1, /*sorted=*/false};
  llama_sampler_apply(grammar_.get(), &one);
  return std::isfinite(candidate.logit);
}

void ReplyGrammar::KeepAllowed(std::vector<llama_token_data>& candidates) const {
  std::erase_if(candidates, [this](const llama_token_data& candidate) {
    return !WritesText(candidate.id) && !llama_vocab_is_eog(vocab_, candidate.id);
  });
  llama_token_data_array all = {candidates.data(), candidates.size(),
                                /*selected=*/-1, /*sorted=*/false};
  llama_sampler_apply(grammar_.get(), &all);
  std::erase_if(candidates, [](const llama_token_data& candidate) {
    return !std::isfinite(candidate.logit);
  });
  if (!candidates.empty()) return;
  throw Error(ErrorCode::InferenceFailed,
              "node '" + node_ +
                  "': no token of the model's vocabulary continues the reply as its "
                  "grammar demands",
              "use a model whose vocabulary has a token for each byte");
}

void ReplyGrammar::Accept(Token token) {
  // At the end of a reply there is nothing to go on with, and llama.cpp would end the
  // process if it came too soon.
  if (llama_vocab_is_eog(vocab_, token)) return;
  try {
    llama_sampler_accept(grammar_.get(), token);
  } catch (const std::exception& error) {
    throw Error(ErrorCode::InferenceFailed,
                "node '" + node_ + "': the reply left its grammar: " + error.what());
  }
}

}  // namespace talefold
