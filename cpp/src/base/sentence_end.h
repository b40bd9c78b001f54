// Where sentences end, as far as their punctuation says so.
#pragma once

#include <cstddef>
#include <string_view>

namespace talefold {

enum class SentenceVerdict {
  None,       // the mark ends no sentence: "Mr.", "3.5", "1." before a list item
  Ends,       // it ends one
  MayEnd,     // it does unless the sentence goes on in lower case: "Wait... what?"
  Undecided,  // more text is needed
};

struct SentenceMark {
  SentenceVerdict verdict = SentenceVerdict::None;
  // One past the mark with all that belongs to it: more marks, closing quotes and
  // brackets, emoji. Where to read on; of no meaning when undecided.
  std::size_t after = 0;
};

// Bytes of the sentence mark (full stop, question mark, ...) at `at`; 0 for none.
std::size_t SentenceMarkLength(std::string_view text, std::size_t at);

// What the mark at `at` means. `text` is UTF-8 and begins with a sentence or a line;
// `whole`: nothing comes after it. A verdict other than Undecided stays what it is
// whatever text comes. Looks at no more than 64 characters on either side.
SentenceMark JudgeSentenceMark(std::string_view text, std::size_t at, bool whole);

}  // namespace talefold
