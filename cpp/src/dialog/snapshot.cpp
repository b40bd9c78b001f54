#include "dialog/snapshot.h"

#include <algorithm>
#include <initializer_list>
#include <limits>
#include <utility>

#include "base/json.h"
#include "base/text.h"

namespace talefold {

namespace {

constexpr std::string_view kFormat = "talefold-snapshot";
constexpr std::int64_t kVersion = 1;
constexpr std::string_view kSummary = "summary";
constexpr std::int64_t kMaxId = std::int64_t{1} << 53;  // exact as a double, too

json::object WriteSummary(const SummaryComponent& summary) {
  json::object object;
  object["text"] = summary.text;
  object["node"] = summary.node;
  object["covered_through"] = summary.covered_through;
  if (summary.stale) object["stale"] = true;
  if (summary.edited) object["edited"] = true;
  if (summary.abridged) object["abridged"] = true;
  return object;
}

json::object WriteInteraction(const Interaction& interaction) {
  json::object object;
  object["id"] = interaction.id;
  if (interaction.revision != 0) object["revision"] = interaction.revision;
  object["user"] = interaction.user;
  object["assistant"] = interaction.assistant;
  object["status"] = StatusName(interaction.status);
  if (interaction.attempt != 0) object["attempt"] = interaction.attempt;
  if (interaction.summary) object[kSummary] = WriteSummary(*interaction.summary);
  return object;
}

[[noreturn]] void Fail(const std::string& path, const std::string& reason) {
  throw Error(ErrorCode::MalformedSnapshot,
              "snapshot: " + path + (path.empty() ? "" : ": ") + reason,
              "the text was changed or cut after it was exported; use another copy");
}

// One JSON object of the snapshot: typed reads that name the path, and a check that no
// key was left over.
class ObjectReader {
 public:
  ObjectReader(const json::value& value, std::string path) : path_(std::move(path)) {
    if (!value.is_object()) {
      Fail(path_, "expected an object, found " + std::string(JsonTypeName(value)));
    }
    object_ = &value.get_object();
  }

  void CheckKeys(std::initializer_list<std::string_view> known) const {
    for (const auto& member : *object_) {
      const std::string_view key = member.key();
      if (std::find(known.begin(), known.end(), key) == known.end()) {
        Fail(path_, "unknown key " + DescribeJson(json::value(key)));
      }
    }
  }

  const json::value* Find(std::string_view key) const {
    return object_->if_contains(key);
  }

  const json::value& Get(std::string_view key) const {
    const json::value* value = Find(key);
    if (!value) Fail(path_, "'" + std::string(key) + "' is missing");
    return *value;
  }

  std::string Text(std::string_view key) const {
    const json::value& value = Get(key);
    if (!value.is_string()) Wrong(key, "a string", value);
    const std::string_view text = value.get_string();
    if (text.find('\0') != std::string_view::npos) Fail(Path(key), "holds a NUL byte");
    return std::string(text);
  }

  // Whole number in [0, max]; `fallback` when the key is absent and a fallback given.
  std::int64_t Number(std::string_view key, std::int64_t max,
                      std::optional<std::int64_t> fallback = std::nullopt) const {
    if (fallback && !Find(key)) return *fallback;
    const json::value& value = Get(key);
    if (!value.is_int64() || value.get_int64() < 0 || value.get_int64() > max) {
      Wrong(key, "a whole number from 0 to " + std::to_string(max), value);
    }
    return value.get_int64();
  }

  bool Flag(std::string_view key) const {
    const json::value* value = Find(key);
    if (!value) return false;
    if (!value->is_bool()) Wrong(key, "a boolean", *value);
    return value->get_bool();
  }

  const json::array& List(std::string_view key) const {
    const json::value& value = Get(key);
    if (!value.is_array()) Wrong(key, "an array", value);
    return value.get_array();
  }

  std::string Path(std::string_view key) const {
    return path_ + "." + std::string(key);
  }

 private:
  [[noreturn]] void Wrong(std::string_view key, const std::string& expected,
                          const json::value& found) const {
    Fail(Path(key), "expected " + expected + ", found " + DescribeJson(found));
  }

