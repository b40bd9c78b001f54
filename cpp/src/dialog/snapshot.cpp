#include "dialog/snapshot.h"

#include <algorithm>
#include <initializer_list>
#include <limits>
#include <set>
#include <utility>
#include <vector>

#include "base/snapshot_reader.h"
#include "base/text.h"
#include "dialog/components_json.h"

namespace talefold {

namespace {

constexpr std::string_view kFormat = "talefold-snapshot";
constexpr std::int64_t kVersion = 1;
constexpr std::string_view kPins = "pins";  // declared as a component is

json::object WriteInteraction(const Interaction& interaction) {
  json::object object;
  object["id"] = interaction.id;
  if (interaction.revision != 0) object["revision"] = interaction.revision;
  object["user"] = interaction.user;
  object["assistant"] = interaction.assistant;
  object["status"] = StatusName(interaction.status);
  if (interaction.attempt != 0) object["attempt"] = interaction.attempt;
  WriteComponents(interaction, object);
  return object;
}

Interaction ReadInteraction(const json::value& value, const std::string& path,
                            std::size_t index) {
  constexpr std::int64_t kMaxCounter = std::numeric_limits<std::uint32_t>::max();
  const SnapshotReader reader(value, path);
  reader.CheckKeys({"id", "revision", "user", "assistant", "status", "attempt"},
                   ComponentKeys());
  Interaction interaction;
  interaction.id = reader.Number("id", kMaxInteractionId);
  interaction.revision =
      static_cast<std::uint32_t>(reader.Number("revision", kMaxCounter, 0));
  interaction.user = reader.Text("user");
  interaction.assistant = reader.Text("assistant");
  const std::string status = reader.Text("status");
  const auto parsed = ParseStatus(status);
  if (!parsed) {
    FailSnapshot(
        reader.Path("status"),
        "expected complete, interrupted, cancelled or failed, found '" + status + "'");
  }
  interaction.status = *parsed;
  interaction.attempt =
      static_cast<std::uint32_t>(reader.Number("attempt", kMaxCounter, 0));
  ReadComponents(reader, index, interaction);
  return interaction;
}

// Throws unless every component that `object` has is declared.
void CheckDeclared(const json::value& object, const std::string& path,
                   const std::set<std::string>& declared) {
  for (const std::string_view key : ComponentKeys()) {
    if (!object.get_object().contains(key) || declared.contains(std::string(key))) {
      continue;
    }
    FailSnapshot(path, "carries " + DescribeJson(json::value(key)) +
                           ", but 'required_components' does not list it");
  }
}

// Ids of calls are unique in a dialog.
void CheckCallIds(const Interaction& interaction, const std::string& path,
                  std::set<std::string>& ids) {
  for (std::size_t i = 0; i < interaction.tool_calls.size(); ++i) {
    const std::string& id = interaction.tool_calls[i].id;
    if (!id.empty() && ids.insert(id).second) continue;
    FailSnapshot(path + ".tool_calls[" + std::to_string(i) + "].id",
                 "must not be empty, and not occur twice");
  }
}

void ReadDialog(const SnapshotReader& root, const std::set<std::string>& declared,
                AgentState& state) {
  std::set<std::string> call_ids;
  std::int64_t last_id = 0;
  std::optional<std::size_t> covered;
  const json::array& dialog = root.List("dialog");
  for (std::size_t i = 0; i < dialog.size(); ++i) {
    const std::string path = "dialog[" + std::to_string(i) + "]";
    Interaction interaction = ReadInteraction(dialog[i], path, i);
    if (interaction.id <= last_id)
      FailSnapshot(path + ".id", "ids must be ascending from 1");
    last_id = interaction.id;
    CheckDeclared(dialog[i], path, declared);
    CheckCallIds(interaction, path, call_ids);
    if (interaction.summary) {
      if (covered && interaction.summary->covered_through <= *covered) {
        FailSnapshot(path + ".summary.covered_through",
                     "must exceed that of the one before");
      }
      covered = interaction.summary->covered_through;
    }
    state.dialog.Append(std::move(interaction));
  }
}

TrimHistory ReadTrims(const SnapshotReader& node, std::size_t dialog_size) {
  TrimHistory trims;
  const json::array& marks = node.List("trims");
  for (std::size_t i = 0; i < marks.size(); ++i) {
    const SnapshotReader mark(marks[i],
                              node.Path("trims") + "[" + std::to_string(i) + "]");
    mark.CheckKeys({"at", "from"});
    if (dialog_size == 0) FailSnapshot(mark.Path("at"), "the dialog is empty");
    const auto at = static_cast<std::size_t>(
        mark.Number("at", static_cast<std::int64_t>(dialog_size) - 1));
    const auto from =
        static_cast<std::size_t>(mark.Number("from", static_cast<std::int64_t>(at)));
    if (!trims.marks().empty() && at <= trims.marks().back().at) {
      FailSnapshot(mark.Path("at"), "must exceed that of the mark before");
    }
    trims.Set(at, from);
  }
  return trims;
}

LineCursor ReadLines(const SnapshotReader& node) {
  const SnapshotReader lines(node.Get("lines"), node.Path("lines"));
  lines.CheckKeys({"seed", "drawn"});
  constexpr auto kMaxCursor = static_cast<std::int64_t>(LineCursor::kMax);
  return {static_cast<std::uint64_t>(lines.Number("seed", kMaxCursor)),
          static_cast<std::uint64_t>(lines.Number("drawn", kMaxCursor))};
}

void ReadPins(const SnapshotReader& root, const std::set<std::string>& declared,
              AgentState& state) {
  if (!root.Find(kPins)) return;
  if (!declared.contains(std::string(kPins))) {
    FailSnapshot(std::string(kPins), "'required_components' does not list them");
  }
  const json::array& pins = root.List(kPins);
  for (std::size_t i = 0; i < pins.size(); ++i) {
    const SnapshotReader pin(pins[i],
                             std::string(kPins) + "[" + std::to_string(i) + "]");
    pin.CheckKeys({"key", "text"});
    Pin read{pin.Text("key"), pin.Text("text")};
    if (read.key.empty() || std::ranges::count(state.pins, read.key, &Pin::key) > 0) {
      FailSnapshot(pin.Path("key"), "must not be empty, and not occur twice");
    }
    if (TrimWhitespace(read.text).empty()) FailSnapshot(pin.Path("text"), "is empty");
    state.pins.push_back(std::move(read));
  }
}

void ReadNodes(const SnapshotReader& root, AgentState& state) {
  const json::value* nodes = root.Find("nodes");
  if (!nodes) return;
  if (!nodes->is_object()) FailSnapshot("nodes", "expected an object");
  for (const auto& [name, value] : nodes->get_object()) {
    const SnapshotReader node(value, "nodes." + std::string(name));
    node.CheckKeys({"trims", "lines"});
    if (node.Find("trims")) {
      state.trims[std::string(name)] = ReadTrims(node, state.dialog.size());
    }
    if (node.Find("lines")) state.lines[std::string(name)] = ReadLines(node);
  }
}

void CheckHeader(const json::value& document) {
  const SnapshotReader root(document, "");
  const std::string format = root.Text("format");
  if (format != kFormat) {
    FailSnapshot("format",
                 "expected '" + std::string(kFormat) + "', found '" + format + "'");
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
  if (version < 1) FailSnapshot("version", "expected a whole number from 1");
}

// Those listed; refuses what this version does not know.
std::set<std::string> ReadRequiredComponents(const SnapshotReader& root) {
  std::set<std::string> declared;
  if (!root.Find("required_components")) return declared;
  std::vector<std::string_view> known(ComponentKeys().begin(), ComponentKeys().end());
  known.push_back(kPins);
  for (const json::value& component : root.List("required_components")) {
    const bool is_known =
        component.is_string() &&
        std::ranges::count(known, std::string_view(component.get_string())) > 0;
    if (!is_known) {
      throw Error(ErrorCode::DialogUnsupportedComponent,
                  "snapshot: the dialog uses the component " + DescribeJson(component) +
                      ", which this version does not know; known: " + ListNames(known),
                  "load it with the version of Talefold that wrote it");
    }
    declared.insert(std::string(component.get_string()));
  }
  return declared;
}

// The names of the components that `dialog` has, and of the pins.
json::array RequiredComponents(const json::array& dialog, bool has_pins) {
  json::array required;
  for (const std::string_view key : ComponentKeys()) {
    if (std::ranges::any_of(dialog, [key](const json::value& interaction) {
          return interaction.get_object().contains(key);
        })) {
      required.push_back(json::value(key));
    }
  }
  if (has_pins) required.push_back(json::value(kPins));
  return required;
}

json::object WriteNodes(const AgentState& state) {
  json::object nodes;
  const auto node = [&nodes](const std::string& name) -> json::object& {
    json::value& value = nodes[name];
    return value.is_object() ? value.get_object() : value.emplace_object();
  };
  for (const auto& [name, trims] : state.trims) {
    if (trims.marks().empty()) continue;
    json::array marks;
    for (const TrimHistory::Mark& mark : trims.marks()) {
      marks.push_back(json::object{{"at", mark.at}, {"from", mark.from}});
    }
    node(name)["trims"] = std::move(marks);
  }
  for (const auto& [name, cursor] : state.lines) {
    node(name)["lines"] = json::object{{"seed", cursor.seed}, {"drawn", cursor.drawn}};
  }
  return nodes;
}

}  // namespace

std::string WriteSnapshot(const AgentState& state) {
  json::array dialog;
  dialog.reserve(state.dialog.size());
  for (std::size_t i = 0; i < state.dialog.size(); ++i) {
    dialog.push_back(WriteInteraction(state.dialog.at(i)));
  }
  json::object root;
  root["format"] = kFormat;
  root["version"] = kVersion;
  json::array required = RequiredComponents(dialog, !state.pins.empty());
  if (!required.empty()) root["required_components"] = std::move(required);
  root["dialog"] = std::move(dialog);
  if (!state.pins.empty()) {
    json::array pins;
    for (const Pin& pin : state.pins) {
      pins.push_back(json::object{{"key", pin.key}, {"text", pin.text}});
    }
    root[kPins] = std::move(pins);
  }
  json::object nodes = WriteNodes(state);
  if (!nodes.empty()) root["nodes"] = std::move(nodes);
  return PrettyJson(root);
}

AgentState ReadSnapshot(std::string_view text) {
  const json::value document =
      ParseJson(text, ErrorCode::MalformedSnapshot, "snapshot", kSnapshotHint);
  CheckHeader(document);  // before the keys: a newer version may have others
  const SnapshotReader root(document, "");
  const std::set<std::string> declared = ReadRequiredComponents(root);
  root.CheckKeys(
      {"format", "version", "required_components", "dialog", kPins, "nodes"});
  AgentState state;
  ReadDialog(root, declared, state);
  ReadPins(root, declared, state);
  ReadNodes(root, state);
  return state;
}

}  // namespace talefold
