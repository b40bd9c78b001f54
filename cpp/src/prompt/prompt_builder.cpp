#include "prompt/prompt_builder.h"

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "talefold/error.h"

namespace talefold {
namespace {

// Runs beyond those of the newest prompts that do not yet need a clean-up.
constexpr std::size_t kSpareRuns = 64;
// Texts whose tokens were counted; all are forgotten when there are more.
constexpr std::size_t kMostCounts = 8192;

// A sentinel stands for a content while the template is rendered. Contents never meet
// the template, so that only the template's own text could collide with it. The padding
// shows whether the template trims contents; glue does not end like this by chance.
constexpr std::string_view kPadding = "\t \t\t \t";
constexpr std::string_view kSentinelStem = "talefold5e27b1message";

std::string Sentinel(std::size_t index) {
  return std::string(kSentinelStem) + std::to_string(index) + "end";
}

std::vector<ChatMessage> WithSentinels(std::span<const ChatMessage> messages) {
  std::vector<ChatMessage> sentinels;
  sentinels.reserve(messages.size());
  for (std::size_t i = 0; i < messages.size(); ++i) {
    std::string text(kPadding);
    text.append(Sentinel(i)).append(kPadding);
    sentinels.push_back({messages[i].role, std::move(text)});
  }
  return sentinels;
}

[[noreturn]] void ThrowLostMessage(std::span<const ChatMessage> messages, std::size_t i,
                                   const char* what_happens) {
  throw Error(ErrorCode::UnsupportedChatTemplate,
              "the model's chat template " + std::string(what_happens) + " message " +
                  std::to_string(i) + " of " + std::to_string(messages.size()) +
                  " (counted from 0), role " + std::string(RoleName(messages[i].role)),
              "use a model whose template has a place for this role here, or a "
              "placement that gives the text another role");
}

// A rendered template around the contents: glue[0] content 0 glue[1] ... glue[n].
struct Skeleton {
  struct Content {
    bool trims_left = false, trims_right = false;

    // What of `text` the template keeps.
    TextSpan Keeps(std::string_view text) const {
      TextSpan kept{0, text.size()};
      const std::string_view trimmed = TrimWhitespace(text);
      if (trimmed.empty()) return trims_left || trims_right ? TextSpan{} : kept;
      const auto begin = static_cast<std::size_t>(trimmed.data() - text.data());
      if (trims_right) kept.end = begin + trimmed.size();
      if (trims_left) kept.begin = begin;
      return kept;
    }
  };

  std::vector<std::string_view> glue;  // views of the rendered template
  std::vector<Content> contents;
};

// Throws UnsupportedChatTemplate unless each sentinel occurs once and in order.
Skeleton ReadSkeleton(std::string_view rendered,
                      std::span<const ChatMessage> messages) {
  Skeleton skeleton;
  std::string_view rest = rendered;
  for (std::size_t i = 0; i < messages.size(); ++i) {
    const std::string sentinel = Sentinel(i);
    const std::size_t at = rest.find(sentinel);
    if (at == rest.npos) ThrowLostMessage(messages, i, "drops or moves");
    std::string_view before = rest.substr(0, at);
    rest.remove_prefix(at + sentinel.size());
    const bool padded_left = before.ends_with(kPadding);
    const bool padded_right = rest.starts_with(kPadding);
    if (padded_left) before.remove_suffix(kPadding.size());
    if (padded_right) rest.remove_prefix(kPadding.size());
    if (before.find(kSentinelStem) != before.npos) {
      ThrowLostMessage(messages, i, "moves or repeats a message before");
    }
    skeleton.glue.push_back(before);
    skeleton.contents.push_back({!padded_left, !padded_right});
  }
  if (rest.find(kSentinelStem) != rest.npos) {
    ThrowLostMessage(messages, messages.size() - 1, "repeats a message after");
  }
  skeleton.glue.push_back(rest);
  return skeleton;
}

}  // namespace

// A prompt in the making: ids so far, and the literal run not yet tokenized.
class PromptBuilder::Assembly {
 public:
  explicit Assembly(PromptBuilder& builder) : builder_(builder) {}

