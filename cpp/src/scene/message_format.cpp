#include "scene/message_format.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/text.h"
#include "base/unicode.h"

namespace talefold {

namespace {

// In the order of SceneFormat.
constexpr std::array<std::string_view, 4> kFormatNames = {"screenplay", "chat",
                                                          "narrative", "ai_aware"};

bool IsScreenplay(SceneFormat format) {
  return format == SceneFormat::Screenplay || format == SceneFormat::AiAware;
}

std::string Upper(std::string_view text) {
  std::string upper;
  for (std::size_t at = 0; at < text.size();) {
    AppendCodePoint(Uppercase(NextCodePoint(text, at)), upper);
  }
  return upper;
}

std::string CharacterLine(const Message& message, SceneFormat format) {
  if (format == SceneFormat::Narrative || message.speaker.empty()) {
    return std::string(TrimWhitespace(message.text));
  }
  if (!IsScreenplay(format)) return message.speaker + ": " + message.text;
  return "\n" + Upper(message.speaker) + "\n" + message.text + "\n" +
         std::string(kEndOfSpeech) + "\n";
}

std::string StoryLine(const Message& message, SceneFormat format) {
  if (format == SceneFormat::Narrative) {
    return std::string(TrimWhitespace(message.text));
  }
  return IsScreenplay(format) ? message.text + "\n" : message.text;
}

// The word at `at` of `text` and what stands for it in the first person.
std::string_view FirstPerson(std::string_view word) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kWords = {
      {{"you", "i"},
       {"You", "I"},
       {"your", "my"},
       {"Your", "My"},
       {"yourself", "myself"},
       {"Yourself", "Myself"}}};
  for (const auto& [second, first] : kWords) {
    if (word == second) return first;
  }
  return word;
}

// "look at your sword" as the character would think it: "look at my sword".
std::string AsThought(std::string_view text) {
  std::string thought;
  std::size_t word_begin = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t before = at;
    if (IsWordCharacter(NextCodePoint(text, at))) continue;
    thought += FirstPerson(text.substr(word_begin, before - word_begin));
    thought += text.substr(before, at - before);
    word_begin = at;
  }
  thought += FirstPerson(text.substr(word_begin));
  return thought;
}

std::string DirectorLine(const Message& message, SceneFormat format,
                         DirectorMode mode) {
  const std::string_view text = TrimWhitespace(message.text);
  if (text.empty()) return "";
  const std::string name = message.speaker.empty() ? "The character" : message.speaker;
  const std::string line =
      mode == DirectorMode::InnerMonologue
          ? "(" + name + " thinks: I should " + AsThought(text) + ")"
          : "(" + name + "'s next action: " + std::string(text) + ")";
  return format == SceneFormat::Chat ? "# " + line : line;
}

std::string NoteLine(const Message& message, SceneFormat format) {
  if (format == SceneFormat::Chat) return message.text;
  const std::string title = message.source.empty() ? "" : message.source + ": ";
  return "(" + title + message.text + ")";
}

}  // namespace

std::string_view EndOfSpeech(SceneFormat format) {
  return IsScreenplay(format) ? kEndOfSpeech : std::string_view();
}

std::string_view FormatName(SceneFormat format) {
  return kFormatNames[static_cast<std::size_t>(format)];
}

std::optional<SceneFormat> ParseFormat(std::string_view name) {
  const auto found = std::ranges::find(kFormatNames, name);
  if (found == kFormatNames.end()) return std::nullopt;
  return static_cast<SceneFormat>(found - kFormatNames.begin());
}

std::string FormatMessage(const Message& message, SceneFormat format,
                          DirectorMode mode) {
  switch (message.kind) {
    case MessageKind::Character:
      return CharacterLine(message, format);
    case MessageKind::Narrator:
    case MessageKind::Time:
      return StoryLine(message, format);
    case MessageKind::Director:
      return DirectorLine(message, format, mode);
    case MessageKind::Reinforcement:
    case MessageKind::ContextInvestigation:
      break;
  }
  return NoteLine(message, format);
}

}  // namespace talefold
