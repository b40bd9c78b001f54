// Any call with anything: no handle, text or order of calls harms the process.
#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "capi/objects.h"
#include "capi_scene_fixture.h"

using namespace talefold;
using namespace talefold::capi;

namespace {

constexpr int kCalls = 100'000;
constexpr std::size_t kMostEngines = 3;
constexpr std::uint64_t kNoHandle = std::uint64_t{1} << 62;

// Makes calls at random, with handles that are good, stale or never were, and with
// texts that are good, garbage or no text at all.
class RandomCaller {
 public:
  explicit RandomCaller(std::uint32_t seed) : random_(seed) {}

  // Something to work with, besides what happens to be made.
  void MakeAgentAndScene() {
    if (Engines().size() >= kMostEngines) return;
    CapiSceneFixture chat(OneOf(2) ? kInline : kBeside);
    engines_.push_back(chat.engine);
    agents_.push_back(chat.agent);
    scenes_.push_back(chat.scene);
    Keep(tasks_, chat.Start("Hi"), TALEFOLD_OK);
    Keep(tasks_, chat.StartTurn(), TALEFOLD_OK);
    chat.engine = 0;  // stays
  }

  void CallSomething() {
    if (OneOf(3)) {
      const int before = succeeded_;
      CallScene();
      succeeded_with_scenes_ += succeeded_ - before;
      return;
    }
    const std::uint64_t engine = Handle(engines_);
    const std::uint64_t agent = Handle(agents_);
    const std::uint64_t task = Handle(tasks_);
    talefold_text text{};
    talefold_bytes bytes{};
    talefold_floats floats{};
    std::int64_t number = 0;
    std::int32_t flag = 0;
    std::uint64_t made = 0;
    RoomyEvent large = AnyEvent();
    talefold_event& event = large.event;
    talefold_log_line line{};
    line.size = sizeof line;
    const std::int64_t timeout = static_cast<std::int64_t>(Below(3)) - 1;
    const auto& api = Api();
    switch (Below(52)) {
      case 0:
        if (Engines().size() >= kMostEngines) break;
        return Keep(engines_, made, api.engine_create(Any(), &made));
      case 1:
        if (OneOf(10)) Count(api.engine_destroy(engine));
        return;
      case 2:
        return Count(api.engine_poll_log(engine, &line));
      case 3:
        return Count(api.engine_stats(engine, &text));
      case 4:
        return Count(api.engine_load_scripted_model(engine, Any(), Any()));
      case 5:
        return Keep(tasks_, made, api.engine_load_model(engine, Any(), Any(), &made));
      case 6:
        return Count(api.engine_unload_model(engine, Any()));
      case 7:
        return Count(api.engine_models(engine, &text));
      case 8:
        return Count(api.engine_count_tokens(engine, Any(), Any(), &number));
      case 9:
        return Count(api.engine_recorded_requests(engine, Any(), &text));
      case 10:
        return Count(api.engine_next_token_logits(engine, Any(), nullptr, 0, &floats));
      case 11:
        return Count(api.engine_add_storage(engine, Any(), Any(), Any()));
      case 12:
        return Count(api.engine_remove_storage(engine, Any()));
      case 13:
        return Keep(tasks_, made,
                    api.engine_load_embedding_model(engine, Any(), Any(), &made));
      case 14:
        return Count(api.engine_embed(engine, Any(), Any(), &floats));
      case 15:
        return Keep(tasks_, made,
                    api.engine_load_knowledge(engine, Any(), Any(), &made));
      case 16:
        return Count(api.engine_describe_knowledge(engine, Any(), &text));
      case 17:
        return Count(api.engine_search_knowledge(engine, Any(), Any(), &text));
      case 18:
        return Count(api.engine_unload_knowledge(engine, Any()));
      case 19:
      case 20:
      case 21:
        return Keep(
            agents_, made,
            api.engine_create_agent(engine, Any(), Any(), Any(), kNoBytes, &made));
      case 22:
        if (!OneOf(10)) return;
        return Count(OneOf(2) ? api.agent_close(agent) : api.agent_release(agent));
      case 23:
      case 24:
      case 25:
        return Keep(tasks_, made, api.agent_start(agent, Any(), timeout, &made));
      case 26:
        return Keep(tasks_, made, api.agent_start_regenerate(agent, timeout, &made));
      case 27:
        return Keep(tasks_, made,
                    api.agent_start_replay(agent, Any(), Any(), timeout, &made));
      case 28:
        return Keep(tasks_, made, api.agent_start_refold(agent, timeout, &made));
      case 29:
        return Keep(tasks_, made,
                    api.agent_start_tool_result(agent, Any(), Any(), timeout, &made));
      case 30:
        return Count(api.agent_append_interaction(agent, Any(), Any()));
      case 31:
        return Count(api.agent_edit_interaction(agent, timeout, Any(), Any()));
      case 32:
        return Count(api.agent_undo_last_turn(agent, &text));
      case 33:
        return Count(api.agent_dialog(agent, &text));
      case 34:
        return Count(api.agent_history_states(agent, Any(), &text));
      case 35:
        return Count(api.agent_get_summary(agent, &text));
      case 36:
        return Count(api.agent_set_summary(agent, Any()));
      case 37:
        return Count(api.agent_pin(agent, Any(), Any()));
      case 38:
        return Count(api.agent_unpin(agent, Any(), &flag));
      case 39:
        return Count(api.agent_change_params(agent, Any(), Any()));
      case 40:
        return Count(api.agent_export_snapshot(agent, &text));
      case 41:
        return Count(api.agent_import_snapshot(agent, Any()));
      case 42:
        return Count(api.agent_export_kv(agent, &bytes));
      case 43:
        return Count(api.agent_import_kv(agent, BytesOf(Any())));
      case 44:
        return Count(api.agent_poll_background(agent, &event));
      case 45:
        return Count(api.task_poll(task, &event));
      case 46:
        return Count(api.task_wait_event(task, timeout, &event));
      case 47:
        return Count(api.task_result(task, &text));
      case 48:
        return Count(api.task_cancel(task));
      case 49:
        return Count(api.task_resolve(task, Any()));
      case 50:
        return Count(api.task_release(task));
      case 51:
        return Count(api.graph_validate(Any(), &text));
    }
  }

