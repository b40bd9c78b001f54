#include "scene/scene_snapshot.h"

#include <limits>
#include <set>
#include <utility>

#include "base/json.h"
#include "base/snapshot_reader.h"
#include "scene/message_format.h"

namespace talefold {

namespace {

constexpr std::string_view kFormat = "talefold-scene";
constexpr std::int64_t kVersion = 1;
constexpr std::int64_t kMaxId = std::int64_t{1} << 53;  // exact as a double, too
constexpr std::int64_t kMaxNextId = kMaxId / 2;         // a scene goes on from here
constexpr std::int64_t kMaxCounter = std::numeric_limits<std::uint32_t>::max();
constexpr std::int64_t kMaxLayers = 64;

// --- Writing -------------------------------------------------------------------------

json::array WriteTexts(const std::vector<std::string>& texts) {
  return json::array(texts.begin(), texts.end());
}

void WriteText(std::string_view key, const std::string& text, json::object& object) {
  if (!text.empty()) object[key] = text;
}

void WriteFlag(std::string_view key, bool flag, json::object& object) {
  if (flag) object[key] = true;
}

void WriteTime(std::string_view key, StoryTime time, json::object& object) {
  if (time != StoryTime{}) object[key] = FormatStoryTime(time);
}

json::object WriteMessage(const Message& message) {
  json::object object;
  object["id"] = message.id;
  if (message.revision != 0) object["revision"] = message.revision;
  object["kind"] = KindName(message.kind);
  object["text"] = message.text;
  WriteText("speaker", message.speaker, object);
  WriteText("source", message.source, object);
  WriteText("meta", message.meta, object);
  WriteFlag("hidden", message.hidden, object);
  if (message.present) object["present"] = WriteTexts(*message.present);
  WriteTime("duration", message.duration, object);
  if (!message.versions.empty()) object["versions"] = WriteTexts(message.versions);
  if (message.based_on != 0) object["based_on"] = message.based_on;
  return object;
}

json::object WriteEntry(const MemoryEntry& entry) {
  json::object object;
  object["id"] = entry.id;
  object["text"] = entry.text;
  if (entry.has_sources()) {
    object["first"] = entry.first;
    object["last"] = entry.last;
  }
  WriteTime("ts", entry.ts, object);
  WriteTime("ts_start", entry.ts_start, object);
  WriteTime("ts_end", entry.ts_end, object);
  if (entry.present) object["present"] = WriteTexts(*entry.present);
  WriteFlag("static", entry.is_static, object);
  WriteFlag("verbatim", entry.verbatim, object);
  WriteFlag("out_of_sync", entry.out_of_sync, object);
  WriteFlag("edited", entry.edited, object);
  return object;
}

json::array WriteEntries(const EntryList& entries) {
  json::array list;
  for (const MemoryEntry& entry : entries) list.push_back(WriteEntry(entry));
  return list;
}

json::object WriteSettings(const SceneSettings& settings) {
  json::object object;
  WriteText("intro", settings.intro, object);
  WriteText("intention", settings.intention, object);
  WriteText("writing_style", settings.writing_style, object);
  object["format"] = FormatName(settings.format);
  return object;
}

json::object WriteMemory(const SceneMemory& memory) {
  json::array layers;
  for (const EntryList& layer : memory.layers) layers.push_back(WriteEntries(layer));
  return {{"next_id", memory.next_id},
          {"base", WriteEntries(memory.base)},
          {"layers", std::move(layers)}};
}

// --- Reading -------------------------------------------------------------------------

std::string OptionalText(const SnapshotReader& reader, std::string_view key) {
  return reader.Find(key) ? reader.Text(key) : "";
}

// A string that SnapshotReader did not read.
std::string PlainText(const json::value& value, const std::string& path) {
  if (!value.is_string()) {
    FailSnapshot(path, "expected a string, found " + DescribeJson(value));
  }
  std::string text(value.get_string());
  if (text.find('\0') != text.npos) FailSnapshot(path, "holds a NUL byte");
  return text;
}

std::vector<std::string> ReadTexts(const SnapshotReader& reader, std::string_view key) {
  std::vector<std::string> texts;
  const json::array& list = reader.List(key);
  for (std::size_t i = 0; i < list.size(); ++i) {
    texts.push_back(
        PlainText(list[i], reader.Path(key) + "[" + std::to_string(i) + "]"));
  }
  return texts;
}

PresentSet ReadNames(const SnapshotReader& reader, std::string_view key) {
  PresentSet names = ReadTexts(reader, key);
  if (names != MakePresentSet(names)) {
    FailSnapshot(reader.Path(key), "the names are not sorted, each once");
  }
  for (const std::string& name : names) {
    const std::string_view problem = NameProblem(name);
    if (problem.empty()) continue;
    FailSnapshot(reader.Path(key), "a name " + std::string(problem));
  }
  return names;
}

std::optional<PresentSet> ReadPresent(const SnapshotReader& reader) {
  if (!reader.Find("present")) return std::nullopt;
  return ReadNames(reader, "present");
}

StoryTime ReadTime(const SnapshotReader& reader, std::string_view key) {
  if (!reader.Find(key)) return {};
  try {
    return ParseStoryTime(reader.Text(key), "time");
  } catch (const Error& error) {
    if (error.code() == ErrorCode::MalformedSnapshot) throw;
    FailSnapshot(reader.Path(key), error.message());
  }
}

Message ReadMessage(const json::value& value, const std::string& path) {
  const SnapshotReader reader(value, path);
  reader.CheckKeys({"id", "revision", "kind", "text", "speaker", "source", "meta",
                    "hidden", "present", "duration", "versions", "based_on"});
  Message message;
  message.id = reader.Number("id", kMaxId);
  message.revision =
      static_cast<std::uint32_t>(reader.Number("revision", kMaxCounter, 0));
  const std::string kind = reader.Text("kind");
  const auto known = ParseKind(kind);
  if (!known) FailSnapshot(reader.Path("kind"), "unknown kind '" + kind + "'");
  message.kind = *known;
  message.text = reader.Text("text");
  message.speaker = OptionalText(reader, "speaker");
  const bool needs_speaker = message.kind == MessageKind::Character;
  if (const auto problem = NameProblem(message.speaker);
      !problem.empty() && (needs_speaker || !message.speaker.empty())) {
    FailSnapshot(reader.Path("speaker"), std::string(problem));
  }
  message.source = OptionalText(reader, "source");
  message.meta = OptionalText(reader, "meta");
  message.hidden = reader.Flag("hidden");
  message.present = ReadPresent(reader);
  message.duration = ReadTime(reader, "duration");
  if (message.duration != StoryTime{} && message.kind != MessageKind::Time) {
    FailSnapshot(reader.Path("duration"), "only a time passage has one");
  }
  if (reader.Find("versions")) message.versions = ReadTexts(reader, "versions");
  message.based_on = static_cast<std::uint64_t>(reader.Number("based_on", kMaxId, 0));
  return message;
}

void ReadTimeline(const SnapshotReader& root, Timeline& timeline) {
  timeline.SetStart(ReadTime(root, "start"));
  const json::array& list = root.List("messages");
  for (std::size_t i = 0; i < list.size(); ++i) {
    const std::string path = root.Path("messages") + "[" + std::to_string(i) + "]";
    Message message = ReadMessage(list[i], path);
    if (message.id == 0 || timeline.IndexOf(message.id)) {
      FailSnapshot(path + ".id", "0, or in use by an earlier message");
    }
    try {
      timeline.Restore(std::move(message));
    } catch (const Error& error) {
      FailSnapshot(path, error.message());
    }
  }
  const MessageId next_id = root.Number("next_message_id", kMaxNextId);
  if (next_id < timeline.next_id()) {
    FailSnapshot(root.Path("next_message_id"), "in use by a message");
  }
  timeline.SetNextId(next_id);
}

MemoryEntry ReadEntry(const json::value& value, const std::string& path) {
  const SnapshotReader reader(value, path);
  reader.CheckKeys({"id", "text", "first", "last", "ts", "ts_start", "ts_end",
                    "present", "static", "verbatim", "out_of_sync", "edited"});
  MemoryEntry entry;
  entry.id = reader.Number("id", kMaxId);
  entry.text = reader.Text("text");
  entry.first = reader.Number("first", kMaxId, 0);
  entry.last = reader.Number("last", kMaxId, 0);
  entry.ts = ReadTime(reader, "ts");
  entry.ts_start = ReadTime(reader, "ts_start");
  entry.ts_end = ReadTime(reader, "ts_end");
  entry.present = ReadPresent(reader);
  entry.is_static = reader.Flag("static");
  entry.verbatim = reader.Flag("verbatim");
  entry.out_of_sync = reader.Flag("out_of_sync");
  entry.edited = reader.Flag("edited");
  if ((entry.first == 0) != (entry.last == 0)) {
    FailSnapshot(path, "'first' and 'last' go together");
  }
  if (entry.is_static && entry.has_sources()) {
    FailSnapshot(path, "backstory has no sources");
  }
  return entry;
}

// Entries that tell of stretches in order, none twice: `position` finds a source.
template <typename Position>
EntryList ReadEntries(const json::value& value, const std::string& path,
                      std::set<EntryId>& ids, const Position& position) {
  if (!value.is_array()) FailSnapshot(path, "expected an array");
  EntryList entries;
  std::size_t next = 0;  // first position that no entry covers
  for (std::size_t i = 0; i < value.get_array().size(); ++i) {
    const std::string at = path + "[" + std::to_string(i) + "]";
    MemoryEntry entry = ReadEntry(value.get_array()[i], at);
    if (entry.id == 0 || !ids.insert(entry.id).second) {
      FailSnapshot(at + ".id", "0, or in use by an earlier entry");
    }
    if (entry.is_static && !entries.empty() && !entries.back().is_static) {
      FailSnapshot(at, "backstory stands before all summaries");
    }
    if (entry.has_sources()) {
      const std::optional<std::size_t> first = position(entry.first);
      const std::optional<std::size_t> last = position(entry.last);
      if (!first || !last) FailSnapshot(at, "it names a source that is not there");
      if (*first < next || *last < *first) {
        FailSnapshot(at, "its sources are out of order or in another entry as well");
      }
      next = *last + 1;
    }
    entries.push_back(std::move(entry));
  }
  return entries;
}

std::optional<std::size_t> PositionIn(const EntryList& entries, EntryId id) {
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (entries[i].id == id && !entries[i].is_static) return i;
  }
  return std::nullopt;
}

// What stands before the newest summary and in none is never summarized any more.
void CheckCoverage(const Timeline& timeline, const SceneMemory& memory) {
  std::vector<bool> covered(FirstUncovered(timeline, memory), false);
  for (const MemoryEntry& entry : memory.base) {
    const IndexRange range = MessageRange(timeline, entry);
    for (std::size_t i = range.begin; i < range.end; ++i) covered[i] = true;
  }
  for (std::size_t i = 0; i < covered.size(); ++i) {
    const MessageKind kind = timeline.at(i).kind;
    if (covered[i] || !TellsStory(kind) || kind == MessageKind::Time) continue;
    FailSnapshot("memory.base", "no entry covers message " +
                                    std::to_string(timeline.at(i).id) +
                                    ", which stands before others that are covered");
  }
}

SceneMemory ReadMemory(const json::value& value, const Timeline& timeline) {
  const SnapshotReader reader(value, "memory");
  reader.CheckKeys({"next_id", "base", "layers"});
  SceneMemory memory;
  std::set<EntryId> ids;
  memory.base = ReadEntries(reader.Get("base"), reader.Path("base"), ids,
                            [&](MessageId id) { return timeline.IndexOf(id); });
  CheckCoverage(timeline, memory);
  const json::array& layers = reader.List("layers");
  if (layers.size() > static_cast<std::size_t>(kMaxLayers)) {
    FailSnapshot(reader.Path("layers"), "more than 64 layers");
  }
  for (std::size_t k = 0; k < layers.size(); ++k) {
    const std::string path = reader.Path("layers") + "[" + std::to_string(k) + "]";
    const EntryList& below = ListOf(memory, k);
    EntryList entries = ReadEntries(layers[k], path, ids,
                                    [&](EntryId id) { return PositionIn(below, id); });
    for (const MemoryEntry& entry : entries) {
      if (!entry.has_sources()) {
        FailSnapshot(path, "an entry of a layer has sources");
      }
    }
    memory.layers.push_back(std::move(entries));
  }
  memory.next_id = reader.Number("next_id", kMaxNextId);
  if (memory.next_id == 0 || (!ids.empty() && memory.next_id <= *ids.rbegin())) {
    FailSnapshot(reader.Path("next_id"), "0, or in use by an entry");
  }
  return memory;
}

SceneSettings ReadSettings(const json::value& value) {
  const SnapshotReader reader(value, "settings");
  reader.CheckKeys({"intro", "intention", "writing_style", "format"});
  SceneSettings settings;
  settings.intro = OptionalText(reader, "intro");
  settings.intention = OptionalText(reader, "intention");
  settings.writing_style = OptionalText(reader, "writing_style");
  const std::string name = reader.Text("format");
  const auto format = ParseFormat(name);
  if (!format) FailSnapshot("settings.format", "unknown format '" + name + "'");
  settings.format = *format;
  return settings;
}

std::map<std::string, std::string> ReadNotes(const json::value& value) {
  if (!value.is_object()) FailSnapshot("notes", "expected an object");
  std::map<std::string, std::string> notes;
  for (const auto& note : value.get_object()) {
    notes[PlainText(json::value(note.key()), "notes")] =
        PlainText(note.value(), "notes." + std::string(note.key()));
  }
  return notes;
}

SceneOverrides ReadOverrides(const json::value& value) {
  if (!value.is_object()) FailSnapshot("overrides", "expected an object");
  SceneOverrides overrides;
  for (const auto& type : value.get_object()) {
    if (!type.value().is_object()) FailSnapshot("overrides", "expected objects in it");
    for (const auto& field : type.value().get_object()) {
      overrides[type.key()][field.key()] = json::serialize(field.value());
    }
  }
  return overrides;
}

void CheckHeader(const SnapshotReader& root) {
  if (root.Text("format") != kFormat) {
    FailSnapshot("format", "expected \"" + std::string(kFormat) + "\"");
  }
  const std::int64_t version = root.Number("version", kMaxCounter);
  if (version <= kVersion && version > 0) return;
  throw Error(ErrorCode::SnapshotVersionTooNew,
              "scene snapshot of version " + std::to_string(version) +
                  "; this library reads version " + std::to_string(kVersion),
              "load it with a newer version of Talefold");
}

}  // namespace