  // What is appended from now on belongs to the next message, or to the reply.
  void Mark() {
    if (run_.empty()) {
      marks_.push_back(ids_.size());
    } else {
      ++marks_in_run_;
    }
  }

  void AppendToken(Token id) {
    Flush();
    ids_.push_back(id);
  }

  void AppendGlue(std::string_view glue) {
    std::size_t literal_begin = 0;
    for (std::size_t pos = 0; pos < glue.size();) {
      const SpecialToken* special = builder_.FindSpecial(glue.substr(pos));
      if (special == nullptr) {
        ++pos;
        continue;
      }
      AppendText(glue.substr(literal_begin, pos - literal_begin));
      AppendSpecial(*special);
      pos += special->text.size();
      literal_begin = pos;
    }
    AppendText(glue.substr(literal_begin));
  }

  // The part `kept` of a message: data, but for the markers in it.
  void AppendMessage(const ChatMessage& message, TextSpan kept) {
    const std::string_view text = message.text;
    for (const TextSpan& marker : message.markers) {
      if (marker.begin < kept.begin || marker.end > kept.end) continue;
      AppendText(text.substr(kept.begin, marker.begin - kept.begin));
      AppendGlue(text.substr(marker.begin, marker.end - marker.begin));
      kept.begin = marker.end;
    }
    AppendText(text.substr(kept.begin, kept.end - kept.begin));
  }

  void AppendText(std::string_view text) {
    if (strips_) text = TrimLeadingWhitespace(text);
    strips_ = strips_ && text.empty();
    run_ += text;
  }

  TokenizedPrompt Finish() {
    Flush();
    const std::size_t reply_begin = marks_.back();
    marks_.pop_back();
    return {std::move(ids_), std::move(marks_), reply_begin};
  }

 private:
  void AppendSpecial(const SpecialToken& special) {
    if (special.strips_before) run_.resize(TrimTrailingWhitespace(run_).size());
    AppendToken(special.id);
    strips_ = special.strips_after;
  }

  void Flush() {
    if (!run_.empty()) {
      const std::vector<Token>& ids = builder_.TokensOf(run_);
      ids_.insert(ids_.end(), ids.begin(), ids.end());
      run_.clear();
    }
    marks_.insert(marks_.end(), marks_in_run_, ids_.size());
    marks_in_run_ = 0;
  }