  void CallScene() {
    const std::uint64_t engine = Handle(engines_);
    const std::uint64_t scene = Handle(scenes_);
    talefold_text text{};
    std::int64_t number = 0;
    std::uint64_t version = 0;
    std::int32_t flag = 0;
    std::uint64_t made = 0;
    RoomyEvent large = AnyEvent();
    const std::int64_t timeout = static_cast<std::int64_t>(Below(3)) - 1;
    const std::int64_t id = static_cast<std::int64_t>(Below(8)) - 1;
    const auto on = static_cast<std::int32_t>(Below(2));
    const auto& api = Api();
    switch (Below(53)) {
      case 0:
        return Keep(scenes_, made,
                    api.engine_create_scene(engine, Any(), Any(), Any(), &made));
      case 1:
        if (!OneOf(10)) return;
        return Count(OneOf(2) ? api.scene_close(scene) : api.scene_destroy(scene));
      case 2:
        return Count(api.scene_add_character(scene, Any(), Any(), on));
      case 3:
        return Count(api.scene_characters(scene, &text));
      case 4:
        return Count(api.scene_activate(scene, Any(), &flag));
      case 5:
        return Count(api.scene_deactivate(scene, Any(), &flag));
      case 6:
        return Count(api.scene_active(scene, &text));
      case 7:
      case 8:
      case 9:
        return Count(api.scene_say(scene, Any(), Any(), Any(), &number));
      case 10:
      case 11:
      case 12:
        return Count(api.scene_narrate(scene, Any(), Any(), &number));
      case 13:
        return Count(api.scene_direct(scene, Any(), Any(), &number));
      case 14:
        return Count(api.scene_add_note_message(scene, Any(), Any(), Any(), &number));
      case 15:
        return Count(api.scene_pass_time(scene, Any(), Any(), &number));
      case 16:
        return Count(api.scene_insert_time(scene, id, Any(), Any(), &number));
      case 17:
        return Count(api.scene_import_transcript(scene, Any(), &number));
      case 18:
        return Count(api.scene_edit(scene, id, Any()));
      case 19:
        return Count(api.scene_edit_time(scene, id, Any()));
      case 20:
        return Count(api.scene_erase(scene, id));
      case 21:
        return Count(api.scene_set_hidden(scene, id, on));
      case 22:
        return Count(api.scene_show_version(scene, id, timeout));
      case 23:
        return Count(api.scene_messages(scene, &text));
      case 24:
        return Count(api.scene_size(scene, &number));
      case 25:
        return Count(api.scene_version(scene, &version));
      case 26:
        return Count(api.scene_clock(scene, &text));
      case 27:
        return Count(api.scene_time_label(scene, Any(), &text));
      case 28:
      case 29:
      case 30:
      case 31:
        return Keep(tasks_, made,
                    api.scene_start_turn(scene, OneOf(4) ? Any() : Text("Edric"),
                                         timeout, &made));
      case 32:
        return Keep(tasks_, made,
                    api.scene_start_regenerate(scene, OneOf(4) ? Any() : Text("Edric"),
                                               Any(), timeout, &made));
      case 33:
        return Count(api.scene_settings(scene, &text));
      case 34:
        return Count(api.scene_set_settings(scene, Any()));
      case 35:
        return Count(api.scene_set_note(scene, Any(), Any()));
      case 36:
        return Count(api.scene_notes(scene, &text));
      case 37:
        return Count(api.scene_set_override(scene, Any(), Any(), Any()));
      case 38:
        return Count(api.scene_overrides(scene, &text));
      case 39:
        return Count(api.scene_entries(scene, &text));
      case 40:
        return Count(api.scene_update_memory(scene, timeout, &flag));
      case 41:
        return Count(api.scene_cancel_memory(scene));
      case 42:
      case 43:
        return Count(api.scene_poll_event(scene, &large.event));
      case 44:
        return Count(api.scene_edit_entry(scene, id, Any()));
      case 45:
        return Count(api.scene_regenerate_entry(scene, id));
      case 46:
        if (!OneOf(10)) return;
        return Count(OneOf(2) ? api.scene_regenerate_all(scene, &flag)
                              : api.scene_reset_layers(scene, timeout, &flag));
      case 47:
        return Count(api.scene_add_backstory(scene, Any(), Any(), &number));
      case 48:
        return Count(api.scene_remove_backstory(scene, id));
      case 49:
        return Count(api.scene_inspect(scene, id, &text));
      case 50:
        return Count(api.scene_statistics(scene, &text));
      case 51:
        return Count(api.scene_export_snapshot(scene, &text));
      case 52:
        return Count(api.scene_review(scene, Any(), Any(), &text));
    }
  }

