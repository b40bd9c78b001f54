#include "memory/summary_text.h"

#include "base/sentence_end.h"
#include "base/text.h"
#include "prompt/default_texts.h"

namespace talefold {

std::size_t LastSentenceEnd(std::string_view text) {
  std::size_t last = 0;
  for (std::size_t i = 0; i < text.size();) {
    if (SentenceMarkLength(text, i) == 0) {
      ++i;
      continue;
    }
    const SentenceMark mark = JudgeSentenceMark(text, i, true);
    if (mark.verdict != SentenceVerdict::None) last = mark.after;
    i = mark.after;
  }
  return last;
}

std::string FinishSummary(std::string_view output, bool cut) {
  std::string_view text = TrimWhitespace(output);
  if (cut) {
    if (const std::size_t end = LastSentenceEnd(text)) text = text.substr(0, end);
  }
  return std::string(text);
}

std::string HeadAndTail(std::string_view text, std::size_t kept) {
  const std::size_t length = CountCodePoints(text);
  if (length <= kept + CountCodePoints(default_texts::kAbridgedGap)) {
    return std::string(text);
  }
  const std::size_t tail = kept / 2;
  const std::size_t head = kept - tail;
  std::string result(text.substr(0, CodePointOffset(text, head)));
  result += default_texts::kAbridgedGap;
  result += text.substr(CodePointOffset(text, length - tail));
  return result;
}

}  // namespace talefold
