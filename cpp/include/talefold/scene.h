// A story that several characters share.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "talefold/agent.h"
#include "talefold/event.h"
#include "talefold/graph.h"
#include "talefold/scene_info.h"
#include "talefold/turn.h"

namespace talefold {

struct SceneOptions {
  // Archive and LayeredHistory nodes. Empty = one of each, with their defaults.
  std::optional<GraphDescription> memory_graph = {};
  std::string default_model_name = {};  // of nodes that name none
  // Every message waits until the memory has taken in what is due. Off: beside the
  // turns, which go first. A turn's cancel and timeout end the waiting, not the reply.
  bool run_inline = false;
  bool enable_diagnostics = false;
  SceneSettings settings = {};
  std::string snapshot = {};  // go on from ExportSnapshot; its settings hold then
};

// What a message may carry beside its text.
struct MessageOptions {
  std::string source = {};
  std::string meta = {};
  bool hidden = false;
};

// A handle; copies refer to the same scene. Any thread may call any method. The engine
// owns the models and workers; the scene owns its characters' graphs. After a call that
// throws, nothing has changed. Ids stay what they are whatever is inserted, edited or
// erased, and are never used twice.
class Scene {
 public:
  class Impl;
  explicit Scene(std::shared_ptr<Impl> impl);

  // Characters. The new one is active unless `active` is false. InvalidArgument for a
  // name that is used, empty or of several lines, and what Engine::CreateAgent throws;
  // Summarize, Archive and LayeredHistory nodes are GraphCompilationFailed.
  void AddCharacter(const std::string& name, const GraphDescription& graph,
                    bool active = true);
  std::vector<std::string> Characters() const;
  // Who takes part from now on; messages are stamped with it. False when it was so
  // already. Anybody may be active, the player as well.
  bool Activate(const std::string& name);
  bool Deactivate(const std::string& name);
  std::vector<std::string> Active() const;

  // Messages; each returns its id. InvalidUtf8, MessageTooLarge, InvalidArgument (empty
  // text, NUL byte).
  std::int64_t Say(const std::string& speaker, std::string text,
                   MessageOptions options = {});
  std::int64_t Narrate(std::string text, MessageOptions options = {});
  // An instruction to a character, seen by it alone.
  std::int64_t Direct(const std::string& character, std::string text,
                      MessageOptions options = {});
  // A note of kind Reinforcement or ContextInvestigation.
  std::int64_t AddNote(MessageKind kind, const std::string& title, std::string text,
                       MessageOptions options = {});
  // `duration`: ISO-8601 ("PT2H"). An empty text says how long it was.
  std::int64_t PassTime(std::string_view duration, std::string text = {});
  // A time passage before message `before`.
  std::int64_t InsertTime(std::int64_t before, std::string_view duration,
                          std::string text = {});
  void EditTime(std::int64_t id, std::string_view duration);

  // InteractionNotFound for an unknown id. What summarizes an edited or erased message
  // is marked out of sync; it is not written again by itself.
  void Edit(std::int64_t id, std::string text);
  void Erase(std::int64_t id);
  void SetHidden(std::int64_t id, bool hidden);
  void ShowVersion(std::int64_t id, std::int64_t version);

  // The character's next reply, from the messages that are there now; appended when it
  // is done. Several characters may generate at once, and others may speak meanwhile;
  // replies stand in the order of the calls. AgentBusy when this character does
  // already.
  Turn TakeTurn(const std::string& character, TurnOptions options = {});
  // Another version of the newest message, which must be this character's reply. `hint`
  // is a direction for this version.
  Turn Regenerate(const std::string& character, const std::string& hint = {},
                  TurnOptions options = {});

  // What the character's next prompt would show of the story, by the first node that
  // shows one. `history`: a JSON object of `history` params to try, in place of the
  // node's; may be empty. InvalidParamValue; AgentBusy while it takes a turn;
  // InvalidArgument when no node of it shows the story.
  StoryReview Review(const std::string& character, const std::string& history = {});

  std::vector<SceneMessage> Messages() const;
  std::int64_t size() const;
  std::uint64_t version() const;  // grows with every change of the timeline
  std::string Clock() const;      // since time zero; an ISO-8601 duration
  // "2 hours ago"
  std::string TimeLabel(std::string_view moment) const;
  // Appends a transcript: one JSON object a line, with `kind` and what belongs to it
  // (speaker, text; activate, deactivate; duration). MalformedStorage, naming the line.
  std::int64_t ImportTranscript(std::string_view lines);

  SceneSettings Settings() const;
  void SetSettings(SceneSettings settings);
  // Dynamic notes by key; an empty text removes the note.
  void SetNote(const std::string& key, std::string text);
  std::vector<std::pair<std::string, std::string>> Notes() const;
  // `value`, as JSON, in place of that param of every node of this type: any of the
  // memory's, and `history` and `prompt_caching` of what shows the story. An object
  // replaces only the fields it has. InvalidParamValue, ParamNotMutable. An empty value
  // removes the override.
  void SetOverride(const std::string& node_type, const std::string& field,
                   std::string value);
  // As one JSON object: {"Archive": {"token_threshold": 512}}.
  std::string Overrides() const;

  // The memory.

  // All entries, the base first, then layer upon layer.
  std::vector<SceneEntry> Entries() const;
  // What is due by now is taken in; true when nothing is left to do, false at the
  // time-out, when it was cancelled, or when the model failed.
  bool UpdateMemory(std::chrono::milliseconds timeout);
  // Stops the work on the memory that runs now. What is committed stays.
  void CancelMemory();
  // Events of the memory since the last call, oldest first.
  std::vector<NodeEvent> PollEvents();

  void EditEntry(std::int64_t id, std::string text);
  // Writes one entry again; it blocks. InferenceFailed when the model wrote nothing or
  // was cancelled: the old text stays then. InvalidArgument without sources.
  void RegenerateEntry(std::int64_t id);
  // Drops all summaries and layers and writes them again; backstory stays. True when
  // all is done, false when it was cancelled or failed: what is done stays. This and
  // the next are InvalidArgument when a node that would have to write is disabled.
  bool RegenerateAll();
  // Drops the newest `count` layers, or all, and writes them again from what is below.
  bool ResetLayers(std::optional<std::int64_t> count = {});
  // What happened `ago` (ISO-8601) before now and before all that the scene tells;
  // returns the entry's id.
  std::int64_t AddBackstory(std::string text, std::string_view ago);
  void RemoveBackstory(std::int64_t id);
  SceneSources Inspect(std::int64_t id) const;
  // Of the base and every layer.
  std::vector<SceneLayerStats> Statistics() const;

  // JSON text: everything but graphs and params. A running turn or a summary under way
  // is not in it.
  std::string ExportSnapshot() const;

  // Cancels turns and memory work, and waits. Idempotent; other calls are AgentClosed.
  void Close();

 private:
  std::shared_ptr<Impl> impl_;
};

}  // namespace talefold