std::string WriteSceneSnapshot(const SceneState& state) {
  json::object root{{"format", kFormat}, {"version", kVersion}};
  root["settings"] = WriteSettings(state.settings);
  root["active"] = WriteTexts(state.active);
  WriteTime("start", state.timeline.start(), root);
  json::array messages;
  for (std::size_t i = 0; i < state.timeline.size(); ++i) {
    messages.push_back(WriteMessage(state.timeline.at(i)));
  }
  root["messages"] = std::move(messages);
  root["next_message_id"] = state.timeline.next_id();
  root["memory"] = WriteMemory(state.memory);
  json::object notes;
  for (const auto& [key, text] : state.notes) notes[key] = text;
  root["notes"] = std::move(notes);
  root["overrides"] = OverridesJson(state.overrides);
  return PrettyJson(root);
}

json::object OverridesJson(const SceneOverrides& overrides) {
  json::object object;
  for (const auto& [type, fields] : overrides) {
    json::object values;
    for (const auto& [field, value] : fields) values[field] = json::parse(value);
    object[type] = std::move(values);
  }
  return object;
}

SceneState ReadSceneSnapshot(std::string_view text) {
  const json::value document =
      ParseJson(text, ErrorCode::MalformedSnapshot, "scene snapshot");
  const SnapshotReader root(document, "");
  CheckHeader(root);
  root.CheckKeys({"format", "version", "settings", "active", "start", "messages",
                  "next_message_id", "memory", "notes", "overrides"});
  SceneState state;
  state.settings = ReadSettings(root.Get("settings"));
  state.active = ReadNames(root, "active");
  ReadTimeline(root, state.timeline);
  state.memory = ReadMemory(root.Get("memory"), state.timeline);
  state.notes = ReadNotes(root.Get("notes"));
  state.overrides = ReadOverrides(root.Get("overrides"));
  Restamp(state.timeline, state.memory);
  return state;
}

}  // namespace talefold
