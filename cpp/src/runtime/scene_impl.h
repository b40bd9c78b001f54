// One scene: its state, its characters, and the work on its memory.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "memory/scene_history.h"
#include "nodes/support/scene_memory_node.h"
#include "runtime/compiled_graph.h"
#include "runtime/engine_impl.h"
#include "runtime/pool_task.h"
#include "runtime/turn_impl.h"
#include "runtime/turn_run.h"
#include "scene/scene_state.h"
#include "talefold/scene.h"

namespace talefold {

// Any thread may call any method; see Scene for what they do. Three locks, taken in
// this order: `memory_mutex_` while the memory's nodes are in use, `mutex_` for the
// state, `events_mutex_`. No model is asked with `mutex_` held: memory nodes copy what
// they read and check at the commit that it still holds. A character's graph is used by
// the worker of its turn alone, or with `mutex_` held while no turn of it runs.
class Scene::Impl final : public MemoryHost, public std::enable_shared_from_this<Impl> {
 public:
  Impl(std::shared_ptr<Engine::Impl> engine, SceneOptions options);

  void AddCharacter(const std::string& name, const GraphDescription& graph,
                    bool active);
  std::vector<std::string> Characters() const;
  bool SetActive(const std::string& name, bool active);
  std::vector<std::string> Active() const;

  std::int64_t Push(Message message);
  std::int64_t Insert(std::int64_t before, Message message);
  void Edit(std::int64_t id, std::string text);
  void EditTime(std::int64_t id, StoryTime duration);
  void Erase(std::int64_t id);
  void SetHidden(std::int64_t id, bool hidden);
  void ShowVersion(std::int64_t id, std::int64_t version);
  std::int64_t ImportTranscript(std::string_view lines);

  Turn TakeTurn(const std::string& character, TurnOptions options);
  Turn Regenerate(const std::string& character, const std::string& hint,
                  TurnOptions options);

  StoryReview Review(const std::string& character, const std::string& history);

  SceneSettings Settings() const;
  void SetSettings(SceneSettings settings);
  void SetNote(const std::string& key, std::string text);
  void SetOverride(const std::string& node_type, const std::string& field,
                   const std::string& value);

  bool UpdateMemory(std::chrono::milliseconds timeout);
  void CancelMemory();
  std::vector<NodeEvent> PollEvents();
  void EditEntry(std::int64_t id, std::string text);
  void RegenerateEntry(std::int64_t id);
  bool RegenerateAll();
  bool ResetLayers(std::optional<std::int64_t> count);
  std::int64_t AddBackstory(std::string text, StoryTime ago);
  void RemoveBackstory(std::int64_t id);
  SceneSources Inspect(std::int64_t id) const;
  std::vector<SceneLayerStats> Statistics() const;

  // What `read` returns for the state, under the lock. Throws EngineClosed,
  // AgentClosed.
  template <typename ReadState>
  auto Get(const ReadState& read) const {
    const Lock lock = LockOpen();
    return read(state_);
  }
  void CheckMessage(std::string_view text, std::string_view what) const;
  void CheckName(std::string_view name, std::string_view what) const;
  // Refuses further calls, and cancels what runs without waiting for it.
  void Stop();
  void Close();

  void Read(const std::function<void(const SceneState&)>& read) override;
  void Write(const std::function<void(SceneState&)>& write) override;
  void Tell(NodeEvent event) override;

 private:
  using Lock = std::unique_lock<std::mutex>;

  struct Character {
    std::string name;
    std::unique_ptr<CompiledGraph> graph;
    LineCursors lines = {};
    GraphDescription description = {};  // without overrides
    std::uint64_t overrides = 0;        // `overrides_version_` that the graph has
    std::shared_ptr<Turn::Impl> running = {};
    std::uint64_t call = 0;  // of the running turn: its place among all turns
    std::uint64_t turns = 0;
  };

  // A reply on its way: what it was asked from, and where it goes.
  struct Request {
    std::shared_ptr<SceneHistory> history;
    KeptFits fits;
    std::uint64_t based_on = 0;              // version of the timeline
    std::optional<MessageId> replaces = {};  // the reply that gets another version
    std::uint32_t attempt = 0;
  };

  class Cancellable;

  // Work on the memory beside the turns.
  class MemoryTask final : public PoolTask {
   public:
    explicit MemoryTask(std::weak_ptr<WorkerPool> pool) : pool_(std::move(pool)) {}
    const CancelToken& cancel() const { return cancel_; }
    const std::atomic<bool>& in_background() const { return in_background_; }
    void Stop(StopCause cause) override;

   private:
    const std::weak_ptr<WorkerPool> pool_;
    CancelToken cancel_;
    std::atomic<bool> in_background_ = true;
  };

  Lock LockOpen() const;
  Character& FindCharacter(const std::string& name);

  // scene_turn.cpp
  Turn Launch(const Lock& lock, Character& character, Request request,
              TurnOptions options);
  void CheckIdle(const Character& character) const;
  std::shared_ptr<SceneHistory> MakeHistory(const Character& character, std::size_t end,
                                            std::string_view hint) const;
  Request MakeRequest(Character& character, std::size_t end, std::string_view hint);
  void RunTurn(Character& character, Turn::Impl& turn, Request request);
  void Commit(Character& character, const TurnRun& run, const Request& request);
  std::size_t ReplyPosition(const Character& character) const;

  // scene_review.cpp
  void ApplyCharacterOverrides(Character& character);

  // scene_memory_run.cpp
  bool UsesLayers() const;
  void CheckLayersAreWritten() const;
  static void CheckOverride(const std::string& node_type, const std::string& field,
                            const std::string& value);
  void ApplyOverrides(const SceneOverrides& overrides);
  void RestoreOverrides();
  // A message is there: the memory follows, at once (run_inline) until it is done or
  // `cancel` requested, else beside the turns.
  void AfterPush();
  void AfterPush(CancelToken& cancel);
  void UpdateInline(CancelToken& cancel);
  void ScheduleMemory(const Lock& lock);
  void RunScheduled(MemoryTask& task);
  bool RunMemory(const CancelToken& cancel, const std::atomic<bool>* in_background,
                 std::size_t expected_entries = 0);
  // Runs `work` with a cancel token that CancelMemory sets.
  template <typename Work>
  auto WithMemory(const Work& work);

  const std::shared_ptr<Engine::Impl> engine_;
  const SceneOptions options_;

  mutable std::timed_mutex memory_mutex_;
  std::unique_ptr<CompiledGraph> memory_graph_;  // guarded by memory_mutex_
  const GraphDescription memory_description_;    // without overrides

  mutable std::mutex mutex_;  // guards everything down to the events
  std::condition_variable idle_;
  SceneState state_;
  std::map<std::string, std::unique_ptr<Character>> characters_;
  KeptFits fits_;
  std::uint64_t overrides_version_ = 0;
  std::uint64_t next_call_ = 1;
  std::map<MessageId, std::uint64_t> calls_of_replies_;  // while turns run
  std::shared_ptr<MemoryTask> memory_task_;              // scheduled or running
  std::vector<CancelToken*> memory_cancels_;  // of tools and turns at work on it
  bool memory_due_ = false;
  bool memory_ok_ = true;  // the newest run left nothing undone
  bool layers_enabled_ = false;
  bool closed_ = false;

  mutable std::mutex events_mutex_;
  std::deque<NodeEvent> events_;  // the newest
};

}  // namespace talefold
