#include "speech/sentence_splitter.h"

#include <algorithm>
#include <utility>

#include "base/sentence_end.h"
#include "base/text.h"
#include "base/unicode.h"

namespace talefold {
namespace {

constexpr std::size_t kMaxBlanks = 64;

// Whether a sentence goes on at `at`, after a mark that may end it: with a lower case
// letter on the same line.
SentenceVerdict JudgeContinuation(std::string_view text, std::size_t at, bool whole) {
  for (std::size_t blanks = 0; at < text.size(); ++blanks) {
    const CodePoint next = DecodeCodePoint(text.substr(at));
    if (next.value == '\n' || blanks == kMaxBlanks) return SentenceVerdict::Ends;
    if (!IsWhitespace(next.value)) {
      return IsLowercase(next.value) ? SentenceVerdict::None : SentenceVerdict::Ends;
    }
    at += next.length;
  }
  return whole ? SentenceVerdict::Ends : SentenceVerdict::Undecided;
}

// What is read next at `at`: a mark with all that belongs to it, or one character.
SentenceMark ReadNext(std::string_view text, std::size_t at, bool whole) {
  if (SentenceMarkLength(text, at) == 0) {
    return {SentenceVerdict::None, at + DecodeCodePoint(text.substr(at)).length};
  }
  SentenceMark mark = JudgeSentenceMark(text, at, whole);
  if (mark.verdict == SentenceVerdict::MayEnd) {
    mark.verdict = JudgeContinuation(text, mark.after, whole);
  }
  return mark;
}

}  // namespace

SentenceSplitter::SentenceSplitter(std::size_t min_sentence_chars)
    : min_sentence_chars_(std::max<std::size_t>(1, min_sentence_chars)) {}

std::vector<std::string> SentenceSplitter::Feed(std::string_view piece) {
  held_ += piece;
  return Split(false);
}

std::vector<std::string> SentenceSplitter::Flush() {
  std::vector<std::string> sentences = Split(true);
  if (!held_.empty()) sentences.push_back(std::exchange(held_, {}));
  next_ = chars_ = blanks_ = 0;
  return sentences;
}

std::vector<std::string> SentenceSplitter::Split(bool whole) {
  std::vector<std::string> sentences;
  std::size_t begin = 0;  // of the present sentence
  const auto end_sentence = [&] {
    sentences.push_back(held_.substr(begin, next_ - begin));
    begin = next_;
    chars_ = blanks_ = 0;
  };
  while (next_ < held_.size()) {
    if (held_[next_] == '\n' && chars_ >= min_sentence_chars_) end_sentence();
    const std::string_view sentence = std::string_view(held_).substr(begin);
    const std::size_t at = next_ - begin;
    const SentenceMark mark = ReadNext(sentence, at, whole);
    if (mark.verdict == SentenceVerdict::Undecided) break;
    Count(sentence.substr(at, mark.after - at));
    next_ = begin + mark.after;
    if (mark.verdict == SentenceVerdict::Ends && chars_ >= min_sentence_chars_) {
      end_sentence();
    }
  }
  held_.erase(0, begin);
  next_ -= begin;
  return sentences;
}

void SentenceSplitter::Count(std::string_view read) {
  while (!read.empty()) {
    const CodePoint next = DecodeCodePoint(read);
    read.remove_prefix(next.length);
    if (!IsWhitespace(next.value)) {
      chars_ += std::exchange(blanks_, 0) + 1;
    } else if (chars_ > 0) {
      ++blanks_;
    }
  }
}

}  // namespace talefold
