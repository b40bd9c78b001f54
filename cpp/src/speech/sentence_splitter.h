// A reply that is still being written -> sentences to speak.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace talefold {

// Takes text piece by piece and gives each sentence as soon as it is certain that it is
// complete. What it gives, put together, is the text, byte by byte: white space between
// two sentences begins the second. Where it cuts depends on the text alone, not on the
// pieces.
//
// A sentence ends at a sentence mark with its closing quotes, brackets and emoji
// (base/sentence_end.h), or at a line break; not after "Mr." or in "3.5". One with
// fewer than `min_sentence_chars` code points, surrounding white space left out, is
// joined with the next.
//
// Owned and used by one thread; time is linear in the length of the text.
class SentenceSplitter {
 public:
  // 0 is taken as 1.
  explicit SentenceSplitter(std::size_t min_sentence_chars);

  // `piece` is UTF-8 and ends with a whole code point; it may be empty.
  std::vector<std::string> Feed(std::string_view piece);

  // The text has ended: the sentences still held back, and the rest, which may be
  // short, or white space alone. Afterwards a new text may begin.
  std::vector<std::string> Flush();

 private:
  std::vector<std::string> Split(bool whole);
  void Count(std::string_view read);

  const std::size_t min_sentence_chars_;
  std::string held_;      // the text not given yet; begins with a sentence
  std::size_t next_ = 0;  // what of `held_` is read next
  // Code points of its first sentence, white space around them left out, as far as
  // read; and how many of white space have been read since.
  std::size_t chars_ = 0, blanks_ = 0;
};

}  // namespace talefold
