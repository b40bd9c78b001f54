// Chat messages -> token ids, such that no message's text can become a control token.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "inference/model.h"
#include "prompt/system_role.h"

namespace talefold {

struct TokenizedPrompt {
  std::vector<Token> ids;
  // Where each message's tokens begin in `ids`, the template's text before it included;
  // the last message ends where `reply_begin` is. Tokens made of the texts of several
  // messages belong to the message in which their run starts.
  std::vector<std::size_t> message_begin;
  // The template's opening of the reply, with what it writes after the last message.
  std::size_t reply_begin = 0;

  // Tokens of message i with the template's text around it.
  std::size_t MessageTokens(std::size_t i) const {
    const std::size_t end =
        i + 1 < message_begin.size() ? message_begin[i + 1] : reply_begin;
    return end - message_begin[i];
  }
};

// Renders the template once with sentinels in place of the contents, splits the glue at
// the vocabulary's special tokens, and tokenizes the literal runs between them as data.
// Not thread-safe: owned by one node of one agent, used by the thread that runs its
// turn. Keeps the tokens of the texts in the newest prompts, keyed by the text itself,
// so that a stale entry cannot exist.
class PromptBuilder {
 public:
  explicit PromptBuilder(std::shared_ptr<const Model> model);

  // A system message that the template would drop where it stands joins the nearest
  // message of the user; in the result its tokens count there. Throws
  // UnsupportedChatTemplate when the template drops, repeats or reorders a message all
  // the same. The builder is usable after any failure.
  TokenizedPrompt Build(std::span<const ChatMessage> messages);

  // What the template writes between the text of a message of `last` and that of the
  // user's message after it; empty where it is not the same tokens whatever the texts.
  const std::vector<Token>& BeforeUserText(Role last);

  // Of a text as data, by itself. Remembers what it counted lately.
  std::size_t CountTokens(const std::string& text);

  const Model& model() const { return *model_; }

 private:
  struct CacheEntry {
    std::vector<Token> ids;
    std::uint64_t last_used = 0;  // build number
  };
  struct TextHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>()(text);
    }
  };
  using Cache = std::unordered_map<std::string, CacheEntry, TextHash, std::equal_to<>>;
  class Assembly;
  TokenizedPrompt BuildAll(std::span<const ChatMessage> messages);
  std::vector<Token> FindBeforeUserText(Role last);

  // The longest special token at the start of `text`; nullptr when there is none.
  const SpecialToken* FindSpecial(std::string_view text) const;
  const std::vector<Token>& TokensOf(std::string_view run);
  void DropUnused();

  std::shared_ptr<const Model> model_;
  const SystemRole system_role_;
  // Special tokens by the first byte of their text, longest first; owned by the model.
  std::array<std::vector<const SpecialToken*>, 256> special_by_first_byte_;

  std::map<Role, std::vector<Token>> before_user_text_;  // found so far

  Cache runs_;                      // of the newest prompts
  std::uint64_t build_number_ = 0;  // the newest Build
  std::size_t runs_in_build_ = 0;   // distinct runs it used

  std::unordered_map<std::string, std::size_t> counts_;  // tokens of texts
};

}  // namespace talefold
