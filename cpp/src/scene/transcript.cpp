#include "scene/transcript.h"

#include <algorithm>
#include <initializer_list>
#include <utility>

#include "base/error_place.h"
#include "base/json.h"
#include "base/text.h"

namespace talefold {

namespace {

[[noreturn]] void Fail(const std::string& reason) {
  throw Error(ErrorCode::MalformedStorage, reason,
              "one JSON object a line, such as {\"kind\": \"character\", \"speaker\": "
              "\"Bob\", \"text\": \"Hi.\"}");
}

class LineReader {
 public:
  LineReader(std::string_view line, std::int64_t max_bytes) : max_bytes_(max_bytes) {
    value_ = ParseJson(line, ErrorCode::MalformedStorage, "transcript");
    if (!value_.is_object()) {
      Fail("expected an object, found " + std::string(JsonTypeName(value_)));
    }
  }

  void CheckKeys(std::initializer_list<std::string_view> known) const {
    for (const auto& member : value_.get_object()) {
      const std::string_view key = member.key();
      if (std::ranges::find(known, key) != known.end()) continue;
      Fail("unknown key '" + std::string(key) +
           "'; allowed: " + ListNames({known.begin(), known.end()}));
    }
  }

  std::string Text(std::string_view key) const {
    return AsText(Require(key), "'" + std::string(key) + "'");
  }
  std::string TextOr(std::string_view key, std::string fallback) const {
    return Has(key) ? Text(key) : std::move(fallback);
  }
  bool Flag(std::string_view key) const {
    if (!Has(key)) return false;
    const json::value& value = Require(key);
    if (!value.is_bool()) Fail("'" + std::string(key) + "' is no boolean");
    return value.get_bool();
  }
  std::vector<std::string> Names(std::string_view key) const {
    std::vector<std::string> names;
    if (!Has(key)) return names;
    const json::value& value = Require(key);
    const std::string what = "'" + std::string(key) + "'";
    if (!value.is_array()) Fail(what + " is no array of names");
    for (const json::value& name : value.get_array()) {
      names.push_back(AsText(name, "a name in " + what));
      CheckName(names.back(), "a name in " + what);
    }
    return names;
  }

  static void CheckName(std::string_view name, const std::string& what) {
    const std::string_view problem = NameProblem(name);
    if (!problem.empty()) Fail(what + " " + std::string(problem));
  }

 private:
  bool Has(std::string_view key) const { return value_.get_object().contains(key); }
  const json::value& Require(std::string_view key) const {
    const json::value* value = value_.get_object().if_contains(key);
    if (!value) Fail("'" + std::string(key) + "' is missing");
    return *value;
  }
  std::string AsText(const json::value& value, const std::string& what) const {
    if (!value.is_string()) Fail(what + " is no string: " + DescribeJson(value));
    const std::string_view text = value.get_string();
    CheckText(text, what, max_bytes_);
    return std::string(text);
  }

  json::value value_;
  std::int64_t max_bytes_;
};

Message ReadPassage(const LineReader& line) {
  line.CheckKeys({"kind", "duration", "text", "meta"});
  Message message;
  message.kind = MessageKind::Time;
  const std::string duration = line.Text("duration");
  try {
    message.duration = ParseStoryTime(duration, "'duration'");
  } catch (const Error& error) {
    Fail(error.message());
  }
  message.text = line.TextOr("text", PassageText(message.duration));
  message.meta = line.TextOr("meta", "");
  return message;
}

Message ReadSpoken(const LineReader& line, MessageKind kind) {
  line.CheckKeys({"kind", "speaker", "text", "source", "meta", "hidden"});
  Message message;
  message.kind = kind;
  message.text = line.Text("text");
  message.speaker = kind == MessageKind::Character ? line.Text("speaker")
                                                   : line.TextOr("speaker", "");
  message.source = line.TextOr("source", "");
  message.meta = line.TextOr("meta", "");
  message.hidden = line.Flag("hidden");
  if (TrimWhitespace(message.text).empty()) Fail("'text' is empty");
  if (kind == MessageKind::Character || !message.speaker.empty()) {
    LineReader::CheckName(message.speaker, "'speaker'");
  }
  return message;
}

void ReadLine(std::string_view text, std::int64_t max_bytes, TranscriptLine& read) {
  const LineReader line(text, max_bytes);
  const std::string kind = line.Text("kind");
  if (kind == "presence") {
    line.CheckKeys({"kind", "activate", "deactivate"});
    read.activate = line.Names("activate");
    read.deactivate = line.Names("deactivate");
    return;
  }
  const auto known = kind == "time_passage" ? MessageKind::Time : ParseKind(kind);
  if (!known) {
    Fail("unknown kind '" + kind +
         "'; allowed: character, narrator, director, time, reinforcement, "
         "context_investigation, presence");
  }
  read.message =
      known == MessageKind::Time ? ReadPassage(line) : ReadSpoken(line, *known);
}

}  // namespace

std::string PassageText(StoryTime duration) {
  constexpr std::string_view kAgo = " ago";
  if (duration == StoryTime{}) return "No time passes.";
  std::string words = RelativeTimeLabel(duration, {});
  words.resize(words.size() - kAgo.size());
  return words + " later.";
}

std::string PlaceOf(const TranscriptLine& line) {
  return "transcript, line " + std::to_string(line.number) + ": ";
}

std::vector<TranscriptLine> ReadTranscript(std::string_view lines,
                                           std::int64_t max_message_bytes) {
  std::vector<TranscriptLine> read;
  for (std::size_t number = 1; !lines.empty(); ++number) {
    const std::size_t end = std::min(lines.find('\n'), lines.size());
    const std::string_view line = TrimWhitespace(lines.substr(0, end));
    lines.remove_prefix(std::min(end + 1, lines.size()));
    if (line.empty()) continue;
    TranscriptLine next{.number = number};
    AtPlace(PlaceOf(next), [&] { ReadLine(line, max_message_bytes, next); });
    read.push_back(std::move(next));
  }
  return read;
}

}  // namespace talefold