  void DestroyAll() {
    for (const std::uint64_t engine : engines_) Api().engine_destroy(engine);
  }

  int succeeded() const { return succeeded_; }
  int succeeded_with_scenes() const { return succeeded_with_scenes_; }
  int failed() const { return failed_; }

 private:
  struct RoomyEvent {
    talefold_event event;
    unsigned char room[4096];  // for what a later version may append
  };
  RoomyEvent AnyEvent() {
    RoomyEvent large{};
    large.event.size = OneOf(20) ? Below(100'000) : sizeof large.event;
    return large;
  }

  std::size_t Below(std::size_t end) { return random_() % end; }
  bool OneOf(std::size_t count) { return Below(count) == 0; }

  // Mostly one that was good, and may still be.
  std::uint64_t Handle(const std::vector<std::uint64_t>& known) {
    if (known.empty() || OneOf(20)) return OneOf(2) ? 0 : random_() | kNoHandle;
    const std::size_t newest = std::min<std::size_t>(known.size(), 4);
    return known[known.size() - 1 - Below(newest)];
  }

  talefold_text Any() {
    static const std::vector<std::string> texts{
        "",
        "mock",
        "talk",
        "fold",
        "Hello.",
        "{}",
        "[]",
        "[\"a\", \"b\"]",
        "list",
        "{",
        "null",
        "\xFF\xFE",
        std::string("a\0b", 3),
        std::string(70'000, 'x'),
        std::string(500, '['),
        R"({"worker_threads": 2})",
        R"({"worker_threads": 0, "no": 1})",
        R"({"replies": ["Aye.", {"text": "Well", "outcome": "fail"}]})",
        // Nothing stalls that a call waits for.
        R"({"replies": [{"outcome": "stall"}], "node_replies":
            {"archive": ["They met."], "layers": ["CHUNK 1: Much."]}})",
        R"({"path": "none.gguf"})",
        R"({"config": "{\"version\": 1, \"fields\": []}", "records": "[]"})",
        R"({"text": "Hi", "top_k": 3})",
        R"({"default_model_name": "mock", "enable_diagnostics": true})",
        R"({"system_prompt": "Be brief.", "stream": false})",
        R"({"system_prompt": 7})",
        std::string(kTalkAndFold),
        std::string(kTalkAndFold),
        std::string(kTalkAndFold).substr(0, 150),
        "Edric",
        "PT2H",
        "512",
        "Archive",
        "token_threshold",
        "reinforcement",
        std::string(60, 'x'),
        R"({"source": "game", "hidden": true})",
        R"({"run_inline": true, "settings": {"format": "chat"}})",
        R"({"intro": "Once.", "format": "narrative"})",
        R"({"kind": "narrator", "text": "Night."})",
        std::string(kMemory),
        std::string(kCharacter),
    };
    if (OneOf(25)) return {nullptr, Below(3)};
    return Text(texts[Below(texts.size())]);
  }

