#include "memory/summary_reply.h"

#include <algorithm>
#include <utility>

#include "base/sentence_end.h"
#include "base/text.h"
#include "base/unicode.h"
#include "memory/summary_text.h"

namespace talefold {

namespace {

// A line shorter than this says nothing: "no content".
constexpr std::size_t kPlaceholderChars = 20;
constexpr std::string_view kEmphasis = " \t*_#>]<[";

char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

bool IsAsciiWord(char c) {
  return (c >= '0' && c <= '9') || (Lower(c) >= 'a' && Lower(c) <= 'z') || c == '_';
}

// Whether `text` begins with `word` (given in lower case), whatever its case.
bool BeginsWith(std::string_view text, std::string_view word) {
  return text.size() >= word.size() &&
         std::ranges::equal(text.substr(0, word.size()), word, {}, Lower);
}

std::string_view SkipEmphasis(std::string_view text) {
  return text.substr(std::min(text.find_first_not_of(kEmphasis), text.size()));
}

// After a label: the rest of its emphasis ("**SUMMARY:** He left."), not that of the
// text itself.
std::string_view AfterLabel(std::string_view text) {
  if (text.starts_with("**") || text.starts_with("__")) text.remove_prefix(2);
  return TrimLeadingWhitespace(text);
}

bool BeginsLine(std::string_view text, std::size_t at) {
  const std::size_t before = text.substr(0, at).find_last_not_of(kEmphasis);
  return before == text.npos || text[before] == '\n';
}

std::size_t CountOf(std::string_view text, char wanted) {
  return static_cast<std::size_t>(std::ranges::count(text, wanted));
}

// Ends with what closes something that the text opened.
bool EndsBalanced(std::string_view text) {
  switch (text.back()) {
    case '"':
    case '*':
      return CountOf(text, text.back()) % 2 == 0;
    case ')':
      return CountOf(text, '(') == CountOf(text, ')');
    case ']':
      return CountOf(text, '[') == CountOf(text, ']');
    case '}':
      return CountOf(text, '{') == CountOf(text, '}');
  }
  return text.ends_with("\u201D") || text.ends_with("\u00BB");
}

std::string_view DropPartialSentence(std::string_view text) {
  if (text.empty() || EndsBalanced(text)) return text;
  const std::size_t end = LastSentenceEnd(text);
  return end == 0 ? text : text.substr(0, end);
}

std::string UpperFirst(std::string_view text) {
  std::string result;
  if (text.empty()) return result;
  std::size_t at = 0;
  AppendCodePoint(Uppercase(NextCodePoint(text, at)), result);
  return result += text.substr(at);
}

// A line of an answer: what it says, and which chunk it says that of.
struct AnswerLine {
  std::optional<std::size_t> chunk;
  std::string text;
};

// Takes "CHUNK 2:" or "CHAPTER 2:" off the front of `line`, and returns the number.
std::optional<std::size_t> TakeChunkNumber(std::string_view& line) {
  std::string_view rest = SkipEmphasis(line);
  if (BeginsWith(rest, "summary of ")) rest.remove_prefix(11);
  if (BeginsWith(rest, "chunk ")) {
    rest.remove_prefix(6);
  } else if (BeginsWith(rest, "chapter ")) {
    rest.remove_prefix(8);
  } else {
    return std::nullopt;
  }
  std::size_t number = 0;
  std::size_t digits = 0;
  for (; digits < rest.size() && rest[digits] >= '0' && rest[digits] <= '9'; ++digits) {
    if (digits > 6) return std::nullopt;
    number = number * 10 + static_cast<std::size_t>(rest[digits] - '0');
  }
  if (digits == 0) return std::nullopt;
  rest = SkipEmphasis(rest.substr(digits));
  if (!rest.starts_with(':')) return std::nullopt;
  line = AfterLabel(rest.substr(1));
  return number;
}

std::vector<AnswerLine> ReadLines(std::string_view reply, bool analyzed) {
  std::vector<AnswerLine> lines;
  while (true) {
    const std::size_t end = std::min(reply.find('\n'), reply.size());
    std::string_view line = TrimWhitespace(reply.substr(0, end));
    const bool analysis = analyzed && BeginsWith(SkipEmphasis(line), "analysis of");
    AnswerLine read{TakeChunkNumber(line), std::string(line)};
    std::erase(read.text, '"');
    read.text = TrimWhitespace(read.text);
    const bool placeholder =
        !read.text.empty() && CountCodePoints(read.text) < kPlaceholderChars;
    if (!analysis && !placeholder) lines.push_back(std::move(read));
    if (end == reply.size()) return lines;
    reply.remove_prefix(end + 1);
  }
}

void AddLine(std::string_view line, std::string& text) {
  if (line.empty()) return;
  if (!text.empty()) text += '\n';
  text += line;
}

// Without a letter or digit it tells nothing.
bool HasWord(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    if (IsWordCharacter(NextCodePoint(text, at))) return true;
  }
  return false;
}

}  // namespace

// At the beginning of a line the marker is meant; elsewhere an analysis may only speak
// of it.
std::optional<std::string_view> AfterSummaryMarker(std::string_view reply) {
  constexpr std::string_view kWord = "summary";
  std::optional<std::string_view> inside;
  for (std::size_t at = 0; at + kWord.size() <= reply.size(); ++at) {
    if (!BeginsWith(reply.substr(at), kWord)) continue;
    if (at > 0 && IsAsciiWord(reply[at - 1])) continue;
    std::string_view rest = SkipEmphasis(reply.substr(at + kWord.size()));
    if (rest.starts_with(':')) {
      if (BeginsLine(reply, at)) return AfterLabel(rest.substr(1));
      if (!inside) inside = AfterLabel(rest.substr(1));
      continue;
    }
    const bool alone = rest.empty() || rest.front() == '\n' || rest.front() == '\r';
    if (alone && BeginsLine(reply, at)) return rest;
  }
  return inside;
}

std::string CleanSummary(std::string_view text) {
  text = TrimWhitespace(text);
  text = TrimWhitespace(text.substr(0, text.find('#')));
  if (!HasWord(text)) return "";
  return UpperFirst(DropPartialSentence(text));
}

std::string CleanChunkLines(std::string_view reply, bool analyzed) {
  std::string text;
  for (const AnswerLine& line : ReadLines(reply, analyzed)) text += line.text + "\n";
  return CleanSummary(text);
}

std::vector<std::string> ReadChunkAnswers(std::string_view reply, std::size_t first,
                                          std::size_t count, bool analyzed) {
  const std::vector<AnswerLine> lines = ReadLines(reply, analyzed);
  const bool numbered = std::ranges::any_of(
      lines, [](const AnswerLine& line) { return line.chunk.has_value(); });
  std::vector<std::string> answers(count);
  std::size_t current = 0;  // position in `answers`
  for (const AnswerLine& line : lines) {
    if (line.chunk) current = *line.chunk - first;  // below `first` wraps: none of ours
    if (current >= count || line.text.empty()) continue;
    AddLine(line.text, answers[current]);
    if (!numbered && current + 1 < count) ++current;
  }
  for (std::string& answer : answers) answer = CleanSummary(answer);
  return answers;
}

}  // namespace talefold
