// Taking a model's reasoning out of its reply.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "inference/reasoning_tags.h"

namespace talefold {

// One reply, one thread. However the reply is cut into pieces, the result is the same:
// what stands between tags is reasoning, to the end of the reply where it is not
// closed; white space after a closing tag, and before an opening one at the beginning
// of the reply, belongs to neither. A reply without tags is visible as it is.
class ReasoningFilter {
 public:
  explicit ReasoningFilter(ReasoningTags tags);

  // Returns the visible text that is certain now.
  std::string Add(std::string_view piece);
  // The rest of the visible text, at the end of the reply.
  std::string Finish();

  // What has been closed or finished, without white space around it; several parts are
  // joined by a line break.
  const std::string& reasoning() const { return reasoning_; }

 private:
  // Take what is decided of held_; true when a tag came, which is taken, too.
  bool TakeReasoning();
  bool TakeVisible(std::string& visible);
  void EndPart();

  const ReasoningTags tags_;
  bool inside_;               // between tags
  bool began_ = false;        // visible text has begun
  bool drops_space_ = false;  // white space that comes next is not visible
  std::string held_;          // not decided yet
  std::string part_;          // of the reasoning, since its opening tag
  std::string reasoning_;
};

// The visible part of a whole text; `tags.opened_by_prompt` has no meaning.
std::string StripReasoning(std::string_view text, const ReasoningTags& tags);
// The same where there are tags; all of `text` where there are none.
std::string VisibleText(std::string_view text,
                        const std::optional<ReasoningTags>& tags);

}  // namespace talefold
