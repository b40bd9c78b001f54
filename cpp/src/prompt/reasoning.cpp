#include "prompt/reasoning.h"

#include <utility>

#include "base/text.h"

namespace talefold {

ReasoningFilter::ReasoningFilter(ReasoningTags tags)
    : tags_(std::move(tags)), inside_(tags_.opened_by_prompt) {}

std::string ReasoningFilter::Add(std::string_view piece) {
  held_ += piece;
  std::string visible;
  while (inside_ ? TakeReasoning() : TakeVisible(visible)) inside_ = !inside_;
  return visible;
}

std::string ReasoningFilter::Finish() {
  std::string rest = std::exchange(held_, {});
  if (!inside_) return rest;
  part_ += rest;
  EndPart();
  return {};
}

bool ReasoningFilter::TakeReasoning() {
  const std::size_t close = held_.find(tags_.close);
  const bool closed = close != held_.npos;
  const std::size_t taken =
      closed ? close : held_.size() - PartialMatch(held_, tags_.close);
  part_.append(held_, 0, taken);
  held_.erase(0, closed ? taken + tags_.close.size() : taken);
  if (!closed) return false;
  EndPart();
  drops_space_ = true;
  return true;
}

bool ReasoningFilter::TakeVisible(std::string& visible) {
  const std::size_t space = held_.size() - TrimLeadingWhitespace(held_).size();
  if (drops_space_) {
    held_.erase(0, space);
    if (held_.empty()) return false;
    drops_space_ = false;
  } else if (!began_ && std::string_view(held_).substr(space).starts_with(tags_.open)) {
    held_.erase(0, space);
  } else if (!began_ && space + PartialMatch(held_, tags_.open) == held_.size()) {
    return false;  // white space, to be dropped if a tag follows it
  }
  const std::size_t open = held_.find(tags_.open);
  const bool opened = open != held_.npos;
  const std::size_t taken =
      opened ? open : held_.size() - PartialMatch(held_, tags_.open);
  began_ = began_ || taken > 0;
  visible.append(held_, 0, taken);
  held_.erase(0, opened ? taken + tags_.open.size() : taken);
  return opened;
}

void ReasoningFilter::EndPart() {
  const std::string_view text = TrimWhitespace(part_);
  if (!text.empty()) reasoning_.append(reasoning_.empty() ? "" : "\n").append(text);
  part_.clear();
}

std::string StripReasoning(std::string_view text, const ReasoningTags& tags) {
  ReasoningFilter filter({tags.open, tags.close});
  std::string visible = filter.Add(text);
  return visible += filter.Finish();
}

std::string VisibleText(std::string_view text,
                        const std::optional<ReasoningTags>& tags) {
  return tags ? StripReasoning(text, *tags) : std::string(text);
}

}  // namespace talefold