  static talefold_bytes BytesOf(talefold_text text) {
    return {reinterpret_cast<const std::uint8_t*>(text.data), text.size};
  }

  void Count(std::int32_t status) { ++(status == TALEFOLD_OK ? succeeded_ : failed_); }

  void Keep(std::vector<std::uint64_t>& list, std::uint64_t made, std::int32_t status) {
    Count(status);
    BOOST_REQUIRE((made != 0) == (status == TALEFOLD_OK));
    if (made != 0) list.push_back(made);
  }

  std::mt19937 random_;
  std::vector<std::uint64_t> engines_, agents_, scenes_, tasks_;
  int succeeded_ = 0;
  int succeeded_with_scenes_ = 0;
  int failed_ = 0;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(capi_random)

BOOST_AUTO_TEST_CASE(a_hundred_thousand_calls_at_random_harm_nothing) {
  RandomCaller caller(20);
  {
    const CapiFixture chat;
    for (int i = 0; i < kCalls; ++i) {
      if (i % 100 == 0) caller.MakeAgentAndScene();
      caller.CallSomething();
    }
    BOOST_TEST(chat.Say("Still there?") == "Aye.");
  }
  caller.DestroyAll();

  BOOST_TEST(caller.succeeded() > kCalls / 20);
  BOOST_TEST(caller.succeeded_with_scenes() > kCalls / 100);
  BOOST_TEST(caller.failed() > kCalls / 20);
  BOOST_TEST(Agents().size() + Scenes().size() + Tasks().size() + Engines().size() ==
             0u);
}

BOOST_AUTO_TEST_SUITE_END()
