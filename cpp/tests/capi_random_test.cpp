// Any call with anything: no handle, text or order of calls harms the process.
#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "capi/objects.h"
#include "capi_fixture.h"

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
  void MakeAgent() {
    if (Engines().size() >= kMostEngines) return;
    CapiFixture chat;
    engines_.push_back(chat.engine);
    agents_.push_back(chat.agent);
    Keep(tasks_, chat.Start("Hi"), TALEFOLD_OK);
    chat.engine = 0;  // stays
  }

  void CallSomething() {
    const std::uint64_t engine = Handle(engines_);
    const std::uint64_t agent = Handle(agents_);
    const std::uint64_t task = Handle(tasks_);
    talefold_text text{};
    talefold_bytes bytes{};
    talefold_floats floats{};
    std::int64_t number = 0;
    std::int32_t flag = 0;
    std::uint64_t made = 0;
    talefold_event event{};
    event.size = OneOf(20) ? Below(100'000) : sizeof event;
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

  void DestroyAll() {
    for (const std::uint64_t engine : engines_) Api().engine_destroy(engine);
  }

  int succeeded() const { return succeeded_; }
  int failed() const { return failed_; }

 private:
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
        R"({"replies": [{"outcome": "stall"}]})",
        R"({"path": "none.gguf"})",
        R"({"config": "{\"version\": 1, \"fields\": []}", "records": "[]"})",
        R"({"text": "Hi", "top_k": 3})",
        R"({"default_model_name": "mock", "enable_diagnostics": true})",
        R"({"system_prompt": "Be brief.", "stream": false})",
        R"({"system_prompt": 7})",
        std::string(kTalkAndFold),
        std::string(kTalkAndFold),
        std::string(kTalkAndFold).substr(0, 150),
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
  std::vector<std::uint64_t> engines_, agents_, tasks_;
  int succeeded_ = 0;
  int failed_ = 0;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(capi_random)

BOOST_AUTO_TEST_CASE(a_hundred_thousand_calls_at_random_harm_nothing) {
  RandomCaller caller(20);
  {
    const CapiFixture chat;
    for (int i = 0; i < kCalls; ++i) {
      if (i % 100 == 0) caller.MakeAgent();
      caller.CallSomething();
    }
    BOOST_TEST(chat.Say("Still there?") == "Aye.");
  }
  caller.DestroyAll();

  BOOST_TEST(caller.succeeded() > kCalls / 20);
  BOOST_TEST(caller.failed() > kCalls / 20);
  BOOST_TEST(Agents().size() + Tasks().size() + Engines().size() == 0u);
}

BOOST_AUTO_TEST_SUITE_END()