  std::string path_;
  const json::object* object_ = nullptr;
};

SummaryComponent ReadSummary(const json::value& value, const std::string& path,
                             std::size_t carrier) {
  const ObjectReader reader(value, path);
  reader.CheckKeys({"text", "node", "covered_through", "stale", "edited", "abridged"});
  SummaryComponent summary;
  summary.text = reader.Text("text");
  if (TrimWhitespace(summary.text).empty()) Fail(reader.Path("text"), "is empty");
  summary.node = reader.Text("node");
  summary.covered_through = static_cast<std::size_t>(
      reader.Number("covered_through", static_cast<std::int64_t>(carrier)));
  summary.stale = reader.Flag("stale");
  summary.edited = reader.Flag("edited");
  summary.abridged = reader.Flag("abridged");
  return summary;
}

Interaction ReadInteraction(const json::value& value, const std::string& path,
                            std::size_t index) {
  constexpr std::int64_t kMaxCounter = std::numeric_limits<std::uint32_t>::max();
  const ObjectReader reader(value, path);
  reader.CheckKeys(
      {"id", "revision", "user", "assistant", "status", "attempt", kSummary});
  Interaction interaction;
  interaction.id = reader.Number("id", kMaxId);
  interaction.revision =
      static_cast<std::uint32_t>(reader.Number("revision", kMaxCounter, 0));
  interaction.user = reader.Text("user");
  interaction.assistant = reader.Text("assistant");
  const std::string status = reader.Text("status");
  const auto parsed = ParseStatus(status);
  if (!parsed) {
    Fail(reader.Path("status"),
         "expected complete, interrupted, cancelled or failed, found '" + status + "'");
  }
  interaction.status = *parsed;
  interaction.attempt =
      static_cast<std::uint32_t>(reader.Number("attempt", kMaxCounter, 0));
  if (const json::value* summary = reader.Find(kSummary)) {
    interaction.summary = ReadSummary(*summary, reader.Path(kSummary), index);
  }
  return interaction;
}

void ReadDialog(const ObjectReader& root, bool summaries_declared, AgentState& state) {
  std::int64_t last_id = 0;
  std::optional<std::size_t> covered;
  const json::array& dialog = root.List("dialog");
  for (std::size_t i = 0; i < dialog.size(); ++i) {
    const std::string path = "dialog[" + std::to_string(i) + "]";
    Interaction interaction = ReadInteraction(dialog[i], path, i);
    if (interaction.id <= last_id) Fail(path + ".id", "ids must be ascending from 1");
    last_id = interaction.id;
    if (interaction.summary) {
      if (!summaries_declared) {
        Fail(path, "carries a summary, but 'required_components' does not list it");
      }
      if (covered && interaction.summary->covered_through <= *covered) {
        Fail(path + ".summary.covered_through", "must exceed that of the one before");
      }
      covered = interaction.summary->covered_through;
    }
    state.dialog.Append(std::move(interaction));
  }
}

TrimHistory ReadTrims(const ObjectReader& node, std::size_t dialog_size) {
  TrimHistory trims;
  const json::array& marks = node.List("trims");
  for (std::size_t i = 0; i < marks.size(); ++i) {
    const ObjectReader mark(marks[i],
                            node.Path("trims") + "[" + std::to_string(i) + "]");
    mark.CheckKeys({"at", "from"});
    if (dialog_size == 0) Fail(mark.Path("at"), "the dialog is empty");
    const auto at = static_cast<std::size_t>(
        mark.Number("at", static_cast<std::int64_t>(dialog_size) - 1));
    const auto from =
        static_cast<std::size_t>(mark.Number("from", static_cast<std::int64_t>(at)));
    if (!trims.marks().empty() && at <= trims.marks().back().at) {
      Fail(mark.Path("at"), "must exceed that of the mark before");
    }
    trims.Set(at, from);
  }
  return trims;
}

void ReadNodes(const ObjectReader& root, AgentState& state) {
  const json::value* nodes = root.Find("nodes");
  if (!nodes) return;
  if (!nodes->is_object()) Fail("nodes", "expected an object");
  for (const auto& [name, value] : nodes->get_object()) {
    const ObjectReader node(value, "nodes." + std::string(name));
    node.CheckKeys({"trims"});
    state.trims[std::string(name)] = ReadTrims(node, state.dialog.size());
  }
}

void CheckHeader(const json::value& document) {
  const ObjectReader root(document, "");
  const std::string format = root.Text("format");
  if (format != kFormat) {
    Fail("format", "expected '" + std::string(kFormat) + "', found '" + format + "'");
  }
  const std::int64_t version =
      root.Number("version", std::numeric_limits<std::int64_t>::max());
  if (version > kVersion) {
    throw Error(ErrorCode::SnapshotVersionTooNew,
                "snapshot: version " + std::to_string(version) +
                    " is newer than this library reads (up to " +
                    std::to_string(kVersion) + ")",
                "update Talefold, or export the snapshot with an older version");
  }
  if (version < 1) Fail("version", "expected a whole number from 1");
}

// True when "summary" is listed; refuses what this version does not know.
bool CheckComponents(const ObjectReader& root) {
  if (!root.Find("required_components")) return false;
  bool summary = false;
  for (const json::value& component : root.List("required_components")) {
    if (component != json::value(kSummary)) {
      throw Error(ErrorCode::DialogUnsupportedComponent,
                  "snapshot: the dialog uses the component " + DescribeJson(component) +
                      ", which this version does not know; known: \"summary\"",
                  "load it with the version of Talefold that wrote it");
    }
    summary = true;
  }
  return summary;
}

}  // namespace

std::string WriteSnapshot(const AgentState& state) {
  json::array dialog;
  dialog.reserve(state.dialog.size());
  for (std::size_t i = 0; i < state.dialog.size(); ++i) {
    dialog.push_back(WriteInteraction(state.dialog.at(i)));
  }
  json::object nodes;
  for (const auto& [name, trims] : state.trims) {
    if (trims.marks().empty()) continue;
    json::array marks;
    for (const TrimHistory::Mark& mark : trims.marks()) {
      marks.push_back(json::object{{"at", mark.at}, {"from", mark.from}});
    }
    nodes[name] = json::object{{"trims", std::move(marks)}};
  }

  json::object root;
  root["format"] = kFormat;
  root["version"] = kVersion;
  if (state.dialog.NewestCarrier(state.dialog.size())) {
    root["required_components"] = json::array{kSummary};
  }
  root["dialog"] = std::move(dialog);
  if (!nodes.empty()) root["nodes"] = std::move(nodes);
  return PrettyJson(root);
}

AgentState ReadSnapshot(std::string_view text) {
  const json::value document =
      ParseJson(text, ErrorCode::MalformedSnapshot, "snapshot");
  CheckHeader(document);  // before the keys: a newer version may have others
  const ObjectReader root(document, "");
  const bool summaries_declared = CheckComponents(root);
  root.CheckKeys({"format", "version", "required_components", "dialog", "nodes"});
  AgentState state;
  ReadDialog(root, summaries_declared, state);
  ReadNodes(root, state);
  return state;
}

}  // namespace talefold
