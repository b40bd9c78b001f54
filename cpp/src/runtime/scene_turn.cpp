// Replies of the characters of a scene.
#include <algorithm>
#include <utility>

#include "base/text.h"
#include "runtime/scene_impl.h"

namespace talefold {

namespace {

// A character's graph folds nothing: the scene does.
class NoFolds final : public FoldQueue {
 public:
  bool IsPending(std::string_view) const override { return false; }
  void Schedule(FoldTask) override {}
  bool FinishOverdue(bool) override { return false; }
};

}  // namespace

Turn Scene::Impl::TakeTurn(const std::string& name, TurnOptions options) {
  const Lock lock = LockOpen();
  Character& character = FindCharacter(name);
  return Launch(lock, character, MakeRequest(character, state_.timeline.size(), ""),
                options);
}

Turn Scene::Impl::Regenerate(const std::string& name, const std::string& hint,
                             TurnOptions options) {
  CheckMessage(hint, "hint");
  const Lock lock = LockOpen();
  Character& character = FindCharacter(name);
  const std::size_t size = state_.timeline.size();
  const Message* newest = size > 0 ? &state_.timeline.at(size - 1) : nullptr;
  if (!newest || newest->kind != MessageKind::Character || newest->speaker != name) {
    throw Error(ErrorCode::InvalidArgument,
                "the newest message is no reply of '" + name + "'",
                "only the newest message can be regenerated; erase what came after it");
  }
  Request request = MakeRequest(character, size - 1, hint);
  request.replaces = newest->id;
  request.attempt = static_cast<std::uint32_t>(newest->versions.size()) + 1;
  return Launch(lock, character, std::move(request), options);
}

// These with mutex_ held.

void Scene::Impl::CheckIdle(const Character& character) const {
  if (!character.running) return;
  throw Error(ErrorCode::AgentBusy,
              "turn " + std::to_string(character.running->id()) + " of '" +
                  character.name + "' is running",
              "wait for its turn_complete, or cancel it; other characters may take "
              "turns meanwhile");
}

std::shared_ptr<SceneHistory> Scene::Impl::MakeHistory(const Character& character,
                                                       std::size_t end,
                                                       std::string_view hint) const {
  std::vector<std::string> cast;
  for (const auto& [name, other] : characters_) cast.push_back(name);
  return std::make_shared<SceneHistory>(
      state_, std::make_shared<SceneStory>(state_, character.name, std::move(cast), end,
                                           layers_enabled_, hint));
}

Scene::Impl::Request Scene::Impl::MakeRequest(Character& character, std::size_t end,
                                              std::string_view hint) {
  CheckIdle(character);
  ApplyCharacterOverrides(character);
  return {.history = MakeHistory(character, end, hint),
          .fits = fits_,
          .based_on = state_.timeline.version()};
}

Turn Scene::Impl::Launch(const Lock&, Character& character, Request request,
                         TurnOptions options) {
  const std::shared_ptr<Turn::Impl> turn =
      engine_->StartTurn(character.turns + 1, options,
                         [self = shared_from_this(), &character,
                          request = std::move(request)](Turn::Impl& running) mutable {
                           self->RunTurn(character, running, std::move(request));
                         });
  // The worker needs the lock before it is through, so it cannot overtake this.
  character.running = turn;
  character.call = next_call_++;
  ++character.turns;
  return Turn(turn);
}

void Scene::Impl::RunTurn(Character& character, Turn::Impl& turn, Request request) {
  Interaction current;
  {
    const Lock lock(mutex_);  // Launch is through
    current.id = static_cast<std::int64_t>(character.call);
  }
  current.user = request.history->open_text();
  current.attempt = request.attempt;
  const auto make_history = [&request](const Interaction* newest) {
    auto history = std::make_unique<SceneHistory>(*request.history);
    history->SetCurrent(newest);
    return history;
  };
  NoFolds folds;
  TrimStage no_trims({});
  TurnRun run(*character.graph, make_history, request.based_on, std::move(current),
              no_trims, character.lines, turn, folds, engine_->logger(),
              {engine_->options().max_steps_per_turn, options_.enable_diagnostics,
               engine_->options().prewarm, false});
  run.context().fits = std::move(request.fits);
  TurnOutcome outcome = run.Walk();
  std::string text;
  if (outcome.commits) {
    text = run.current().assistant;
    Commit(character, run, request);
    for (NodeEvent& event : run.TakeEventsAtCommit()) turn.Push({0, std::move(event)});
    if (!text.empty()) AfterPush(turn.cancel());
  }
  {
    const Lock lock(mutex_);
    character.running.reset();
    const bool others_run = std::ranges::any_of(characters_, [](const auto& entry) {
      return entry.second->running != nullptr;
    });
    if (!others_run) calls_of_replies_.clear();
    idle_.notify_all();
  }
  turn.Finish(std::move(text), std::move(outcome.complete));
  engine_->watchdog().Disarm(&turn);
}

void Scene::Impl::Commit(Character& character, const TurnRun& run,
                         const Request& request) {
  const Lock lock(mutex_);
  character.lines = run.lines();
  for (const KeptFits::Choice& choice : run.story_choices()) fits_.Keep(choice);
  if (run.current().assistant.empty()) return;
  if (request.replaces) {
    if (const auto index = state_.timeline.IndexOf(*request.replaces)) {
      state_.timeline.AddVersion(*index,
                                 std::string(TrimWhitespace(run.current().assistant)));
      OnMessageChanged(state_.timeline, *index, state_.memory);
      return;
    }
  }
  Message message;
  message.kind = MessageKind::Character;
  message.speaker = character.name;
  message.text = TrimWhitespace(run.current().assistant);
  message.source = "model";
  message.present = state_.active;
  message.based_on = request.based_on;
  const std::size_t position = ReplyPosition(character);
  const MessageId id = state_.timeline.Insert(position, std::move(message));
  calls_of_replies_[id] = character.call;
}

// Before the replies of later calls that were done earlier, but never where the memory
// has been already. Call with mutex_ held.
std::size_t Scene::Impl::ReplyPosition(const Character& character) const {
  std::size_t position = state_.timeline.size();
  for (const auto& [id, call] : calls_of_replies_) {
    if (call < character.call) continue;
    if (const auto index = state_.timeline.IndexOf(id)) {
      position = std::min(position, *index);
    }
  }
  return std::max(position, FirstUncovered(state_.timeline, state_.memory));
}

}  // namespace talefold