  PromptBuilder& builder_;
  std::vector<Token> ids_;
  std::vector<std::size_t> marks_;  // where messages, then the reply, begin in ids_
  std::string run_;
  std::size_t marks_in_run_ = 0;  // marks that become the end of run_
  bool strips_ = false;  // no text since a special token that strips what follows
};

PromptBuilder::PromptBuilder(std::shared_ptr<const Model> model)
    : model_(std::move(model)), system_role_(ProbeSystemRole(*model_)) {
  for (const SpecialToken& special : model_->special_tokens()) {
    if (special.text.empty()) continue;
    const auto first_byte = static_cast<unsigned char>(special.text[0]);
    special_by_first_byte_[first_byte].push_back(&special);
  }
  for (auto& specials : special_by_first_byte_) {
    std::ranges::stable_sort(specials, std::ranges::greater(),
                             [](const auto* special) { return special->text.size(); });
  }
}

TokenizedPrompt PromptBuilder::Build(std::span<const ChatMessage> messages) {
  if (system_role_.Anywhere()) return BuildAll(messages);
  const MergedMessages merged = MergeSystemMessages(messages, system_role_);
  TokenizedPrompt prompt = BuildAll(merged.messages);
  std::vector<std::size_t> ends = prompt.message_begin;
  ends.push_back(prompt.reply_begin);
  prompt.message_begin.clear();
  for (const std::size_t begin : merged.begin) {
    prompt.message_begin.push_back(ends[begin]);
  }
  return prompt;
}

TokenizedPrompt PromptBuilder::BuildAll(std::span<const ChatMessage> messages) {
  const std::string rendered = model_->RenderTemplate(WithSentinels(messages));
  const Skeleton skeleton = ReadSkeleton(rendered, messages);
  ++build_number_;
  runs_in_build_ = 0;
  Assembly assembly(*this);
  assembly.Mark();
  if (const std::optional<Token> bos = model_->add_bos()) {
    const SpecialToken* first = FindSpecial(skeleton.glue[0]);
    if (first == nullptr || first->id != *bos) assembly.AppendToken(*bos);
  }
  for (std::size_t i = 0; i < messages.size(); ++i) {
    assembly.AppendGlue(skeleton.glue[i]);
    assembly.AppendMessage(messages[i], skeleton.contents[i].Keeps(messages[i].text));
    assembly.Mark();
  }
  assembly.AppendGlue(skeleton.glue.back());
  TokenizedPrompt prompt = assembly.Finish();
  DropUnused();
  return prompt;
}

std::size_t PromptBuilder::CountTokens(const std::string& text) {
  const auto found = counts_.find(text);
  if (found != counts_.end()) return found->second;
  if (counts_.size() == kMostCounts) counts_.clear();
  return counts_.emplace(text, model_->Tokenize(text).size()).first->second;
}

const std::vector<Token>& PromptBuilder::BeforeUserText(Role last) {
  const auto found = before_user_text_.find(last);
  if (found != before_user_text_.end()) return found->second;
  return before_user_text_.emplace(last, FindBeforeUserText(last)).first->second;
}

// What two conversations have in common that differ in the user's text. It is theirs
// alone only if a special token ends the text before it.
std::vector<Token> PromptBuilder::FindBeforeUserText(Role last) {
  std::vector<ChatMessage> messages;
  if (last == Role::Assistant) messages.push_back({Role::User, "a"});
  messages.push_back({last, "b"});
  try {
    const std::size_t begin = Build(messages).reply_begin;
    messages.push_back({Role::User, "x"});
    std::vector<Token> ids = Build(messages).ids;
    messages.back().text = "y";
    const std::vector<Token> other = Build(messages).ids;
    const auto [end, other_end] = std::ranges::mismatch(ids, other);
    ids.erase(end, ids.end());
    const bool is_closed =
        begin < ids.size() && std::ranges::any_of(
                                  model_->special_tokens(),
                                  [&](const SpecialToken& special) {
                                    return special.id == ids[begin] &&
                                           !special.strips_before;
                                  });
    if (!is_closed) return {};
    ids.erase(ids.begin(), ids.begin() + static_cast<std::ptrdiff_t>(begin));
    return ids;
  } catch (const Error&) {  // no place for such a conversation
    return {};
  }
}

const SpecialToken* PromptBuilder::FindSpecial(std::string_view text) const {
  if (text.empty()) return nullptr;
  const auto& specials = special_by_first_byte_[static_cast<unsigned char>(text[0])];
  const auto found = std::ranges::find_if(
      specials, [&](const auto* special) { return text.starts_with(special->text); });
  return found == specials.end() ? nullptr : *found;
}

const std::vector<Token>& PromptBuilder::TokensOf(std::string_view run) {
  auto entry = runs_.find(run);
  if (entry == runs_.end()) {
    entry = runs_.emplace(run, CacheEntry{model_->Tokenize(run)}).first;
  }
  if (std::exchange(entry->second.last_used, build_number_) != build_number_) {
    ++runs_in_build_;
  }
  return entry->second.ids;
}

// The slack keeps a prompt that changes back and forth from being tokenized again.
void PromptBuilder::DropUnused() {
  if (runs_.size() <= 2 * runs_in_build_ + kSpareRuns) return;
  std::erase_if(runs_, [this](const auto& entry) {
    return entry.second.last_used != build_number_;
  });
}

}  // namespace talefold
